// Statistics as CSV, for spreadsheets and data frames: a row for each statistic of the run and of each kernel.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/stats.h"
#include "platform/observe/kernel_log.h"

namespace syncline::platform {

/// A block's name with the number in its last part taken out: "gpu.sm3_l1" is number 3 of "gpu.sm_l1".
struct BlockName {
  std::string kind;
  std::string index;  ///< empty: there is one
};
BlockName split_block_name(std::string_view block);

/// Behind a line `# ` with the provenance as JSON, columns kernel (the launch's number; empty: the whole run),
/// kernel_name, block, index, statistic, unit, value, count, min, max. Of a distribution `value` is the sum of the
/// samples and `count` their number; min and max are known of the whole run only. Rows of kernels leave out what gained
/// nothing.
void write_statistics_csv(std::ostream& out, const base::StatisticsRegistry& statistics,
                          const nlohmann::ordered_json& provenance, const std::vector<KernelRecord>& kernels);

}  // namespace syncline::platform
