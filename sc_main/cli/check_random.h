// syncline check POLICY --random N: programs that a seed gives, beside those of the suite.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "sc_main/cli/check_survey.h"

namespace syncline::cli {

struct RandomCheck {
  static constexpr std::uint64_t max_states = 50'000;  ///< unless the user says otherwise, of each program
  std::uint64_t programs = 0;                          ///< how many; 0: none
  std::uint64_t seed = 1;
  bool homes_given = false;  ///< else programs of two lines have one home and two by turns
  std::string policy;
  std::vector<std::string> overrides;
};

/// Stops at the first violation, leaves out of its program what it does not need, and prints the rest with the command
/// that explores it again.
base::ExitStatus check_random(const RandomCheck& random, const CheckTask& task, Survey& survey);

}  // namespace syncline::cli
