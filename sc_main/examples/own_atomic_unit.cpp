// An atomic unit of your own in the place of the library's: a plain TLM target with b_transport, which adds lane by
// lane and takes its time for each. The program is a counter on which every warp adds; the run must end with the right
// sum.
#include <tlm_utils/simple_target_socket.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <systemc>
#include <vector>

#include "models/atomic_unit/atomic_work.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// Adds 32-bit integers; any other operation is answered with an error, which ends the run.
class SerialAdder : public sc_core::sc_module {
 public:
  SerialAdder(const sc_core::sc_module_name& name, const sc_core::sc_time& time_per_lane)
      : sc_core::sc_module(name), socket("socket"), time_per_lane_(time_per_lane) {
    socket.register_b_transport(this, &SerialAdder::b_transport);
  }
  tlm_utils::simple_target_socket<SerialAdder, 32, models::AtomicProtocol> socket;
  std::uint64_t lanes() const { return lanes_; }

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
    models::AtomicWork& work = models::atomic_work_of(payload);
    if (work.operation != isa::AtomicOp::add || work.type != isa::Type::u32) {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    for (unsigned i = 0; i < work.count; ++i) {
      wait(time_per_lane_);
      std::uint8_t* const place = payload.get_data_ptr() + work.lanes[i].offset;
      std::uint32_t value = 0;
      std::memcpy(&value, place, sizeof value);
      work.old[i] = value;
      value += static_cast<std::uint32_t>(work.lanes[i].operand);
      std::memcpy(place, &value, sizeof value);
    }
    lanes_ += work.count;
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }

  const sc_core::sc_time time_per_lane_;
  std::uint64_t lanes_ = 0;
};

constexpr const char* count_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 counter)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [counter];
  red.global.add.u32 [%rd1], 1;
  ret;
}
)";

}  // namespace

int sc_main(int, char**) {
  constexpr std::uint32_t ctas = 8, threads = 256, lanes = ctas * threads;
  const sc_core::sc_time time_per_lane(10, sc_core::SC_NS);
  const auto configuration = load_configuration<PlatformSpec>("tiny");

  std::vector<std::unique_ptr<SerialAdder>> adders;
  GpuOptions options;
  options.atomic_unit = [&](unsigned partition, models::PlatformContext&, models::ClockDomain&,
                            models::AtomicLink& link) {
    const std::string name = "part" + std::to_string(partition) + "_adder";
    adders.push_back(std::make_unique<SerialAdder>(name.c_str(), time_per_lane));
    link.bind(adders.back()->socket);
  };
  Simulation simulation(configuration.spec, /*seed=*/1, options);

  std::uint32_t sum = 0;
  simulation.run([&](Device& gpu) {
    const DevicePointer counter = gpu.upload(std::vector<std::uint32_t>{0});
    const KernelHandle count = gpu.module_get_function(gpu.module_load_text(count_ptx, "count.ptx"), "count");
    gpu.launch_kernel(count, {{ctas}, {threads}}, arguments(counter));
    sum = gpu.download<std::uint32_t>(counter, 1).front();
  });

  std::uint64_t added = 0;
  for (const auto& adder : adders) added += adder->lanes();
  // The line is locked while an adder works on it, so all lanes are added one after the other.
  const auto least = static_cast<std::uint64_t>(lanes * time_per_lane.to_seconds() *
                                                static_cast<double>(configuration.spec.clocks.core));
  const std::uint64_t cycles = simulation.device().totals().cycles;
  std::printf("sum %u, %llu lanes added, %llu SM cycles (at least %llu)\n", sum, static_cast<unsigned long long>(added),
              static_cast<unsigned long long>(cycles), static_cast<unsigned long long>(least));
  return sum == lanes && added == lanes && cycles >= least ? 0 : 1;
}
