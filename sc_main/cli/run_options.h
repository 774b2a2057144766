// What `syncline run` and a program with a platform of its own have in common: options, the run, and what it tells.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "platform/run/run.h"
#include "sc_main/cli/program.h"

namespace syncline::cli {

struct RunOptions {
  const CLI::App* command = nullptr;
  std::string platform;  ///< a name or a file
  std::vector<std::string> overrides;
  std::string threads;  ///< empty: as the platform says
  platform::RunRequest request;
  std::string dump_config;
  bool no_progress = false;
};

/// Adds all of them but the platform, which not every command is given in the same place.
void add_run_options(CLI::App& command, RunOptions& options);

/// Runs the program on the platform, prints a summary and one JSON object, and leaves the files behind that were asked
/// for. `program_of` is called when the platform is known to be right.
base::ExitStatus perform(RunOptions& options, const std::function<Program(platform::Outputs&)>& program_of);

}  // namespace syncline::cli
