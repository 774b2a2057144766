// Litmus tests of files and folders: judged, run, and told.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "consistency/enumerate.h"
#include "platform/litmus/litmus_run.h"

namespace syncline::platform {

/// The tests of files, and of all .litmus files in and below folders, in the order of the arguments and of names.
/// UserError for what does not exist, a folder without tests, and two tests of one name.
std::vector<consistency::Program> load_litmus_suite(const std::vector<std::string>& paths);

/// One test: what the models say, and what was seen.
struct LitmusReport {
  consistency::Program program;
  consistency::Outcomes outcomes;
  LitmusCounts counts;
  std::string not_run;  ///< why the test was only judged; empty: it ran

  /// How often a state was seen that `model` does not allow.
  std::uint64_t forbidden(consistency::Model model) const;
  std::uint64_t weak() const;  ///< how often a state was seen that sequential consistency does not allow
};

/// What a whole run is told with.
struct LitmusSuiteReport {
  std::string platform, policy;
  consistency::Model promised = consistency::Model::ptx75;  ///< the model that the machine has to keep
  std::uint64_t seed = 1;
  std::vector<LitmusReport> tests;
  bool passed() const;
};

/// Judges all tests and runs those that fit the machine.
void run_litmus_suite(Device& device, const LitmusMachine& machine, std::uint64_t iterations,
                      const std::vector<consistency::Program>& programs, LitmusSuiteReport& report);

void print_litmus_text(std::ostream& out, const LitmusSuiteReport& report);
void print_litmus_json(std::ostream& out, const LitmusSuiteReport& report);

}  // namespace syncline::platform
