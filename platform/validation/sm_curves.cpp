// What an SM does without memory, and launches.
#include <algorithm>
#include <set>

#include "platform/validation/curves.h"
#include "platform/validation/machine_times.h"

namespace syncline::platform {
namespace {

using models::OperationSpec;
using models::PipeSpec;

/// Warp instructions per cycle that a kind of pipelines takes.
double rate(const PlatformSpec& spec, const PipeSpec& pipe, double interval = 1) {
  const double passes = std::ceil(static_cast<double>(spec.sm.warp_size) / pipe.lanes) * interval;
  return pipe.count / passes;
}

double issue_rate(const PlatformSpec& spec, double warps) {
  return std::min<double>(warps, spec.sm.schedulers) * spec.sm.issue_width;
}

double bank_conflicts(const PlatformSpec& spec, std::uint64_t stride) {
  const models::SharedMemorySpec& shared = spec.sm.shared;
  std::vector<std::set<std::uint64_t>> words(shared.banks);
  for (std::uint64_t lane = 0; lane < spec.sm.warp_size; ++lane) {
    const std::uint64_t word = (lane * stride % 1024) * 4 / shared.bank_width;
    words[word % shared.banks].insert(word);
  }
  std::size_t passes = 0;
  for (const auto& bank : words) passes = std::max(passes, bank.size());
  return static_cast<double>(passes) / rate(spec, spec.sm.units.ldst);
}

/// A round of the microbenchmark `divergence` in which a warp takes `taken` paths and skips `skipped`.
double paths(const PlatformSpec& spec, double taken, double skipped) {
  constexpr double rounds = 8;  // over which the remainder at the beginning, that all wait for, is shared
  const double integer = spec.sm.units.integer.latency, branch = spec.sm.units.control_flow.latency;
  const double path = 18 * integer + 2 * branch + 1;  // test, branch, 16 additions, count, test, branch
  const double skip = 3 * integer + 2 * branch;
  const double around = 3 * integer + branch;
  return taken * path + skipped * skip + around + spec.sm.units.integer_div.latency / rounds;
}

double lanes_part(const PlatformSpec& spec, std::uint64_t ways) {
  return paths(spec, static_cast<double>(ways), 0);
}

double warps_part(const PlatformSpec& spec, std::uint64_t ways) {
  return paths(spec, 1, static_cast<double>(ways) - 1);
}

double barrier(const PlatformSpec& spec, std::uint64_t threads) {
  const double warps = std::ceil(static_cast<double>(threads) / spec.sm.warp_size);
  const models::UnitsSpec& units = spec.sm.units;
  const double arrivals = std::min(rate(spec, units.control), issue_rate(spec, warps));
  const double one = spec.sm.barrier_latency + std::ceil(warps / arrivals) - 1;
  // Behind four barriers a loop counts: an addition, a test, a branch of each warp.
  const double arithmetic = std::min(rate(spec, units.sp), issue_rate(spec, warps));
  const double loop = std::max<double>(units.integer.latency, std::ceil(2 * warps / arithmetic) - 1) +
                      units.integer.latency + units.control_flow.latency;
  return one + loop / 4;
}

double launch(const PlatformSpec& spec, std::uint64_t ctas) {
  const MachineTimes times(spec);
  const models::UnitsSpec& units = spec.sm.units;
  const double program = 2.0 * units.integer.latency + units.control_flow.latency + units.load_store.latency;
  const double red = times.acknowledged(8) + static_cast<double>(spec.l2.atomic_unit.latency) * times.l2_cycle();
  const double cta = spec.sm.launch_latency + program + red;
  // Behind the first, CTAs come at the rate of placement, of their counter's bank in the L2 or of its line, as many as
  // there are places.
  const double next = std::max({1.0 / spec.work_distributor.ctas_per_cycle,
                                static_cast<double>(spec.l2.bank_busy) * times.l2_cycle(), times.line_held(1)});
  const std::uint64_t places = std::uint64_t{spec.sms} * spec.sm.max_ctas;
  const std::uint64_t waves = (ctas - 1) / places;  // before the last
  const auto last = static_cast<double>(ctas - waves * places);
  return spec.work_distributor.launch_overhead +
         static_cast<double>(waves) * std::max(cta, static_cast<double>(places) * next) + cta + (last - 1) * next;
}

/// A round of the microbenchmark `issue_rate` has 16 instructions of a kind, two of the integer kind and a branch.
double instruction_rate(const PlatformSpec& spec, std::uint64_t warps, const PipeSpec& pipe,
                        const OperationSpec& operation) {
  constexpr double instructions = 16;
  const models::UnitsSpec& units = spec.sm.units;
  const double around = operation.pipe == units.integer.pipe ? 2 : 0;
  const double round = std::max(2.0 * units.integer.latency + units.control_flow.latency, 2.0 * operation.latency + 1);
  const auto present = static_cast<double>(warps);
  return std::min({present * instructions / round,
                   rate(spec, pipe, operation.interval) * instructions / (instructions + around),
                   issue_rate(spec, present) * instructions / (instructions + 3)});
}

double rate_integer(const PlatformSpec& spec, std::uint64_t warps) {
  return instruction_rate(spec, warps, spec.sm.units.sp, spec.sm.units.integer);
}
double rate_multiply(const PlatformSpec& spec, std::uint64_t warps) {
  return instruction_rate(spec, warps, spec.sm.units.sp, spec.sm.units.integer_mul);
}
double rate_single(const PlatformSpec& spec, std::uint64_t warps) {
  return instruction_rate(spec, warps, spec.sm.units.sp, spec.sm.units.single);
}
double rate_double(const PlatformSpec& spec, std::uint64_t warps) {
  return instruction_rate(spec, warps, spec.sm.units.dp, spec.sm.units.double_);
}
double rate_special(const PlatformSpec& spec, std::uint64_t warps) {
  return instruction_rate(spec, warps, spec.sm.units.sfu, spec.sm.units.special);
}

double chain_integer(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.units.integer.latency;
}
double chain_multiply(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.units.integer_mul.latency;
}
double chain_single(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.units.single.latency;
}
double chain_double(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.units.double_.latency;
}
double chain_special(const PlatformSpec& spec, std::uint64_t) {
  return spec.sm.units.special.latency;
}

}  // namespace

std::vector<Prediction> sm_predictions() {
  constexpr std::string_view issue =
      "least of: 16 instructions per round of the loop's latencies and warp, lanes * count / (warp_size * interval), "
      "schedulers * issue_width";
  constexpr std::string_view chain = "units.*.latency of its kind";
  return {
      {"cycles_per_load", bank_conflicts, "most different words in a bank, times warp_size / ldst lanes"},
      {"lanes_part", lanes_part,
       "every path's latency: 18 * integer.latency + 2 * control_flow.latency + 1, and the loop"},
      {"warps_part", warps_part,
       "one path's latency, 3 * integer.latency + 2 * control_flow.latency for each other, and the loop"},
      {"cycles_per_barrier", barrier,
       "barrier_latency + arrivals at the rate of issue + a quarter of the loop behind four"},
      {"cycles_per_launch", launch,
       "launch_overhead + launch_latency + program + red; further CTAs at the slower of ctas_per_cycle and "
       "the counter's bank_busy and atomic unit, in waves of sms * max_ctas"},
      {"rate_add_s32", rate_integer, issue},
      {"rate_mul_s32", rate_multiply, issue},
      {"rate_fma_f32", rate_single, issue},
      {"rate_fma_f64", rate_double, issue},
      {"rate_rsqrt_f32", rate_special, issue},
      {"chain_add_s32", chain_integer, chain},
      {"chain_mul_s32", chain_multiply, chain},
      {"chain_fma_f32", chain_single, chain},
      {"chain_fma_f64", chain_double, chain},
      {"chain_rsqrt_f32", chain_special, chain},
  };
}

}  // namespace syncline::platform
