#include "platform/litmus/litmus_suite.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "consistency/reader.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::string& path) {
  if (!fs::is_directory(path)) {
    if (!fs::is_regular_file(path))
      throw base::UserError("there is no litmus test or folder `" + path + "`; expected the path of either");
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

}  // namespace

std::vector<consistency::Program> load_litmus_suite(const std::vector<std::string>& paths) {
  std::vector<consistency::Program> programs;
  std::map<std::string, std::string> files;  // by the name of the test
  for (const std::string& path : paths) {
    for (const fs::path& file : files_of(path)) {
      programs.push_back(consistency::load_litmus(file));
      const auto [at, is_new] = files.emplace(programs.back().name, file.string());
      if (!is_new)
        throw base::UserError({file.string(), 1, 1},
                              "the test `" + at->first + "` is in " + at->second + " too; expected a name for each");
    }
  }
  return programs;
}

std::uint64_t LitmusReport::forbidden(consistency::Model model) const {
  std::uint64_t sum = 0;
  for (const auto& [state, count] : counts.states) {
    if (!outcomes.of(state).allowed(model)) sum += count;
  }
  return sum;
}

std::uint64_t LitmusReport::weak() const {
  return forbidden(consistency::Model::sc);
}

bool LitmusSuiteReport::passed() const {
  return std::all_of(tests.begin(), tests.end(), [this](const LitmusReport& t) { return t.forbidden(promised) == 0; });
}

void run_litmus_suite(Device& device, const LitmusMachine& machine, std::uint64_t iterations,
                      const std::vector<consistency::Program>& programs, LitmusSuiteReport& report) {
  LitmusRunner runner(device, machine, report.seed);
  for (const consistency::Program& program : programs) {
    LitmusReport test{program, consistency::enumerate(program), {}, {}};
    if (program.gpus() > 1) {
      test.not_run = "its threads are on " + std::to_string(program.gpus()) + " GPUs; the platform has one";
    } else {
      test.counts = runner.run(program, iterations);
    }
    report.tests.push_back(std::move(test));
  }
}

}  // namespace syncline::platform
