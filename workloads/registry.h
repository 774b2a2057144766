// The one list of all workloads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/data_folders.h"
#include "workloads/common/workload.h"

namespace syncline::workloads {

/// In the order of the table in registry.cpp, which is the order of `syncline list workloads`; behind them what was
/// added.
const std::vector<const Workload*>& all_workloads();

/// Adds a workload of the caller's, which outlives all that happens. Its PTX may be an absolute path. ModelError when
/// there is one of this name.
void add_workload(const Workload& workload);

/// UserError that names the nearest workload when there is none of this name.
const Workload& find_workload(std::string_view name);

/// As the command line has it.
std::string_view name(Size size);
/// UserError that names the nearest size when there is none of this name.
Size find_size(std::string_view wanted);
/// UserError that names the sizes of the workload when this is none of them.
void require_size(const Workload& workload, Size size);

/// What "NAME=VALUE" each of `texts` chooses of the workload, with the defaults of what they leave out. UserError for
/// what it does not have.
Choices choices_of(const Workload& workload, const std::vector<std::string>& texts);

/// Where the file `ptx` (Workload::ptx, Microbenchmark::ptx) lies: below $SYNCLINE_WORKLOADS, else in the
/// installation or the sources (base/data_folders.h). UserError when no folder holds it.
std::string ptx_path(std::string_view ptx);
inline std::string ptx_path(const Workload& workload) {
  return ptx_path(workload.ptx());
}

}  // namespace syncline::workloads
