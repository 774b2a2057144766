// A block of your own between the crossbar and the L2 of a memory partition: it lets one atomic request pass every few
// cycles. The program is a counter on which every warp adds; the run must end with the right sum, and later.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <systemc>
#include <vector>

#include "models/partition/partition_unit.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// Lets an atomic request pass `interval` cycles of its clock after the one before; all else passes at once. A request
/// that comes too early stays on its link, so whatever is behind it on that virtual network waits too and keeps its
/// order.
class AtomicThrottle : public models::PartitionUnit, private models::Ticked {
 public:
  AtomicThrottle(const sc_core::sc_module_name& name, models::PlatformContext& context, models::ClockDomain& clock,
                 base::Cycle interval)
      : PartitionUnit(name, context), clock_(clock), interval_(interval) {
    clock.add(*this, models::TickRank::partition, this->name());
    statistic("atomics", "requests", "atomic requests that passed", atomics_);
    statistic("delay", "cycles", "from the arrival of an atomic request until it passed", delay_);
    traced("partition", "atomics", 32, [this] { return atomics_.value(); });
  }
  std::uint64_t atomics() const { return atomics_.value(); }

 private:
  bool claims(const models::Message& request) const override {
    return request.family == &models::coherence_family && request.message_class == models::MessageClass::atomic_request;
  }

  bool accept(models::Message& request, const sc_core::sc_time& arrival) override {
    const base::Cycle arrived = clock_.cycle_at_or_after(arrival);
    const base::Cycle now = std::max(arrived, clock_.cycle_at_or_after(sc_core::sc_time_stamp()));
    if (now < open_at_) {
      wake(open_at_);
      return false;
    }
    if (!can_forward(request.network)) return false;  // offered again when the link is free
    forward(request, clock_.time_of(now));
    open_at_ = now + interval_;
    atomics_.add();
    delay_.sample(now - arrived);
    return true;
  }

  base::Cycle tick(base::Cycle) override {
    for (unsigned n = 0; n < models::max_virtual_networks; ++n)
      request_in.resume(static_cast<models::VirtualNetwork>(n));
    return base::never;
  }

  models::ClockDomain& clock_;
  const base::Cycle interval_;
  base::Cycle open_at_ = 0;  ///< first cycle in which an atomic request may pass
  base::Counter atomics_;
  base::Distribution delay_;
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
  constexpr base::Cycle interval = 100;  // L2 cycles
  constexpr std::uint32_t ctas = 8, threads = 256, warps = ctas * threads / 32;
  const auto configuration = load_configuration<PlatformSpec>("tiny");

  std::vector<std::unique_ptr<AtomicThrottle>> throttles;
  GpuOptions options;
  options.partition_units = [&](unsigned partition, models::PlatformContext& context, models::ClockDomain& l2_clock) {
    const std::string name = "part" + std::to_string(partition) + "_throttle";
    throttles.push_back(std::make_unique<AtomicThrottle>(name.c_str(), context, l2_clock, interval));
    return GpuOptions::PartitionUnits{throttles.back().get()};
  };
  Simulation simulation(configuration.spec, /*seed=*/1, options);

  std::uint32_t sum = 0;
  simulation.run([&](Device& gpu) {
    const DevicePointer counter = gpu.upload(std::vector<std::uint32_t>{0});
    const KernelHandle count = gpu.module_get_function(gpu.module_load_text(count_ptx, "count.ptx"), "count");
    gpu.launch_kernel(count, {{ctas}, {threads}}, arguments(counter));
    sum = gpu.download<std::uint32_t>(counter, 1).front();
  });

  std::uint64_t passed = 0;
  for (const auto& throttle : throttles) passed += throttle->atomics();
  // All warps add to one address, so one throttle sees every request.
  const std::uint64_t least = (warps - 1) * interval * configuration.spec.clocks.core / configuration.spec.clocks.l2;
  const std::uint64_t cycles = simulation.device().totals().cycles;
  std::printf("sum %u, %llu atomic requests passed the throttles, %llu SM cycles (at least %llu)\n", sum,
              static_cast<unsigned long long>(passed), static_cast<unsigned long long>(cycles),
              static_cast<unsigned long long>(least));
  return sum == ctas * threads && passed == warps && cycles >= least ? 0 : 1;
}
