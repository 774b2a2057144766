// Doing what a workload script says, against the host API.
#pragma once

#include <string>
#include <vector>

#include "platform/host/device.h"
#include "platform/observe/outputs.h"
#include "platform/script/workload_script.h"

namespace syncline::platform {

/// What came of one `check` step; a check within a `repeat` is made in every pass.
struct CheckOutcome {
  base::SourceLocation where;
  std::string buffer;
  bool passed = false;
  std::string detail;  ///< how many elements were compared; on failure how many differ and the first of them
};

struct ScriptOutcome {
  std::vector<CheckOutcome> checks;
  /// No value when the script checks nothing; true when all checks passed.
  std::optional<bool> verified() const;
  /// A line for each check, "file:line:column: buffer: detail".
  std::string detail() const;
};

/// Runs `script` on `device`. `run_seed` seeds random contents that have no seed of their own. Dump files are
/// opened before the first step and finished behind the last one; who has `outputs` commits them.
/// Throws UserError located in the script (unknown kernel or variable, wrong arguments, a file that cannot be written),
/// and ProgramFault when a kernel fails or a `repeat` exceeds its limit.
ScriptOutcome run_script(Device& device, const WorkloadScript& script, std::uint64_t run_seed, Outputs& outputs);

}  // namespace syncline::platform
