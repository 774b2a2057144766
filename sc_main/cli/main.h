// What a program of the caller's has in common with `syncline`: options, files of results, errors and exit statuses.
// One call is all that its sc_main does:
//
//   int sc_main(int argc, char** argv) {
//     OwnProgram own;
//     own.platform = "tiny";
//     own.parts.options = [](const PlatformSpec&) { ... return options; };
//     own.program = [](Device& gpu) { ... return Outcome{correct, "what was compared"}; };
//     return run_own(argc, argv, own);
//   }
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/run/own_parts.h"
#include "platform/run/run.h"

namespace CLI {
class App;  // CLI11's
}

namespace syncline::cli {

/// A host program on a platform with parts of the caller's.
struct OwnProgram {
  std::string platform;               ///< a name in configs/ or a file, unless --platform says another one
  std::vector<std::string> settings;  ///< as of --set, which is stronger
  std::string summary;                ///< a line, for --help
  platform::OwnParts parts;           ///< beside what the platform says
  platform::HostProgram program;      ///< what runs on it
  /// Adds options of the program's own, whose values are there when `parts` and `program` are called. Null: none.
  std::function<void(CLI::App&)> add_options;
};

/// The program, by the name of its file, with the options of `syncline run`, and two commands for what stands in it:
/// `list`, of the platform with these parts, and `describe`. The result is the exit status
/// (base::ExitStatus); whatever is thrown is told in one line on standard error.
int run_own(int argc, char** argv, const OwnProgram& own);

/// All commands of `syncline`, in which every GPU with time has these parts, and which know what the caller has added
/// to the registries of workloads and policies before.
int main(int argc, char** argv, const platform::OwnParts& parts = {});

}  // namespace syncline::cli
