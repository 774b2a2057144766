#include "protocols/transactions/warptm/intra_warp.h"

#include <algorithm>
#include <boost/container/flat_map.hpp>

namespace syncline::protocols::warptm {
namespace {

using base::LaneMask;
using boost::container::flat_map;

class Resolution {
 public:
  Resolution(std::uint32_t entries, LaneMask lanes, const std::vector<LoggedWord>& reads,
             const std::vector<LoggedWord>& writes)
      : entries_(entries), lanes_(lanes), reads_(reads), writes_(writes) {}

  LaneMask two_phase() const {
    flat_map<std::uint64_t, unsigned> owners;
    each(writes_, lanes_, [&](std::uint64_t entry, unsigned lane) {
      const auto [owner, is_new] = owners.try_emplace(entry, lane);
      if (!is_new) owner->second = std::min(owner->second, lane);
    });
    LaneMask aborted = 0;
    each(reads_, lanes_, [&](std::uint64_t entry, unsigned lane) {
      const auto owner = owners.find(entry);
      if (owner != owners.end() && lane > owner->second) aborted |= base::lane_bit(lane);
    });
    each(writes_, lanes_, [&](std::uint64_t entry, unsigned lane) {
      if (owners.at(entry) != lane) aborted |= base::lane_bit(lane);
    });
    return aborted;
  }

  LaneMask serial() const {
    flat_map<std::uint64_t, bool> marked;  // and whether as written
    LaneMask aborted = 0;
    base::for_each_lane(lanes_, [&](unsigned lane) {
      const LaneMask own = base::lane_bit(lane);
      bool conflicts = false;
      each(reads_, own, [&](std::uint64_t entry, unsigned) {
        const auto mark = marked.find(entry);
        conflicts = conflicts || (mark != marked.end() && mark->second);
      });
      each(writes_, own, [&](std::uint64_t entry, unsigned) { conflicts = conflicts || marked.count(entry) != 0; });
      if (conflicts) {
        aborted |= own;
        return;
      }
      each(reads_, own, [&](std::uint64_t entry, unsigned) { marked.try_emplace(entry, false); });
      each(writes_, own, [&](std::uint64_t entry, unsigned) { marked[entry] = true; });
    });
    return aborted;
  }

 private:
  /// Each entry of the table that words of `lanes` have.
  template <class Body>
  void each(const std::vector<LoggedWord>& log, LaneMask lanes, Body&& body) const {
    for (const LoggedWord& word : log) {
      if (base::has_lane(lanes, word.lane)) body(entries_ == 0 ? word.word : word.word % entries_, word.lane);
    }
  }

  std::uint32_t entries_;
  LaneMask lanes_;
  const std::vector<LoggedWord>&reads_, &writes_;
};

}  // namespace

LaneMask conflicting_lanes(const WarptmSpec& spec, LaneMask lanes, const std::vector<LoggedWord>& reads,
                           const std::vector<LoggedWord>& writes) {
  switch (spec.intra_warp) {
    case IntraWarp::none:
      return 0;
    case IntraWarp::two_phase:
      return Resolution(spec.ownership_entries, lanes, reads, writes).two_phase();
    case IntraWarp::serial:
      return Resolution(spec.ownership_entries, lanes, reads, writes).serial();
    case IntraWarp::perfect:
      return Resolution(0, lanes, reads, writes).serial();
  }
  return 0;
}

}  // namespace syncline::protocols::warptm
