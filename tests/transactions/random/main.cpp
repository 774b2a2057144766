// Random programs with transactions under any policy, timed and in the emulator, each in a process of its own, judged
// while they run and at their end; what fails is made small.
#include <fmt/format.h>
#include <rapidcheck.h>
#include <sys/mman.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <systemc>

#include "base/error.h"
#include "platform/config/configuration.h"
#include "platform/packages/registry.h"
#include "platform/process/child_process.h"
#include "platform/run/run.h"
#include "tests/transactions/random/coverage.h"
#include "tests/transactions/random/program.h"

namespace syncline::platform {
const Package& transactions_unguarded();
}

namespace syncline::tests {
namespace {

using Choices = std::vector<std::uint8_t>;

struct Task {
  std::string platform = SYNCLINE_SOURCE_DIR "/configs/tiny.yaml";
  std::vector<std::string> settings;
  TransactionalProgram::Options program;
  bool emulator = true;
  std::vector<std::string> must_hit;  ///< paths and shapes
  bool all_rows = false;              ///< must be taken, but for
  Coverage::Reasons cannot;
};

/// A file that only this process has, and that a path leads to.
class OwnFile {
 public:
  OwnFile() : descriptor_(memfd_create("statistics", 0)) {
    if (descriptor_ < 0) throw base::UserError("no file can be made");
  }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
  ~OwnFile() { close(descriptor_); }
  std::string path() const { return fmt::format("/proc/self/fd/{}", descriptor_); }
  std::string text() const {
    std::ifstream in(path());
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  int descriptor_;
};

/// Runs it on one of the two; what is wrong, or nothing. Adds what a timed run has reached to `coverage`.
std::string run(const TransactionalProgram& program, const Task& task, bool functional, Coverage& coverage) {
  std::vector<std::string> settings{fmt::format("perturbation.network_jitter={}", program.jitter()),
                                    "observe.transactions=check", "limits.cycles=50000000",
                                    "limits.progress_window=200000"};
  settings.insert(settings.end(), task.settings.begin(), task.settings.end());
  platform::RunRequest request;
  request.platform = platform::load_configuration<platform::PlatformSpec>(task.platform, settings).spec;
  request.seed = program.seed();
  request.functional = functional;
  const OwnFile statistics;
  if (!functional) request.observe.statistics_path = statistics.path();
  platform::Outputs outputs;
  const auto host_program = [&](platform::Device& gpu) {
    std::vector<std::uint8_t> data = program.data();
    const platform::DevicePointer at = gpu.upload(data);
    const platform::ModuleHandle module = gpu.module_load_text(program.ptx(), "random.ptx");
    gpu.launch_kernel(gpu.module_get_function(module, "k"), {{program.ctas()}, {program.threads()}},
                      platform::arguments(at));
    data = gpu.download<std::uint8_t>(at, data.size());
    if (!functional) coverage.add_rows();
    platform::Outcome outcome;
    outcome.detail = program.check(data);
    return outcome;
  };
  const platform::RunResult result = platform::run(request, host_program, outputs);
  outputs.commit();
  if (!functional) coverage.add_paths(statistics.text());
  if (!result.outcome.detail.empty()) return result.outcome.detail;
  const std::string committed = fmt::format("{} committed, ", program.transactions());
  const bool judged = request.platform.observe.transactions == platform::TransactionWatch::check;
  if (!functional && judged && result.transactions.rfind(committed, 0) != 0)
    return fmt::format("there should be {}and there were {}", committed, result.transactions);
  return {};
}

std::string run_here(const TransactionalProgram& program, const Task& task, Coverage& coverage) {
  std::string what;
  for (const bool functional : {true, false}) {
    if (functional && !task.emulator) continue;
    try {
      what = run(program, task, functional, coverage);
    } catch (const std::exception& error) {
      what = error.what();
    }
    if (!what.empty()) return (functional ? "emulator: " : "timed: ") + what;
  }
  return {};
}

std::string run_apart(const TransactionalProgram& program, const Task& task, Coverage& coverage) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw base::UserError("no pipe can be made");
  platform::ChildProcess child = platform::ChildProcess::fork_off([&] {
    Coverage reached;
    const std::string what = run_here(program, task, reached).substr(0, 8192);
    const std::string said = what.empty() ? reached.to_json() : what;
    return write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size()) && what.empty() ? 0 : 1;
  });
  close(ends[1]);
  std::string what;
  std::array<char, 4096> piece{};
  for (ssize_t got = 0; (got = read(ends[0], piece.data(), piece.size())) > 0;) what.append(piece.data(), got);
  close(ends[0]);
  const int status = child.wait();
  if (status != 0)
    return what.empty() || what[0] == '{' ? fmt::format("its process ended with status {:#x}", status) : what;
  coverage.add(Coverage::of_json(what));
  return {};
}

std::string hex(const Choices& choices) {
  std::string text;
  for (const std::uint8_t choice : choices) text += fmt::format("{:02x}", choice);
  return text.empty() ? "-" : text;
}

Choices choices_of(const std::string& hex) {
  Choices choices;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    choices.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(i, 2), nullptr, 16)));
  return choices;
}

