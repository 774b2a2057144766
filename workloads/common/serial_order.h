// An order in which operations could have come one after the other, from what they saw of the objects that they share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace syncline::workloads {

/// An object that an operation accessed: how often it had been written before, and whether the operation wrote it.
struct Sight {
  std::uint32_t object = 0;
  std::uint32_t version = 0;
  bool writes = false;
};

/// All operations in such an order; or, where there is none, why.
struct SerialOrder {
  std::vector<std::uint32_t> operations;
  std::string wrong;
};

/// Of the operations whose sights are `sights[i]`, of objects below `objects`, each at most once. Who saw a version
/// comes behind its writer and before the writer of the next one. There is no such order where two operations wrote the
/// same version (an update was lost), a version was seen that nobody wrote, or what they saw goes round in a ring.
SerialOrder serial_order(std::uint32_t objects, const std::vector<std::vector<Sight>>& sights);

}  // namespace syncline::workloads
