#include "platform/litmus/litmus_suite.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "base/readable.h"
#include "consistency/reader.h"
#include "consistency/refusal.h"
#include "platform/litmus/litmus_kernel.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::string& path) {
  std::error_code unknown;
  if (!fs::is_directory(path, unknown)) {
    if (const std::string why = base::why_unreadable(path); !why.empty())
      throw base::UserError("there is no litmus test or folder `" + path + "`; expected the path of either: " + why);
    return {path};
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  }
  if (files.empty()) throw base::UserError("the folder `" + path + "` holds no .litmus file");
  std::sort(files.begin(), files.end());
  return files;
}

LitmusReport judged(const fs::path& file, unsigned unroll, consistency::Promise promise) {
  LitmusReport report;
  report.file = file.string();
  try {
    report.program = consistency::load_litmus(file);
    report.outcomes = consistency::enumerate(*report.program, unroll, promise);
  } catch (const consistency::Refusal& refusal) {
    report.refusal = refusal.what();
    report.construct = refusal.construct();
  } catch (const base::UserError& error) {
    report.refusal = error.what();
    report.construct = "cannot be read";
  }
  return report;
}

/// Counts what was seen of the states that `is_of` takes.
template <class IsOf>
std::uint64_t seen(const LitmusCounts& counts, const IsOf& is_of) {
  std::uint64_t sum = 0;
  for (const auto& [state, count] : counts.states) {
    if (is_of(state)) sum += count;
  }
  return sum;
}

}  // namespace

std::vector<LitmusReport> judge_litmus_suite(const std::vector<std::string>& paths, unsigned unroll,
                                             consistency::Promise promise) {
  std::vector<LitmusReport> reports;
  std::map<std::string, unsigned> names;
  for (const std::string& path : paths) {
    for (const fs::path& file : files_of(path)) {
      reports.push_back(judged(file, unroll, promise));
      if (reports.back().program) ++names[reports.back().program->name];
    }
  }
  for (LitmusReport& report : reports) {
    report.title = report.program ? report.program->name : report.file;
    if (report.program && names.at(report.title) > 1) report.title += " (" + report.file + ")";
  }
  return reports;
}

std::uint64_t LitmusReport::forbidden(consistency::Promise promise) const {
  return seen(counts, [&](const consistency::State& state) {
    if (outcomes->of(state).kept(promise)) return false;
    return !outcomes->is_bounded() || outcomes->why_forbidden(state).kind != consistency::Reason::Kind::bound;
  });
}

std::uint64_t LitmusReport::beyond_bound() const {
  if (!judged() || !outcomes->is_bounded()) return 0;
  return seen(counts, [&](const consistency::State& state) {
    return !outcomes->of(state).ptx75 && outcomes->why_forbidden(state).kind == consistency::Reason::Kind::bound;
  });
}

std::uint64_t LitmusReport::weak() const {
  return forbidden(consistency::Promise::sc);
}

bool LitmusReport::may_be_weak(consistency::Promise promise) const {
  const auto& states = outcomes->states();
  return std::any_of(states.begin(), states.end(),
                     [promise](const auto& s) { return s.second.kept(promise) && !s.second.sc; });
}

bool LitmusSuiteReport::passed() const {
  return std::all_of(tests.begin(), tests.end(), [this](const LitmusReport& t) { return t.forbidden(promised) == 0; });
}

std::size_t LitmusSuiteReport::judged() const {
  return static_cast<std::size_t>(
      std::count_if(tests.begin(), tests.end(), [](const LitmusReport& t) { return t.judged(); }));
}

void run_litmus_suite(Device& device, const LitmusMachine& machine, std::uint64_t iterations,
                      LitmusSuiteReport& report) {
  LitmusRunner runner(device, machine, report.seed);
  for (LitmusReport& test : report.tests) {
    if (!test.judged()) continue;
    test.not_run = why_not_run(*test.program, machine.sms.gpus);
    if (test.not_run.empty()) test.counts = runner.run(*test.program, iterations);
  }
}

}  // namespace syncline::platform