void show(const Choices& choices, const TransactionalProgram& program) {
  fmt::print("{}\n{} CTAs of {} threads, {} transactions, jitter {}, seed {}\nagain: --replay {}\n", program.ptx(),
             program.ctas(), program.threads(), program.transactions(), program.jitter(), program.seed(), hex(choices));
}

/// Prints what was not hit and has to be.
bool all_hit(const Coverage& coverage, const Task& task) {
  std::vector<std::string> wrong;
  if (task.all_rows) wrong = coverage.wrong_rows(task.cannot);
  for (const std::string& name : task.must_hit) {
    if (!coverage.hit(name)) wrong.push_back(fmt::format("`{}` was never hit", name));
  }
  for (const std::string& what : wrong) fmt::print("FAILED: {}\n", what);
  return wrong.empty();
}

/// "ROW=REASON"
Coverage::Reasons reasons_of(const std::vector<std::string>& texts) {
  Coverage::Reasons reasons;
  for (const std::string& text : texts) {
    const std::size_t end = text.find('=');
    if (end == std::string::npos) throw base::UserError(fmt::format("`{}` gives no reason: ROW=REASON", text));
    reasons[text.substr(0, end)] = text.substr(end + 1);
  }
  return reasons;
}

/// 1 when one of the programs fails, or what is to be hit is not.
int run_many(const Task& task, std::uint64_t seed, unsigned programs, unsigned length) {
  const char* const more = std::getenv("SYNCLINE_RC_PARAMS");  // noshrink=1: that one fails is enough
  setenv("RC_PARAMS", fmt::format("seed={} max_success={} {}", seed, programs, more != nullptr ? more : "").c_str(), 1);
  Choices smallest;
  std::string failure;
  std::uint64_t transactions = 0;
  Coverage coverage;
  const bool right = rc::check("random transactions", [&] {
    const auto numbers =
        *rc::gen::resize(static_cast<int>(length), rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 256)));
    const Choices choices(numbers.begin(), numbers.end());
    const TransactionalProgram program(choices, task.program);
    const std::string what = run_apart(program, task, coverage);
    transactions += program.transactions();
    coverage.add_shapes(program.shapes());
    if (what.empty()) return;
    smallest = choices;
    failure = what;
    std::cerr << fmt::format("fails: --replay {}: {}\n", hex(choices), what.substr(0, what.find('\n')));
    RC_FAIL(what);
  });
  if (right) {
    fmt::print("{} random programs, {} transactions: nothing is wrong\n{}", programs, transactions,
               coverage.text(task.cannot));
    return all_hit(coverage, task) ? 0 : 1;
  }
  show(smallest, TransactionalProgram(smallest, task.program));
  fmt::print("FAILED: {}\n", failure);
  return 1;
}

int run_one(const Task& task, const Choices& choices) {
  const TransactionalProgram program(choices, task.program);
  show(choices, program);
  Coverage coverage;
  coverage.add_shapes(program.shapes());
  const std::string what = run_here(program, task, coverage);
  fmt::print("{}\n{}", what.empty() ? "nothing is wrong" : "FAILED: " + what, coverage.text(task.cannot));
  return what.empty() ? 0 : 1;
}

}  // namespace
}  // namespace syncline::tests

int sc_main(int argc, char** argv) {
  using namespace syncline;
  CLI::App app("Random programs with transactions; status 1 when one fails");
  tests::Task task;
  std::uint64_t seed = 1;
  unsigned programs = 100, length = 150;
  std::string replay;
  std::vector<std::string> cannot;
  app.add_option("--platform", task.platform, "configuration");
  app.add_option("--set", task.settings, "keys, among them transactions.policy")->allow_extra_args(false);
  app.add_option("--seed", seed, "of what programs are drawn");
  app.add_option("--programs", programs, "how many");
  app.add_option("--length", length, "choices of a program, at the most")->check(CLI::Range(1, 10'000));
  app.add_option("--replay", replay, "the one program of these choices, in this process");
  app.add_option("--must-hit", task.must_hit, "paths and shapes that the programs have to take together")
      ->allow_extra_args(false);
  app.add_flag("--all-rows", task.all_rows, "all rows have to be taken, but those of --cannot, which must not");
  app.add_option("--cannot", cannot, "ROW=REASON: a row that cannot be taken, and why")->allow_extra_args(false);
  app.add_flag("--atomics", task.program.atomics, "transactions have atomic operations");
  app.add_flag("--shared", task.program.shared, "transactions are of shared memory");
  app.add_flag("!--one-commit", task.program.several_commits, "each transaction has one commit");
  app.add_flag("!--no-emulator", task.emulator, "the emulator does not run the programs");
  CLI11_PARSE(app, argc, argv);
  try {
    platform::add_package("transactions", platform::transactions_unguarded());
    task.cannot = tests::reasons_of(cannot);
    return replay.empty() ? tests::run_many(task, seed, programs, length)
                          : tests::run_one(task, tests::choices_of(replay));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
