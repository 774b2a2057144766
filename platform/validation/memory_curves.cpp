// Latency and bandwidth per level, and fences.
#include <algorithm>

#include "platform/validation/curves.h"
#include "platform/validation/machine_times.h"

namespace syncline::platform {
namespace {

// The microbenchmark `bandwidth`: CTAs of 4 warps, 16 bytes a lane, 4 loads of a warp in flight.
constexpr double cta_threads = 128;
constexpr double warp_access = 512;
constexpr double loads_in_flight = 4;
constexpr double l1_passes = 32;
constexpr std::uint64_t l1_part = 64 * 128, l2_part = 4 * l1_part;

double shared_latency(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.shared.latency;
}

double cached_latency(const PlatformSpec& spec, std::uint64_t bytes) {
  const MachineTimes times(spec);
  if (times.fits_l1(bytes)) return times.l1_hit();
  return times.through_l1() + (times.fits_l2(bytes) ? 0 : times.memory_line());
}

double uncached_latency(const PlatformSpec& spec, std::uint64_t bytes) {
  const MachineTimes times(spec);
  return times.around_l1() + (times.fits_l2(bytes) ? 0 : times.memory_line());
}

double cold_latency(const PlatformSpec& spec, std::uint64_t) {
  const MachineTimes times(spec);
  return times.around_l1() + times.memory_line();
}

double lines_per_cycle_to_bytes(const PlatformSpec& spec, double lines) {
  return lines * spec.l1.line;
}

/// Lines per cycle that the crossbars and the L2 let through from or to `sms` SMs; each line crosses once.
double l2_line_rate(const PlatformSpec& spec, double sms) {
  const MachineTimes times(spec);
  const double ports = std::min<double>(sms, spec.memory.partitions) / times.port_time(spec.l1.line);
  const double lookups = static_cast<double>(spec.l2.ports) * spec.memory.partitions / times.l2_cycle();
  const double banks = static_cast<double>(spec.l2.banks) * spec.memory.partitions /
                       (static_cast<double>(spec.l2.bank_busy) * times.l2_cycle());
  return std::min({ports, lookups, banks});
}

/// Lines per cycle out of DRAM: its data bus, and the misses that the L2 can have under way (Little's law).
double memory_line_rate(const PlatformSpec& spec) {
  const MachineTimes times(spec);
  const double bus = static_cast<double>(spec.dram.bus) / times.dram_cycle() / spec.l2.line;
  const double misses = std::min({spec.l2.mshr_entries, spec.l2.memory_queue, spec.dram.queue});
  return spec.memory.partitions * std::min(bus, misses / times.memory_line());
}

/// Lines per cycle that SMs ask for when each can have `most` lines under way, and its warps ask for `wanted`.
double asked_line_rate(const PlatformSpec& spec, std::uint64_t ctas, double most, double latency) {
  const double wanted = static_cast<double>(ctas) * cta_threads / 32 * loads_in_flight * warp_access / spec.l1.line;
  const double sms = MachineTimes(spec).sms(ctas);
  return std::min(wanted, sms * most) / latency;
}

double uncached_bandwidth(const PlatformSpec& spec, std::uint64_t ctas, bool in_l2) {
  const MachineTimes times(spec);
  const double latency = times.around_l1() + (in_l2 ? 0 : times.memory_line());
  const double asked = asked_line_rate(spec, ctas, spec.l1.handles, latency);
  const double served = l2_line_rate(spec, times.sms(ctas));
  return lines_per_cycle_to_bytes(spec, std::min({asked, served, in_l2 ? served : memory_line_rate(spec)}));
}

double l1_bandwidth(const PlatformSpec& spec, std::uint64_t ctas) {
  const MachineTimes times(spec);
  const auto ctas_per_sm = (ctas + spec.sms - 1) / spec.sms;
  if (!times.fits_l1(l1_part * std::min<std::uint64_t>(ctas_per_sm, spec.sm.max_ctas))) {
    const double latency = times.through_l1() + times.memory_line();
    return lines_per_cycle_to_bytes(spec, std::min({asked_line_rate(spec, ctas, spec.l1.mshr_entries, latency),
                                                    l2_line_rate(spec, times.sms(ctas)), memory_line_rate(spec)}));
  }
  // A pass of a warp: 4 loads, of which each sends 4 lines to the L1, and 24 arithmetic instructions; a chain of 3
  // address and loop instructions, the load, 4 additions that wait for each other, and the branches of both loops.
  const models::SmSpec& sm = spec.sm;
  const double arithmetic_rate = std::min<double>(
      sm.schedulers * sm.issue_width, static_cast<double>(sm.units.sp.count) * sm.units.sp.lanes / sm.warp_size);
  const double bytes = loads_in_flight * warp_access;
  const double busy = std::max(bytes / spec.l1.line / spec.l1.ports, 24 / arithmetic_rate);
  const double pass = times.l1_hit() + bytes / spec.l1.line + (1 + 4 + 2) * sm.units.integer.latency +
                      2 * sm.units.control_flow.latency;
  const double warps = static_cast<double>(ctas) * cta_threads / 32;
  const double warm = std::min(times.sms(ctas) * bytes / busy, warps * bytes / pass);
  const double cold =
      lines_per_cycle_to_bytes(spec, std::min(l2_line_rate(spec, times.sms(ctas)), memory_line_rate(spec)));
  return l1_passes / (l1_passes / warm + 1 / cold);  // the first pass fills the L1 from memory
}

double l2_bandwidth(const PlatformSpec& spec, std::uint64_t ctas) {
  return uncached_bandwidth(spec, ctas, MachineTimes(spec).fits_l2(l2_part));
}

double memory_bandwidth(const PlatformSpec& spec, std::uint64_t ctas) {
  return uncached_bandwidth(spec, ctas, false);
}

double write_bandwidth(const PlatformSpec& spec, std::uint64_t ctas) {
  const MachineTimes times(spec);
  const double handles = times.sms(ctas) * spec.l1.handles / times.acknowledged(spec.l1.line);
  return lines_per_cycle_to_bytes(spec, std::min(handles, l2_line_rate(spec, times.sms(ctas))));
}

double cta_fence(const PlatformSpec& spec, std::uint64_t) {
  return 1.0 + spec.sm.units.synchronise.latency;
}

double fence(const PlatformSpec& spec, std::uint64_t stores) {
  const double alone = cta_fence(spec, stores);
  if (stores == 0) return alone;
  // From the last store to the fence: the address, the count, its test and the branch.
  const double loop = 2.0 + 2.0 * spec.sm.units.integer.latency + spec.sm.units.control_flow.latency;
  return std::max(alone, MachineTimes(spec).acknowledged(spec.l1.line) - loop + spec.sm.units.synchronise.latency);
}

}  // namespace

std::vector<Prediction> memory_predictions() {
  constexpr std::string_view fence_text =
      "synchronise.latency + 1; after a store, what is left of its way to the L2 and back when the loop has ended";
  return {
      {"latency.shared", shared_latency, "shared.latency"},
      {"latency.ca", cached_latency,
       "set in the L1: address_latency + l1.hit_latency + return_latency; in the L2: l1.send_latency, both networks, "
       "l2.latency and the same; else and a line of DRAM"},
      {"latency.cg", uncached_latency,
       "address_latency + l1.send_latency + network(header) + l2.latency + network(header + sector) + 1 + "
       "return_latency; a set beyond the L2: and a line of DRAM"},
      {"latency.cold", cold_latency,
       "latency.cg of the L2 + dram.minimum_latency + tRCD + tCCDL for each further burst of the line"},
      {"bandwidth.l1", l1_bandwidth,
       "least of: lines at l1.ports; the arithmetic of the loop; a pass per its latency; the first of 32 passes at the "
       "rate of the memory. Where the parts do not fit the L1: "
       "misses under way (l1.mshr_entries, l2.mshr_entries) per latency"},
      {"bandwidth.l2", l2_bandwidth,
       "least of: SM ports and partition ports (flits of header + line), l2.ports, l2.banks / bank_busy, loads under "
       "way per "
       "latency"},
      {"bandwidth.memory", memory_bandwidth,
       "as bandwidth.l2, and dram.bus, and misses under way (l2.mshr_entries, memory_queue, dram.queue) per DRAM time"},
      {"bandwidth.write", write_bandwidth,
       "least of: ports (flits of header + line), l2.ports and banks, l1.handles per way to the L2 and back"},
      {"fence_cta", cta_fence, "synchronise.latency + 1: the L1 orders what its SM sees"},
      {"fence_gl", fence, fence_text},
      {"fence_sys", fence, fence_text},
  };
}

}  // namespace syncline::platform
