// The requests that a Z-unit has accepted and not yet answered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "models/cache/tag_array.h"
#include "models/z_unit/depth_family.h"

namespace syncline::models {

/// GPUDet thesis 4.4.3 has invalid, ready and blocked. An entry whose depths are with the comparator, or whose writes
/// are with the L2, is active: neither ready to be scheduled nor waiting for another request.
enum class RequestStatus : std::uint8_t { invalid, ready, blocked, active };
const char* name(RequestStatus status);

struct DepthRequest {
  RequestStatus status = RequestStatus::invalid;
  Message* message = nullptr;
  base::LineAddress line;    ///< the message's, and
  bool clears = false;       ///< its DepthKind, at hand for those who ask all requests
  unsigned parts = 0;        ///< bit n: part n of the line is not compared yet (DepthLines)
  unsigned acks = 0;         ///< writes of which the L2 has not said that they are performed
  base::Cycle ready_at = 0;  ///< ready: first cycle in which it may be scheduled
  base::Cycle accepted = 0;
  base::LineAddress waits_for;  ///< blocked: this line of depths, or
  bool waits_for_way = false;   ///< any block of the line's set

  unsigned part() const { return static_cast<unsigned>(__builtin_ctz(parts)); }  ///< the next one
};

/// Entries keep their index for life; requests are visited in the order of their arrival.
class RequestBuffer {
 public:
  explicit RequestBuffer(std::uint32_t entries);

  bool full() const { return by_age_.size() == entries_.size(); }
  std::size_t size() const { return by_age_.size(); }
  Index insert(Message& message, unsigned parts, base::Cycle now);
  void release(Index index);
  DepthRequest& operator[](Index index) { return entries_[index]; }
  const DepthRequest& operator[](Index index) const { return entries_[index]; }

  /// An older request has yet to compare part `part` of the same line. Requests of one line go in the order of arrival,
  /// since of equal depths the later one wins.
  bool behind_older(Index index, unsigned part) const;
  /// The oldest request that may be scheduled in cycle `now`, nowhere for none; nothing overtakes a clear.
  Index schedulable(base::Cycle now) const;
  /// First cycle after `now` in which something may be, or base::never.
  base::Cycle next_schedulable(base::Cycle now) const;
  /// Blocked requests for which `freed` is true become ready in cycle `at`.
  template <class Freed>
  void unblock(base::Cycle at, Freed&& freed) {
    for (const Index index : by_age_) {
      DepthRequest& request = entries_[index];
      if (request.status != RequestStatus::blocked || !freed(request)) continue;
      request.status = RequestStatus::ready;
      request.ready_at = at;
    }
  }
  std::vector<std::string> describe() const;

 private:
  std::vector<DepthRequest> entries_;
  std::vector<Index> by_age_;
};

}  // namespace syncline::models
