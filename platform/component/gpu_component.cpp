#include "platform/component/gpu_component.h"

#include <fmt/format.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/dram/payload_access.h"
#include "platform/config/configuration.h"
#include "platform/observe/provenance.h"
#include "platform/observe/statistics_json.h"

namespace syncline::platform {

GpuComponent::GpuComponent(const sc_core::sc_module_name& name, const PlatformSpec& spec,
                           const ComponentOptions& options)
    : sc_core::sc_module(name),
      access_time_(options.access_time),
      seed_(options.seed),
      simulation_(spec, options.seed, options.gpu),
      registers_({spec.sms, spec.sm.warp_size, options.slots, options.window},
                 [this] { changed_.notify(sc_core::SC_ZERO_TIME); }),
      executor_(simulation_, registers_.memory(), options.window) {
  target.register_b_transport(this, &GpuComponent::b_transport);
  target.register_transport_dbg(this, &GpuComponent::transport_dbg);
  SC_METHOD(update_irq);
  sensitive << changed_;
  for (const unsigned partition : options.gpu.own_memory) {
    auto& socket = memories_[partition];
    socket = std::make_unique<models::MemoryLink>(fmt::format("memory{}", partition).c_str());
    gpu().memory_link(partition).bind(*socket);
  }
  simulation_.device().watch_launches(kernels_.listener(0));
  simulation_.attend([this] { serve(); });
}

GpuComponent::GpuComponent(const sc_core::sc_module_name& name, const std::string& platform,
                           std::vector<std::string> settings, const ComponentOptions& options)
    : GpuComponent(name, load_configuration<PlatformSpec>(platform, std::move(settings)).spec, options) {}

GpuComponent::~GpuComponent() = default;

models::MemoryLink& GpuComponent::memory(unsigned partition) {
  const auto found = memories_.find(partition);
  if (found == memories_.end())
    throw base::UserError(
        fmt::format("`{}` has no socket for the memory of partition {}: GpuOptions::own_memory does "
                    "not name it",
                    name(), partition));
  return *found->second;
}

void GpuComponent::write_statistics(std::ostream& out) {
  platform::write_statistics(out, simulation_.context().statistics, provenance_json({}, gpu().spec(), seed_),
                             kernels_.kernels());
}

void GpuComponent::serve() {
  const models::Scheduler& scheduler = simulation_.context().scheduler;
  for (;;) {
    while (!registers_.ready()) {
      sc_core::wait(changed_ | scheduler.failed());
      if (scheduler.failure() && !registers_.halted())
        registers_.halt(executor_.outcome_of(scheduler.failure(), CommandError::model_error));
    }
    const CommandSlot& command = registers_.begin();
    registers_.end(registers_.halted() ? executor_.lost() : executor_.execute(command));
  }
}

void GpuComponent::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  payload.set_response_status(access(payload));
  delay = access_time_;
}

tlm::tlm_response_status GpuComponent::access(tlm::tlm_generic_payload& payload) {
  const tlm::tlm_response_status status = models::check_access(registers_.end_of_window(), payload);
  if (status != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND) return status;
  if (payload.get_address() < component_area::window) return access_register(payload, Access::timed);
  models::perform_access(registers_.memory(), payload);
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status GpuComponent::access_register(tlm::tlm_generic_payload& payload, Access access) {
  constexpr unsigned bytes = 4;
  const auto address = static_cast<std::uint32_t>(payload.get_address());
  if (payload.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_data_length() != bytes || payload.get_streaming_width() < bytes || address % bytes != 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  std::uint32_t word = 0;
  auto answer = RegisterFile::Answer::done;
  if (payload.is_read()) {
    answer = registers_.read(address, word);
    if (answer == RegisterFile::Answer::done) std::memcpy(payload.get_data_ptr(), &word, bytes);
  } else {
    std::memcpy(&word, payload.get_data_ptr(), bytes);
    answer = access == Access::timed ? registers_.write(address, word) : registers_.debug_write(address, word);
  }
  switch (answer) {
    case RegisterFile::Answer::unmapped:
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case RegisterFile::Answer::read_only:
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    case RegisterFile::Answer::done:
      break;
  }
  return tlm::TLM_OK_RESPONSE;
}

unsigned GpuComponent::transport_dbg(tlm::tlm_generic_payload& payload) {
  if (payload.get_address() >= component_area::window) return models::debug_access(registers_.memory(), payload);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
  const tlm::tlm_response_status status = access_register(payload, Access::debug);
  payload.set_response_status(status);
  return status == tlm::TLM_OK_RESPONSE ? payload.get_data_length() : 0;
}

}  // namespace syncline::platform
