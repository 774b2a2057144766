// The check of the sorted lists: what holds of lists and outcomes in whatever order the operations came.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads::sorted_list {

/// The kernels' values of Operation::kind.
enum class Kind : std::uint32_t { look_up, insert, remove };

/// The kernels' elements. Links are numbers of nodes; 0 ends a list.
struct Node {
  std::uint32_t key = 0;
  std::uint32_t next = 0;
};
struct Operation {
  Kind kind = Kind::look_up;
  std::uint32_t list = 0;
  std::uint32_t key = 0;   ///< at least 1
  std::uint32_t node = 0;  ///< what it links when it inserts
};

/// Lists whose heads are the first nodes.
struct Lists {
  std::uint32_t count = 0;
  std::uint32_t keys = 0;  ///< keys are 1 to this
  std::vector<Node> nodes;
};

/// Verifies when `after` are sorted lists without a key twice, each key is there as often as it was at first and was
/// inserted less removed, and no operation had an outcome that no order gives: `successes` says of each look-up whether
/// it found its key, of the others whether they changed the list.
Verdict check_lists(const Lists& before, const std::vector<Operation>& operations,
                    const std::vector<std::uint32_t>& successes, const Lists& after);

}  // namespace syncline::workloads::sorted_list
