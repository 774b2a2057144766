#include "platform/gpu/gpu.h"

#include <fmt/format.h>

#include <functional>

namespace syncline::platform {
namespace {

/// Where a home map or networks of the user's stand, GPUs are no places that the library knows.
PlanOptions with_copy_engines(const GpuOptions& options, const PlatformSpec& spec) {
  PlanOptions with = options;
  with.copy_engines = spec.modules.gpus > 1 && options.own_homes == nullptr && !options.network;
  return with;
}

}  // namespace

Gpu::Gpu(const sc_core::sc_module_name& module_name, models::PlatformContext& context, const PlatformSpec& spec,
         const GpuOptions& options)
    : sc_core::sc_module(module_name), plan_(context, spec, with_copy_engines(options, spec), name()) {
  for (const auto& listener : options.message_listeners) context.follow_messages(listener);
  const std::function<void()> sides[] = {[&] { compute_ = std::make_unique<ComputeSide>(plan_, options); },
                                         [&] { memory_ = std::make_unique<MemorySide>(plan_, options); }};
  for (const unsigned i : plan_.order(2)) sides[i]();
  for (unsigned i = 0; i < sms(); ++i) memory_->bind_l1(compute_->network_end(i), i);
  for (unsigned i = 0; i < plan_.copy_engines(); ++i) {
    // A copy tells the host that it is over: that is of the sequential part, and so is the engine.
    const models::TileScope tile(context.tiles, plan_.name_of(fmt::format("copy_engine{}", i)), {},
                                 models::TileKind::sequential);
    copy_engines_.push_back(std::make_unique<CopyPort>(*memory_, i));
  }
  if (!spec.modules.linked()) make_host_copies();
}

Gpu::~Gpu() = default;

void Gpu::make_host_copies() {
  for (unsigned i = 0; i < plan_.copy_engines(); ++i) {
    host_copies_.push_back(std::make_unique<models::HostCopies>(
        fmt::format("host_copies{}", i).c_str(), plan_.context(), plan_.core(),
        [&host = spec().host](std::uint64_t bytes) { return host.copy_seconds(bytes); },
        models::HostCopies::Memory{
            [this](std::uint64_t at, void* to, std::uint64_t bytes) { debug_read(at, to, bytes); },
            [this](std::uint64_t at, const void* from, std::uint64_t bytes) { debug_write(at, from, bytes); }}));
  }
}

std::vector<std::string> Gpu::copies_under_way() const {
  std::vector<std::string> all;
  const auto add = [&all](const std::vector<std::string>& some) { all.insert(all.end(), some.begin(), some.end()); };
  for (const auto& engine : copy_engines_) add(engine->describe_waiting());
  for (const auto& copies : host_copies_) add(copies->describe_waiting());
  return all;
}

models::SmRange Gpu::sms_of_device(unsigned device) const {
  const unsigned each = spec().sms / devices();
  return {device * each, each};
}

void Gpu::debug_read(std::uint64_t address, void* to, std::uint64_t bytes) {
  memory_->debug_read(address, to, bytes);
  compute_->overlay(address, to, bytes);  // the L1 of a thread's SM may have newer bytes of its local memory
}

void Gpu::debug_write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  memory_->debug_write(address, from, bytes);
}

}  // namespace syncline::platform
