// Who is where among the modules of a device whose L2s have lines of each other's memory.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "models/transport/node.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// What an L2 slice is to a line; before each, who answers for it when it is not up to date.
enum class Standing : std::uint8_t { home, gpu_home, gpm, count_ };

/// Each module has some L1s and the same many L2 slices. A line is cached, wherever it is, by the slices with one
/// number in their modules, which are alone with it: to the policy they are all the L2s that there are, one of each
/// module.
class ModulePlaces {
 public:
  virtual ~ModulePlaces() = default;

  /// What the L2 slice is to the line.
  virtual Standing standing(base::LineAddress line, const NodeId& l2) const = 0;
  virtual unsigned module(const NodeId& node) const = 0;
  virtual protocols::CoherencePolicy::Span span(const NodeId& from, const NodeId& to) const = 0;
  /// Slices of a module.
  virtual unsigned slices() const = 0;
  virtual NodeId slice(unsigned module, unsigned number) const = 0;
  /// Number of a slice in its module.
  virtual unsigned slice_number(const NodeId& l2) const = 0;
  /// Number of an L1 in its module, and the inverse.
  virtual unsigned l1_number(const NodeId& l1) const = 0;
  virtual NodeId l1(unsigned module, unsigned number) const = 0;
};

}  // namespace syncline::models
