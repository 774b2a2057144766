#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "platform/stress/stress.h"

namespace syncline::stress {
namespace {

std::string machine_text(const MemorySystemSpec& m) {
  const auto cache = [](unsigned size, unsigned ways) { return fmt::format("{} lines ({} ways)", size / 128, ways); };
  return fmt::format(
      "{} L1s of {}, {} miss registers; {} L2s of {}, {} miss registers; networks up to {} ns, memory up to {} ns",
      m.l1s, cache(m.l1.size, m.l1.ways), m.l1.mshr_entries, m.slices, cache(m.l2.size, m.l2.ways), m.l2.mshr_entries,
      static_cast<double>(m.max_network_delay_ps) / 1000, static_cast<double>(m.max_memory_delay_ps) / 1000);
}

/// Runs of the shrunk program up to the one that fails, when nothing else has to run before.
std::size_t runs(const Shrunk& shrunk) {
  return shrunk.batch.episodes.size();
}

std::size_t rows(const StressReport& report) {
  return report.rows;
}

}  // namespace

void print_text(std::ostream& out, const StressReport& report) {
  if (report.failure) {
    const StressReport::Failure& f = *report.failure;
    const Episode& program = f.shrunk.program();
    out << fmt::format("FAILED in batch {} of seed {}: {}\n", f.batch, report.seed, f.found);
    out << fmt::format("shrunk to {} operations ({}, {} trials), which fail in run {} of:\n{}{}\n",
                       program.operations(), name(program.kind), f.shrunk.trials, runs(f.shrunk), text_of(program),
                       f.shrunk.failure.what);
    out << fmt::format("machine: {}\n", machine_text(f.shrunk.batch.machine));
    const std::string check = check_program(program);
    if (!check.empty()) out << fmt::format("explore: syncline check {} --program '{}'\n", report.policy, check);
    out << fmt::format("again: syncline stress {} --seed {} --replay {}, with the same options\n", report.policy,
                       report.seed, f.batch);
  }
  out << fmt::format(
      "{} ({}): seed {}, {} batches, {} episodes, {} operations, {:.1f} s ({:.0f} operations a second), "
      "{} of {} rows taken: {}\n",
      report.policy, protocols::name(report.promised), report.seed, report.batches, report.episodes, report.operations,
      report.seconds, report.seconds > 0 ? static_cast<double>(report.operations) / report.seconds : 0.0,
      rows(report) - report.rows_not_taken.size(), rows(report), report.failure ? "a violation" : "no violation");
}

void print_json(std::ostream& out, const StressReport& report) {
  nlohmann::ordered_json json{{"policy", report.policy},
                              {"promised", protocols::name(report.promised)},
                              {"seed", report.seed},
                              {"batches", report.batches},
                              {"episodes", report.episodes},
                              {"operations", report.operations},
                              {"seconds", report.seconds},
                              {"rows", rows(report)},
                              {"rows_not_taken", report.rows_not_taken},
                              {"passed", !report.failure}};
  if (report.failure) {
    const StressReport::Failure& f = *report.failure;
    json["failure"] = {{"batch", f.batch},
                       {"found", f.found},
                       {"machine", machine_text(f.shrunk.batch.machine)},
                       {"kind", name(f.shrunk.program().kind)},
                       {"operations", f.shrunk.program().operations()},
                       {"runs", runs(f.shrunk)},
                       {"trials", f.shrunk.trials},
                       {"program", text_of(f.shrunk.program())},
                       {"check_program", check_program(f.shrunk.program())},
                       {"what", f.shrunk.failure.what}};
  }
  out << json.dump(2) << '\n';
}

}  // namespace syncline::stress
