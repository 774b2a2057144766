#include "platform/report/roofline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/observe/statistics_csv.h"
#include "platform/spec/issue_slots.h"

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

enum Roof : std::size_t { dram, down, up, roofs_of_memory };
constexpr std::array<const char*, roofs_of_memory> level_names{"DRAM", "crossbar down", "crossbar up"};

/// Of a run or a kernel.
struct Work {
  double instructions = 0, cycles = 0;
  std::array<double, roofs_of_memory> bytes{};

  void add(const base::Statistic& one, double value) {
    const std::string kind = split_block_name(one.block).kind;
    const std::string block = kind.substr(kind.rfind('.') + 1);
    if (one.name == "warp_instructions") instructions += value;
    if (block == "part_dram" && (one.name == "read_bytes" || one.name == "written_bytes")) bytes[dram] += value;
    if (block == "down" && one.name.rfind("bytes_", 0) == 0) bytes[down] += value;
    if (block == "up" && one.name.rfind("bytes_", 0) == 0) bytes[up] += value;
  }
};

void add_points(Json& points, const Work& work, const Json& kernel) {
  for (std::size_t level = 0; level < roofs_of_memory; ++level) {
    if (work.bytes[level] == 0 || work.cycles == 0 || work.instructions == 0) continue;
    points.push_back({{"level", level_names[level]},
                      {"kernel", kernel},
                      {"per_byte", work.instructions / work.bytes[level]},
                      {"ipc", work.instructions / work.cycles}});
  }
}

Json roofs(const PlatformSpec& spec) {
  const auto per_core_cycle = [&spec](double bytes, std::uint64_t clock) {
    return bytes * static_cast<double>(clock) / static_cast<double>(spec.clocks.core);
  };
  const unsigned partitions = spec.memory.partitions;
  const auto crossbar = [&](unsigned ports, const char* of) {
    return fmt::format("{} ports of {} x crossbar.bandwidth ({} B) x clocks.interconnect", ports, of,
                       spec.crossbar.bandwidth);
  };
  const unsigned ports = std::min<unsigned>(spec.sms, partitions);  // the narrower side
  const char* const side = spec.sms < partitions ? "SMs" : "partitions";
  Json roofs = Json::array();
  roofs.push_back(
      {{"level", level_names[dram]},
       {"bytes_per_cycle", per_core_cycle(double{1} * partitions * spec.dram.bus, spec.dram.clock)},
       {"meaning", fmt::format("memory.partitions ({}) x dram.bus ({} B) x dram.clock", partitions, spec.dram.bus)}});
  for (const Roof level : {down, up})
    roofs.push_back(
        {{"level", level_names[level]},
         {"bytes_per_cycle", per_core_cycle(double{1} * ports * spec.crossbar.bandwidth, spec.clocks.interconnect)},
         {"meaning", crossbar(ports, side)}});
  return roofs;
}

std::string peak_meaning(const PlatformSpec& spec) {
  const models::SmSpec& first = spec.sm_of(0);
  for (unsigned i = 1; i < spec.sms; ++i) {
    const models::SmSpec& sm = spec.sm_of(i);
    if (sm.schedulers != first.schedulers || sm.issue_width != first.issue_width)
      return fmt::format("sm.schedulers x sm.issue_width, summed over the {} SMs, which differ", spec.sms);
  }
  return fmt::format("sms ({}) x sm.schedulers ({}) x sm.issue_width ({})", spec.sms, first.schedulers,
                     first.issue_width);
}

}  // namespace

Json roofline_json(const PlatformSpec& spec, const base::StatisticsRegistry& statistics,
                   const std::vector<KernelRecord>& kernels) {
  Json points = Json::array();
  Work run;
  for (const base::Statistic* const one : statistics.sorted()) {
    if (one->counter != nullptr) run.add(*one, static_cast<double>(one->counter->value()));
  }
  base::Cycle busy_until = 0;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    Work work;
    for (const StatisticGain& gain : kernels[i].gains) {
      if (gain.statistic->counter != nullptr) work.add(*gain.statistic, gain.value);
    }
    work.cycles = static_cast<double>(kernels[i].cycles());
    add_points(points, work, i);
    // Cycles in which any kernel runs; they are in the order of their beginnings.
    const base::Cycle from = std::max(busy_until, kernels[i].began);
    if (kernels[i].ended > from) run.cycles += static_cast<double>(kernels[i].ended - from);
    busy_until = std::max(busy_until, kernels[i].ended);
  }
  add_points(points, run, nullptr);
  return {{"peak", issue_slots(spec)},
          {"peak_meaning", peak_meaning(spec)},
          {"roofs", roofs(spec)},
          {"points", std::move(points)}};
}

}  // namespace syncline::platform
