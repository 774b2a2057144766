// What memory instructions have asked of global memory, held against what homes do with it and what lanes get for it.
#pragma once

#include <boost/functional/hash.hpp>

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/exec/memory_access.h"
#include "models/cache/line_event.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::platform {

/// An instruction is followed from where it begins to where all of it is answered, by its SM and its number there.
/// Each element of each lane is a place of its own:
///
/// - a store performs there what a lane has asked for, at most as often as lanes ask for that place, and at least once
///   until it is answered; where lanes differ it is one of theirs;
/// - an atomic is performed once for each lane; what the lanes of a line access make of a place is what its operation
///   makes of the bytes before with their operands, in some order of these lanes (consistency/online/atomic_order.h);
/// - a lane gets what was found there by its atomic, or what its load was answered with.
class AskedAccesses {
 public:
  /// Something else than was asked for.
  struct Complaint {
    base::LineAddress line;
    base::ByteMask bytes;
    std::string what;
  };
  using Complain = std::function<void(const Complaint&)>;

  /// Whether loads and stores are followed, beside atomics.
  explicit AskedAccesses(bool all) : all_(all) {}
  /// Of caches; complaints name lines.
  void lines_of(unsigned bytes) { line_bytes_ = bytes; }

  void started(base::SmId sm, const models::WarpMemory& memory);
  /// Its answer is on its way to the lanes. The instruction is over.
  void answered(base::SmId sm, const models::WarpMemory& memory, const Complain& complain);
  /// LineEvent: a home has performed it, an L1 has merged a store or answered a load.
  void performed(const models::LineEvent& event, const Complain& complain);
  void merged(const models::LineEvent& event, const Complain& complain);
  void loaded(const models::LineEvent& event);

  /// Reductions of which more lanes than can be put into all orders went to one place, and not in ascending order.
  std::uint64_t not_judged() const { return not_judged_; }

 private:
  struct Asked {
    isa::MemoryAccess access;                                ///< the lanes that take part, and their operands
    std::array<base::LaneMask, isa::max_access_bytes> done;  ///< by element: lanes of which a home has performed it
    decltype(isa::MemoryAccess::data) got;                   ///< what atomics found, as in `access.data`
    std::vector<std::pair<std::uint64_t, std::pair<base::ByteMask, base::LineData>>> loaded;  ///< answers, by line
  };
  using Key = std::pair<unsigned, std::uint64_t>;  ///< SM, Message::order

  bool follows(const isa::MemoryAccess& access) const;
  Asked* find(const models::LineEvent& event);
  void check_store(Asked& asked, const models::LineEvent& event, bool is_performed, const Complain& complain);
  void check_atomic(Asked& asked, const models::LineEvent& event, const Complain& complain);
  void check_lanes(const Asked& asked, const models::LineEvent& event, unsigned offset,
                   const std::vector<const models::AtomicLane*>& lanes, const Complain& complain);

  bool all_;
  unsigned line_bytes_ = base::max_line_bytes;
  std::unordered_map<Key, std::unique_ptr<Asked>, boost::hash<Key>> under_way_;
  std::vector<std::unique_ptr<Asked>> unused_;
  std::uint64_t not_judged_ = 0;
};

}  // namespace syncline::platform
