#include "platform/report/report_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "isa/ptx/printer.h"
#include "platform/observe/statistics_csv.h"
#include "platform/observe/statistics_json.h"
#include "platform/report/roofline.h"

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

// What a table or a heat map shows at once.
constexpr std::size_t most_lines = 32, most_instructions = 40;

/// For pictures; six digits are more than they show, and shorter.
double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double unit = std::pow(10, 5 - std::floor(std::log10(std::fabs(value))));
  return std::round(value * unit) / unit;
}

Json configuration(const Settings& settings) {
  Json all = Json::array();
  for (const Setting& one : settings) {
    if (one.path == "host.threads") continue;  // reports of the same results are the same
    Json entry{{"key", one.path}, {"value", one.value}, {"meaning", one.description}};
    if (!one.is_default) entry["set"] = true;
    if (!one.source.empty()) entry["source"] = one.source;
    all.push_back(std::move(entry));
  }
  return all;
}

Json kernels(const KernelLog& log) {
  Json all = Json::array();
  for (const KernelRecord& kernel : log.kernels()) {
    Json entry = kernel_json(kernel);
    double instructions = 0;
    for (const StatisticGain& gain : kernel.gains) {
      if (gain.statistic->name == "warp_instructions") instructions += gain.value;
    }
    entry["warp_instructions"] = instructions;
    all.push_back(std::move(entry));
  }
  return all;
}

/// Issue slots of SMs: a row for each SM, with what issued and what was lost for each reason.
class Stalls {
 public:
  explicit Stalls(const base::StatisticsRegistry& statistics) {
    for (const base::Statistic* const one : statistics.sorted()) {
      if (one->name == "warp_instructions") places_.emplace(one->block, places_.size());
    }
    reasons_.emplace("issued", 0);
    for (const base::Statistic* const one : statistics.sorted()) {
      const std::string reason = reason_of(*one);
      if (!reason.empty()) reasons_.emplace(reason, reasons_.size());
    }
  }

  Json of_run(const base::StatisticsRegistry& statistics) const {
    Rows rows = empty();
    for (const base::Statistic* const one : statistics.sorted()) {
      if (one->counter != nullptr) add(rows, *one, static_cast<double>(one->counter->value()));
    }
    return rows;
  }
  Json of_kernel(const KernelRecord& kernel) const {
    Rows rows = empty();
    for (const StatisticGain& gain : kernel.gains) add(rows, *gain.statistic, gain.value);
    return rows;
  }
  Json blocks() const { return names(places_); }
  Json reasons() const { return names(reasons_); }

 private:
  using Rows = std::vector<std::vector<double>>;
  using Numbers = std::map<std::string, std::size_t, std::less<>>;
  static Json names(const Numbers& numbers) {
    std::vector<std::string> names(numbers.size());
    for (const auto& [name, number] : numbers) names[number] = name;
    return names;
  }
  Rows empty() const { return Rows(places_.size(), std::vector<double>(reasons_.size())); }
  /// Of an SM's statistic; empty: it is no part of the account.
  std::string reason_of(const base::Statistic& one) const {
    if (places_.count(one.block) == 0 || one.counter == nullptr) return {};
    if (one.name == "warp_instructions") return "issued";
    return std::string(one.name.rfind("stall_", 0) == 0 ? one.name.substr(6) : std::string_view());
  }
  void add(Rows& rows, const base::Statistic& one, double value) const {
    const std::string reason = reason_of(one);
    if (!reason.empty()) rows[places_.find(one.block)->second][reasons_.at(reason)] += value;
  }

  Numbers places_, reasons_;  ///< by name: place in a row of rows, and in a row
};

Json stalls(const ReportSources& from) {
  const Stalls account(from.statistics);
  Json by_kernel = Json::array();
  for (const KernelRecord& kernel : from.kernels.kernels()) by_kernel.push_back(account.of_kernel(kernel));
  return {{"blocks", account.blocks()},
          {"reasons", account.reasons()},
          {"run", account.of_run(from.statistics)},
          {"kernels", std::move(by_kernel)}};
}

