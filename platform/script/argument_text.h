// Kernel arguments on the command line: `syncline run PLATFORM KERNEL.ptx --arg SPEC...`.
//
//   SPEC:     [NAME=]T:VALUE                         a scalar: i32:5, f32:1.5, n=u64:7
//             [NAME=]buf:T:COUNT[:CONTENTS]          a buffer; its address is the argument
//             [NAME=]buf:FILE                        a buffer with a file's bytes
//   CONTENTS: zero | fill(VALUE) | random | random(seed=S,min=A,max=B)     any of the three, in any order
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "platform/script/workload_script.h"

namespace syncline::platform {

struct CommandLineArgument {
  std::string name;  ///< empty when none was given
  std::variant<ScalarValue, ScriptBuffer> value;
};

/// Reads one SPEC. Throws UserError whose column counts within the argument.
CommandLineArgument parse_argument(const std::string& text);

/// Reads "X[,Y[,Z]]" as extents, each at least 1; `option` ("--grid") is named in messages.
base::Dim3 parse_extents(const std::string& text, const std::string& option);

/// A kernel to launch once, as the command line describes it.
struct KernelRun {
  std::filesystem::path module;
  std::string kernel;
  base::Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<std::string> args;   ///< SPECs
  std::vector<std::string> dumps;  ///< "BUFFER=FILE"; an unnamed buffer is called by its position, "arg0"
};

/// The workload script that does just that. Throws UserError.
WorkloadScript script_of(const KernelRun& run);

}  // namespace syncline::platform
