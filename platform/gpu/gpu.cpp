#include "platform/gpu/gpu.h"

#include <functional>

namespace syncline::platform {

Gpu::Gpu(const sc_core::sc_module_name& module_name, models::PlatformContext& context, const PlatformSpec& spec,
         const GpuOptions& options)
    : sc_core::sc_module(module_name), plan_(context, spec, options, name()) {
  for (const auto& listener : options.message_listeners) context.follow_messages(listener);
  const std::function<void()> sides[] = {[&] { compute_ = std::make_unique<ComputeSide>(plan_, options); },
                                         [&] { memory_ = std::make_unique<MemorySide>(plan_, options); }};
  for (const unsigned i : plan_.order(2)) sides[i]();
  for (unsigned i = 0; i < sms(); ++i) memory_->bind_l1(compute_->network_end(i), i);
}

Gpu::~Gpu() = default;

void Gpu::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  memory_->debug_read(address, to, bytes);
  compute_->overlay(address, to, bytes);  // the L1 of a thread's SM may have newer bytes of its local memory
}

void Gpu::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  memory_->debug_write(address, from, bytes);
}

}  // namespace syncline::platform
