#include "platform/observe/latency_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "base/error.h"

namespace syncline::platform {
namespace {

using Json = nlohmann::ordered_json;

std::uint64_t end_of(const std::vector<Span>& spans, std::size_t i, std::uint64_t done_ps) {
  return i + 1 == spans.size() ? done_ps : spans[i + 1].from_ps;
}

}  // namespace

LatencyReport::LatencyReport(AccessTimes& times, const LatencyQuestions& questions, unsigned line_bytes, double core_hz,
                             Where where)
    : questions_(questions),
      line_(questions.line ? std::optional<AskedLine>({*questions.line, line_bytes}) : std::nullopt),
      core_hz_(core_hz),
      where_(std::move(where)) {
  times.subscribe([this](const AccessTime& time) { hear(time); });
}

void LatencyReport::add_to(base::StatisticsRegistry& statistics) const {
  for (std::size_t kind = 0; kind < access_kinds; ++kind) {
    for (std::size_t level = 0; level < levels; ++level) {
      const std::string kind_name(name(static_cast<AccessKind>(kind))), level_name(name(static_cast<Level>(level)));
      statistics.add("latency." + kind_name, level_name, "cycles",
                     fmt::format("{} accesses of which the farthest place was: {}", kind_name, level_name),
                     sums_[kind].cycles[level]);
    }
  }
}

void LatencyReport::hear(const AccessTime& time) {
  ++accesses_;
  Sum& sum = sums_[static_cast<std::size_t>(time.kind)];
  ++sum.accesses;
  sum.latency_ps += time.latency_ps();
  const auto by_wait = time.by_wait();
  for (std::size_t wait = 0; wait < waits; ++wait) sum.by_wait_ps[wait] += by_wait[wait];
  sum.cycles[static_cast<std::size_t>(time.level)].sample(
      static_cast<std::uint64_t>(std::llround(cycles(time.latency_ps()))));
  const bool is_of_line = line_ && line_->meets(time.line.value());
  of_line_ += is_of_line;
  if (is_of_line || questions_.access == time.number) keep(time);
}

void LatencyReport::keep(const AccessTime& time) {
  explained_.push_back({time.number, time.line.value(), time.issued_ps, time.done_ps, time.kind, time.level, time.warp,
                        where_(time.warp.grid, time.pc), time.spans});
  const auto asked_for = [this](const Explained& one) { return questions_.access == one.number; };
  const auto of_line =
      std::count_if(explained_.begin(), explained_.end(), [&](const auto& e) { return !asked_for(e); });
  if (static_cast<std::size_t>(of_line) <= kept) return;
  const auto fastest =
      std::min_element(explained_.begin(), explained_.end(), [&](const Explained& a, const Explained& b) {
        if (asked_for(a) != asked_for(b)) return asked_for(b);
        return a.latency_ps() < b.latency_ps();
      });
  explained_.erase(fastest);
}

void LatencyReport::check_answers() const {
  if (questions_.access && (*questions_.access == 0 || *questions_.access > accesses_))
    throw base::UserError(fmt::format("--explain-access {}: the run made {} accesses, which are numbered from 1",
                                      *questions_.access, accesses_));
  if (!line_ || line_->was_met()) return;
  throw base::UserError(fmt::format("--explain-line {:#x}: no access of the run was to the line at {:#x}{}",
                                    *questions_.line, line_->address(), line_->nearest("was accessed")));
}

std::string LatencyReport::text() const {
  std::string text = table();
  if (line_) {
    text += fmt::format("{} accesses to the line at {:#x}", of_line_, line_->address());
    text += of_line_ > kept ? fmt::format("; the {} slowest:\n", kept) : ":\n";
  }
  for (const Explained& one : explained_) text += explain(one);
  return text;
}

std::string LatencyReport::table() const {
  std::vector<std::size_t> columns;
  for (std::size_t kind = 0; kind < access_kinds; ++kind) {
    if (sums_[kind].accesses != 0) columns.push_back(kind);
  }
  std::string text = fmt::format("{:<18}", "mean cycles");
  for (const std::size_t kind : columns) text += fmt::format("{:>12}", name(static_cast<AccessKind>(kind)));
  const auto row = [&](std::string_view title, const auto& value_of) {
    text += fmt::format("\n  {:<16}", title);
    for (const std::size_t kind : columns) text += fmt::format("{:>12}", value_of(sums_[kind]));
  };
  const auto mean = [this](const Sum& sum, std::uint64_t ps) {
    return fmt::format("{:.1f}", cycles(ps) / static_cast<double>(sum.accesses));
  };
  row("accesses", [](const Sum& sum) { return std::to_string(sum.accesses); });
  row("latency", [&](const Sum& sum) { return mean(sum, sum.latency_ps); });
  for (std::size_t wait = 0; wait < waits; ++wait) {
    if (std::all_of(sums_.begin(), sums_.end(), [wait](const Sum& sum) { return sum.by_wait_ps[wait] == 0; })) continue;
    row(name(static_cast<Wait>(wait)), [&](const Sum& sum) { return mean(sum, sum.by_wait_ps[wait]); });
  }
  return text + "\n";
}

std::string LatencyReport::explain(const Explained& one) const {
  std::string text = fmt::format(
      "access {}: {} of line {:#x} by SM {} warp slot {}, {:.1f} cycles from cycle {:.0f} on, as far as: {}\n  {}\n",
      one.number, name(one.kind), one.line, one.warp.sm.value(), one.warp.slot, cycles(one.latency_ps()),
      cycles(one.issued_ps), name(one.level), one.where);
  for (std::size_t i = 0; i < one.spans.size(); ++i) {
    const std::uint64_t until = end_of(one.spans, i, one.done_ps);
    text += fmt::format("  {:>10.1f}  {}\n", cycles(until - one.spans[i].from_ps), name(one.spans[i].wait));
  }
  return text;
}

void LatencyReport::write(std::ostream& out) const {
  Json kinds = Json::object();
  for (std::size_t kind = 0; kind < access_kinds; ++kind) {
    const Sum& sum = sums_[kind];
    if (sum.accesses == 0) continue;
    Json by_wait = Json::object(), by_level = Json::object();
    for (std::size_t wait = 0; wait < waits; ++wait) {
      if (sum.by_wait_ps[wait] != 0) by_wait[std::string(name(static_cast<Wait>(wait)))] = sum.by_wait_ps[wait];
    }
    for (std::size_t level = 0; level < levels; ++level) {
      const base::Distribution& d = sum.cycles[level];
      if (d.count() == 0) continue;
      by_level[std::string(name(static_cast<Level>(level)))] = {
          {"accesses", d.count()}, {"mean_cycles", d.mean()}, {"min_cycles", d.min()}, {"max_cycles", d.max()}};
    }
    kinds[std::string(name(static_cast<AccessKind>(kind)))] = {
        {"accesses", sum.accesses}, {"latency_ps", sum.latency_ps}, {"waits_ps", by_wait}, {"levels", by_level}};
  }
  Json explained = Json::array();
  for (const Explained& one : explained_) {
    Json spans = Json::array();
    for (std::size_t i = 0; i < one.spans.size(); ++i) {
      spans.push_back({{"wait", name(one.spans[i].wait)},
                       {"from_ps", one.spans[i].from_ps},
                       {"ps", end_of(one.spans, i, one.done_ps) - one.spans[i].from_ps}});
    }
    explained.push_back({{"access", one.number},
                         {"kind", name(one.kind)},
                         {"level", name(one.level)},
                         {"line", one.line},
                         {"sm", one.warp.sm.value()},
                         {"warp_slot", one.warp.slot},
                         {"where", one.where},
                         {"issued_ps", one.issued_ps},
                         {"latency_ps", one.latency_ps()},
                         {"waits", spans}});
  }
  out << Json{{"schema", 1}, {"core_hz", core_hz_}, {"kinds", kinds}, {"explained", explained}}.dump(1) << "\n";
}

}  // namespace syncline::platform
