// The check of the hash table: what its chains must hold, whatever their order.
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads::hash_table {

/// The kernels' element: a key and the number of the next node of the chain, counted from 1; 0 ends the chain.
struct Node {
  std::uint32_t key = 0;
  std::uint32_t next = 0;
};

/// Verifies when every key is found exactly once, by the chain of its bucket. `heads` has a power of two of elements;
/// node i belongs to keys[i]. The order within a chain is free.
Verdict check_chains(const std::vector<std::uint32_t>& keys, const std::vector<std::uint32_t>& heads,
                     const std::vector<Node>& nodes);

}  // namespace syncline::workloads::hash_table
