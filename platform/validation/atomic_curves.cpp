// Throughput of atomics against contention.
#include <algorithm>

#include "platform/validation/curves.h"
#include "platform/validation/machine_times.h"

namespace syncline::platform {
namespace {

// The microbenchmark `atomics`: CTAs of 4 warps, whose lanes make 8 atomics each, 4 of them at a time.
constexpr double warps_per_cta = 4, repeats = 8, in_flight = 4;

enum class Spread { same_address, same_line, line_per_warp, line_per_lane };

/// Operations per cycle of `ctas` CTAs that the machine can sustain.
double peak(const PlatformSpec& spec, std::uint64_t ctas, Spread spread) {
  const MachineTimes times(spec);
  const models::AtomicUnitSpec& unit = spec.l2.atomic_unit;
  const double lanes = spec.sm.warp_size;
  const double per_message = spread == Spread::line_per_lane ? 1 : lanes;
  const double bytes = spread == Spread::same_address ? 8 : spread == Spread::line_per_lane ? 8 : 4 * lanes;
  const double partitions = spread == Spread::same_address || spread == Spread::same_line ? 1 : spec.memory.partitions;
  const double busy = spread == Spread::same_address ? std::ceil(lanes / unit.same_address_rate)
                                                     : std::ceil(per_message / unit.line_rate);
  const double message = partitions == 1 ? times.line_held(busy) : busy * times.l2_cycle();
  const double units = partitions * per_message / message;
  const double ports = std::min(partitions, times.sms(ctas)) * per_message / times.port_time(bytes);
  return std::min(units, ports);
}

double throughput(const PlatformSpec& spec, std::uint64_t ctas, Spread spread, bool waits) {
  const MachineTimes times(spec);
  const double lines = spread == Spread::line_per_lane ? spec.sm.warp_size : 1;
  const double operations = static_cast<double>(ctas) * warps_per_cta * spec.sm.warp_size * repeats;
  const double trip = times.acknowledged(spread == Spread::line_per_lane ? 8 : 4 * spec.sm.warp_size) +
                      static_cast<double>(spec.l2.atomic_unit.latency) * times.l2_cycle();
  const bool fits =
      times.fits_l2(static_cast<std::uint64_t>((spread == Spread::same_address || spread == Spread::same_line
                                                    ? 1.0
                                                    : static_cast<double>(ctas) * warps_per_cta * lines) *
                                               spec.l2.line));
  double sustained = operations / peak(spec, ctas, spread);
  if (!fits) {  // each message fetches its line again
    const double misses =
        spec.memory.partitions * std::min({spec.l2.mshr_entries, spec.l2.memory_queue / 2, spec.dram.queue});
    sustained = std::max(sustained, operations / spec.sm.warp_size * lines * times.memory_line() / misses);
  }
  const double rounds = waits ? repeats / in_flight * trip : 0;
  return operations / (std::max(sustained, rounds) + trip + times.memory_line());
}

/// Of the lanes of each warp, `lanes` share an address; all warps share a line.
double contention(const PlatformSpec& spec, std::uint64_t lanes) {
  constexpr double ctas = 32;
  const MachineTimes times(spec);
  const models::AtomicUnitSpec& unit = spec.l2.atomic_unit;
  const double warp = spec.sm.warp_size;
  const double bytes = 4 * warp / static_cast<double>(lanes);
  const double busy = times.line_held(
      std::max(std::ceil(static_cast<double>(lanes) / unit.same_address_rate), std::ceil(warp / unit.line_rate)));
  const double messages = ctas * warps_per_cta * repeats;
  const double bank = static_cast<double>(spec.l2.bank_busy) * times.l2_cycle();
  const double all = messages * std::max({busy, bank, times.port_time(std::ceil(bytes / 8) * 8)}) +
                     times.acknowledged(bytes) + static_cast<double>(unit.latency) * times.l2_cycle() +
                     times.memory_line();
  return messages * warp / all;
}

template <Spread spread, bool waits>
double curve(const PlatformSpec& spec, std::uint64_t ctas) {
  return throughput(spec, ctas, spread, waits);
}

}  // namespace

std::vector<Prediction> atomic_predictions() {
  constexpr std::string_view one =
      "32 lanes / same_address_rate L2 cycles a warp in one unit, and its latency without forwarding; once the way "
      "there "
      "and back, cold";
  constexpr std::string_view line =
      "least of: line_rate of one unit, less its latency without forwarding, one partition's port (header + 128 B); "
      "once "
      "the way there and back, cold";
  constexpr std::string_view warp =
      "least of: line_rate of all units, ports of SMs and partitions (header + 128 B); once the way there and back, "
      "cold";
  constexpr std::string_view lane =
      "least of: one operation per L2 cycle and unit, a flit per operation at the ports; once the way there and back, "
      "cold";
  constexpr std::string_view lanes =
      "a warp takes the most of lanes / same_address_rate and warp_size / line_rate in one unit, with its latency "
      "without forwarding, its bank, its port "
      "(touched "
      "bytes)";
  return {
      {"atom_add.contention", contention, lanes},
      {"red_add.contention", contention, lanes},
      {"atom_add.same_address", curve<Spread::same_address, true>, one},
      {"atom_add.same_line", curve<Spread::same_line, true>, line},
      {"atom_add.line_per_warp", curve<Spread::line_per_warp, true>, warp},
      {"atom_add.line_per_lane", curve<Spread::line_per_lane, true>, lane},
      {"red_add.same_address", curve<Spread::same_address, false>, one},
      {"red_add.same_line", curve<Spread::same_line, false>, line},
      {"red_add.line_per_warp", curve<Spread::line_per_warp, false>, warp},
      {"red_add.line_per_lane", curve<Spread::line_per_lane, false>, lane},
  };
}

}  // namespace syncline::platform