Json course(const Course& course) {
  Json columns = Json::array(), samples = Json::array();
  for (const base::Statistic* const one : course.columns().statistics())
    columns.push_back({{"block", one->block}, {"name", one->name}});
  for (const Course::Sample& sample : course.samples()) {
    Json values = Json::array();
    for (const double value : sample.values) values.push_back(rounded(value));
    samples.push_back({sample.from, sample.to, sample.kernels, std::move(values)});
  }
  return {{"columns", std::move(columns)}, {"samples", std::move(samples)}};
}

/// A statistic of all blocks of a kind together.
struct Together {
  const base::Statistic* first = nullptr;
  std::string block;  ///< kind of block
  double value = 0;   ///< of distributions the sum of the samples
  std::uint64_t blocks = 0, count = 0, max = 0;
  std::map<std::uint64_t, std::uint64_t> histogram;  ///< by upper bound
};

std::vector<Together> put_together(const base::StatisticsRegistry& statistics) {
  std::map<std::pair<std::string, std::string>, Together> all;
  for (const base::Statistic* const one : statistics.sorted()) {
    const std::string block = split_block_name(one->block).kind;
    Together& together = all[{block, std::string(one->name)}];
    together.first = one;
    together.block = block;
    ++together.blocks;
    if (one->counter != nullptr) together.value += static_cast<double>(one->counter->value());
    if (one->gauge) together.value += one->gauge();
    if (one->distribution == nullptr) continue;
    const base::Distribution& d = *one->distribution;
    together.value += static_cast<double>(d.sum());
    together.count += d.count();
    together.max = std::max(together.max, d.max());
    for (unsigned i = 0; i < d.buckets().size(); ++i) {
      if (d.buckets()[i] != 0) together.histogram[base::Distribution::upper_bound(i)] += d.buckets()[i];
    }
  }
  std::vector<Together> list;
  list.reserve(all.size());
  for (auto& [place, together] : all) list.push_back(std::move(together));
  return list;
}

bool is_time(const Together& one) {
  const std::string_view name = one.first->name;
  return one.count != 0 && (name.find("latency") != std::string::npos || name.find("queueing") != std::string::npos);
}

Json latencies(const std::vector<Together>& statistics) {
  Json all = Json::array();
  for (const Together& one : statistics) {
    if (!is_time(one)) continue;
    Json histogram = Json::array();
    for (const auto& [upper, samples] : one.histogram) histogram.push_back({upper, samples});
    all.push_back({{"block", one.block},
                   {"name", one.first->name},
                   {"unit", one.first->unit},
                   {"description", one.first->description},
                   {"count", one.count},
                   {"mean", rounded(one.value / static_cast<double>(one.count))},
                   {"max", one.max},
                   {"histogram", std::move(histogram)}});
  }
  return all;
}

/// The sum of the waits of a level is its latency; "waits" has them in the order of an access's way.
Json access_times(const ReportSources& from) {
  Json all = Json::array(), in_order = Json::array();
  for (std::size_t wait = 0; wait < waits; ++wait) in_order.push_back(name(static_cast<Wait>(wait)));
  for (const auto& [gpu, by_level] : from.level_times.gpus()) {
    for (std::size_t level = 0; level < levels; ++level) {
      const LevelTimes::Sum& sum = by_level[level];
      if (sum.accesses == 0) continue;
      Json by_wait = Json::object();
      for (std::size_t wait = 0; wait < waits; ++wait) {
        if (sum.by_wait_ps[wait] != 0) by_wait[std::string(name(static_cast<Wait>(wait)))] = sum.by_wait_ps[wait];
      }
      all.push_back({{"gpu", gpu},
                     {"level", name(static_cast<Level>(level))},
                     {"accesses", sum.accesses},
                     {"latency_ps", sum.latency_ps},
                     {"waits_ps", std::move(by_wait)}});
    }
  }
  return {{"core_hz", from.core_hz}, {"waits", std::move(in_order)}, {"levels", std::move(all)}};
}

