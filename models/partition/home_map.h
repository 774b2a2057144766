// Who is home of a line, and where the line lies there: the same answers on the SMs' side and on the memory's side.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "isa/vocabulary.h"
#include "models/transport/node.h"

namespace syncline::models {

class ModulePlaces;

/// One object for all blocks of a platform, which hold it by reference. Addresses in a home's memory are dense from 0,
/// so that any memory can be plugged behind it. AddressMap interleaves; a placement of pages may decide when a page is
/// first asked for, and then has to give the same answers in whatever order tiles run (models/tile).
class HomeMap {
 public:
  virtual ~HomeMap() = default;

  /// The home of the line for an access of `asker` that is to be seen within `scope` (`none`: an access without scope).
  virtual NodeId home(base::LineAddress line, isa::Scope scope, const NodeId& asker) const = 0;
  /// Where the byte lies in the memory of its home.
  virtual std::uint64_t local(std::uint64_t address) const = 0;
  /// The inverse: global(home of a, local(a)) == a.
  virtual std::uint64_t global(const NodeId& home, std::uint64_t local) const = 0;
  /// So many bytes from `address` on lie one behind the other in one memory.
  virtual std::uint64_t together(std::uint64_t address) const = 0;
  /// All homes of a place, in the order of their indices.
  virtual unsigned homes() const = 0;
  /// Of a device whose modules cache lines of each other: L1s ask the L2 of their module, which asks on. Else null.
  virtual const ModulePlaces* places() const { return nullptr; }

  /// Of an access that takes no time and is nobody's: the home that memory is in.
  NodeId home(std::uint64_t address) const { return home(base::LineAddress(address), isa::Scope::none, NodeId{}); }
};

}  // namespace syncline::models
