// Times and rates that the keys of a platform mean, in cycles of the core clock: what predictions are made of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "platform/spec/platform_spec.h"

namespace syncline::platform {

class MachineTimes {
 public:
  explicit MachineTimes(const PlatformSpec& spec) : spec_(spec) {}

  double interconnect_cycle() const { return ratio(spec_.clocks.interconnect); }
  double l2_cycle() const { return ratio(spec_.clocks.l2); }
  double dram_cycle() const { return ratio(spec_.dram.clock); }

  /// For which a message with `bytes` bytes behind its header holds a port of the crossbar.
  double port_time(double bytes) const {
    const double flits = std::ceil((spec_.coherence.header_bytes + bytes) / spec_.crossbar.flit);
    return std::ceil(flits * spec_.crossbar.flit / spec_.crossbar.bandwidth) * interconnect_cycle();
  }
  /// From its first flit at the input to its last flit at the output.
  double network(double bytes) const {
    return (static_cast<double>(spec_.crossbar.latency) - 1) * interconnect_cycle() + port_time(bytes);
  }
  /// From the issue of an access until its request is at the L2, and from there to the SM.
  double to_l2(double bytes) const {
    return spec_.sm.memory.address_latency + static_cast<double>(spec_.l1.send_latency) + network(bytes);
  }
  double from_l2(double bytes) const { return network(bytes) + 1; }
  double l2_latency() const { return static_cast<double>(spec_.l2.latency) * l2_cycle(); }

  /// Load-to-use latencies: a hit in the L1; a load around the L1 that hits in the L2; one through the L1 that misses
  /// it.
  double l1_hit() const {
    return spec_.sm.memory.address_latency + static_cast<double>(spec_.l1.hit_latency) + return_latency();
  }
  double around_l1() const { return to_l2(0) + l2_latency() + from_l2(spec_.l1.sector) + return_latency(); }
  double through_l1() const {
    return to_l2(0) + l2_latency() + network(spec_.l1.line) + static_cast<double>(spec_.l1.hit_latency) +
           return_latency();
  }
  /// What a line of DRAM adds. Its row is closed when refreshes come more often than accesses of a chase to one bank.
  double memory_line() const {
    const models::DramTiming timing = spec_.dram.timing;
    const double bursts = std::ceil(static_cast<double>(spec_.l2.line) / spec_.dram.burst_bytes());
    const auto row = static_cast<double>(timing.refresh ? timing.t_rcd : 0);
    return (static_cast<double>(spec_.dram.minimum_latency) + (bursts - 1) * static_cast<double>(timing.t_ccd_l) +
            row) *
           dram_cycle();
  }
  /// From the issue of a store or an atomic of `bytes` bytes to its acknowledgement at the SM.
  double acknowledged(double bytes) const { return to_l2(bytes) + l2_latency() + from_l2(0); }

  /// For which atomics of `work` L2 cycles keep others from their line: one that is not forwarded locks it until it is
  /// answered.
  double line_held(double work) const {
    const models::AtomicUnitSpec& unit = spec_.l2.atomic_unit;
    return (unit.forwarding ? work : work + static_cast<double>(unit.latency)) * l2_cycle();
  }

  bool fits_l1(std::uint64_t bytes) const { return bytes <= spec_.l1.size; }
  bool fits_l2(std::uint64_t bytes) const { return bytes <= std::uint64_t{spec_.l2.size} * spec_.memory.partitions; }

  double sms(std::uint64_t ctas) const { return static_cast<double>(std::min<std::uint64_t>(ctas, spec_.sms)); }

 private:
  double ratio(std::uint64_t clock) const {
    return static_cast<double>(spec_.clocks.core) / static_cast<double>(clock);
  }
  double return_latency() const { return spec_.sm.memory.return_latency; }

  const PlatformSpec& spec_;
};

}  // namespace syncline::platform
