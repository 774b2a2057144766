// The program that a command runs: one of the suite, a workload script, or a kernel of a .ptx file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/run/run.h"
#include "platform/script/argument_text.h"
#include "sc_main/cli/command.h"

namespace syncline::cli {

/// What the user says of it.
struct ProgramOptions {
  std::string workload, size = "small", grid = "1", block = "1";
  std::uint64_t input_seed = 1;
  std::vector<std::string> options;  ///< NAME=VALUE, of a program of the suite
  platform::KernelRun kernel;
};

/// Adds --size, --input-seed, --option, and the options that describe a kernel of a .ptx file, except --dump.
void add_program_options(CLI::App& command, ProgramOptions& options);
/// The names of all these, for commands that refuse them.
std::vector<std::string> program_options();

/// A program, and what the results tell of it.
struct Program {
  std::string name;
  platform::HostProgram run;
  std::optional<std::uint64_t> input_seed = {};
  std::vector<std::string> options = {};  ///< NAME=VALUE, as chosen
  std::optional<std::string> size = {};   ///< of a program of the suite
};

/// `options.workload` is a script by its ending, a kernel when --kernel names one, else a program of the suite. What it
/// reads is spared by `outputs`, which must live as long as the program. UserError where there is no such program, and
/// for options given to `command` that it has no use for.
Program program_of(const CLI::App& command, ProgramOptions& options, platform::Outputs& outputs);
/// Whether it is a script or a kernel, so no name of the suite.
bool is_file(const ProgramOptions& options);

}  // namespace syncline::cli
