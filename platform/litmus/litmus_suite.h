// Litmus tests of files and folders: judged, run, and told.
#pragma once

#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "consistency/enumerate.h"
#include "platform/litmus/litmus_run.h"

namespace syncline::platform {

/// One test: what the models say, and what was seen.
struct LitmusReport {
  std::string title;  ///< the test's name; with its file where others have that name too, or it has none
  std::string file;
  // Of a test that was judged:
  std::optional<consistency::Program> program;
  std::optional<consistency::Outcomes> outcomes;
  // Of one that was not:
  std::string refusal;    ///< why, with its place
  std::string construct;  ///< what it has that is not judged: tests are counted by this
  // Of one that ran:
  LitmusCounts counts;
  std::string not_run;  ///< why the test was only judged

  bool judged() const { return outcomes.has_value(); }
  bool ran() const { return counts.iterations != 0; }
  /// How often a state was seen that breaks the promise. States that no execution within the bound on loops has are not
  /// counted.
  std::uint64_t forbidden(consistency::Promise promise) const;
  /// How often a state was seen of which the bound on loops leaves open whether it is allowed.
  std::uint64_t beyond_bound() const;
  std::uint64_t weak() const;  ///< how often a state was seen that sequential consistency does not allow
  /// The promise allows such a state.
  bool may_be_weak(consistency::Promise promise) const;
};

/// Reads and judges the tests of files, and of all .litmus files in and below folders, in the order of the arguments
/// and of names. `unroll`: how often loops go back at most. What cannot be read or judged is told in its report.
/// `promise`: of a machine that is to be held to it. UserError for what does not exist, and a folder without tests.
std::vector<LitmusReport> judge_litmus_suite(const std::vector<std::string>& paths, unsigned unroll,
                                             consistency::Promise promise = consistency::Promise::ptx75);

/// What a whole run is told with.
struct LitmusSuiteReport {
  std::string platform, policy;                                 ///< empty when tests were only judged
  consistency::Promise promised = consistency::Promise::ptx75;  ///< what the machine has to keep
  std::uint64_t seed = 1;
  std::vector<LitmusReport> tests;
  bool passed() const;
  std::size_t judged() const;
};

/// Runs those of the judged tests that fit the machine.
void run_litmus_suite(Device& device, const LitmusMachine& machine, std::uint64_t iterations,
                      LitmusSuiteReport& report);

void print_litmus_text(std::ostream& out, const LitmusSuiteReport& report);
void print_litmus_json(std::ostream& out, const LitmusSuiteReport& report);

}  // namespace syncline::platform