/// Whether it is the policy's doing: transitions and messages of caches, what gates hold back, and all of a block that
/// only some policies bring.
bool is_policy(const Together& one) {
  static const std::set<std::string> usual{"distributor", "down",    "up", "part_atomic_unit",
                                           "part_dram",   "part_l2", "sm", "sm_l1"};
  const std::string block = one.block.substr(one.block.rfind('.') + 1);
  const auto begins = [&one](const char* with) { return one.first->name.rfind(with, 0) == 0; };
  const bool is_transition = begins("row_") && one.first->unit == "times";  // a DRAM has rows of another kind
  return usual.count(block) == 0 || is_transition || begins("sent_") || begins("held_") || begins("stall_gate_");
}

Json statistics(const std::vector<Together>& all) {
  Json list = Json::array();
  for (const Together& one : all) {
    if (one.value == 0 && one.count == 0) continue;
    Json entry{{"block", one.block},          {"name", one.first->name}, {"unit", one.first->unit},
               {"value", rounded(one.value)}, {"blocks", one.blocks},    {"description", one.first->description}};
    if (one.first->distribution != nullptr) entry["count"] = one.count;
    if (one.first->unit == "ratio") entry["value"] = rounded(one.value / static_cast<double>(one.blocks));  // the mean
    if (is_policy(one)) entry["policy"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

Json traffic(const ReportSources& from) {
  Json ways = Json::array();
  for (const Traffic::Way& way : from.traffic.ways())
    ways.push_back({{"from", way.source},
                    {"to", way.destination},
                    {"class", from.traffic_names[way.traffic]},
                    {"messages", way.sum.messages},
                    {"flits", way.sum.flits},
                    {"bytes", way.sum.bytes}});
  return ways;
}

/// "file.ptx:12", and the instruction there.
Json place(const PtxPlace& at) {
  const isa::Op& op = at.program->op(at.pc);
  const isa::Instruction* const instruction = at.program->instruction(op);
  const isa::Function& function = at.program->function(op);
  return {
      {"place", at.program->location(op)},
      {"text", instruction == nullptr ? "end of body" : isa::to_string(at.program->module(), function, *instruction)},
      {"kernel", at.program->kernel().name}};
}

Json lines(const Contention& contention) {
  Json all = Json::array();
  for (const LineWaits& line : contention.lines(most_lines)) {
    const auto waiter = std::max_element(line.waiting_at.begin(), line.waiting_at.end(),
                                         [](const auto& a, const auto& b) { return a.second < b.second; });
    all.push_back({{"line", fmt::format("{:#x}", line.line)},
                   {"loads", line.loads},
                   {"stores", line.stores},
                   {"atomics", line.atomics},
                   {"waited", line.waited},
                   {"longest", line.longest},
                   {"by_sm", line.waited_by},
                   {"waiter", place(contention.place(waiter->first))}});
  }
  return all;
}

Json instructions(const Contention& contention) {
  Json all = Json::array();
  for (const InstructionUse& use : contention.instructions(most_instructions)) {
    Json entry = place(use.place);
    entry["issued"] = use.issued;
    entry["threads"] = use.threads;
    entry["stood"] = use.stood;
    entry["memory_cycles"] = use.memory_cycles;
    all.push_back(std::move(entry));
  }
  return all;
}

}  // namespace

Json report_model(const ReportSources& from) {
  const std::vector<Together> together = put_together(from.statistics);
  return {{"schema", 1},
          {"provenance", from.provenance},
          {"configuration", configuration(from.settings)},
          {"result", from.result},
          {"kernels", kernels(from.kernels)},
          {"stalls", stalls(from)},
          {"course", course(from.course)},
          {"roofline", roofline_json(from.spec, from.statistics, from.kernels.kernels())},
          {"latencies", latencies(together)},
          {"access_times", access_times(from)},
          {"traffic", traffic(from)},
          {"lines", lines(from.contention)},
          {"instructions", instructions(from.contention)},
          {"statistics", statistics(together)}};
}

}  // namespace syncline::platform
