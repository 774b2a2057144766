// In which order a home looks up what waits on its virtual networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"

namespace syncline::models {

/// Higher virtual networks go first, so that answers never wait for requests. When one has been passed over for long,
/// all take turns until nothing waits there: requests of others, as of warps that spin, may never end.
class NetworkTurns {
 public:
  /// Of so many networks; sets of them are a bit each.
  explicit NetworkTurns(std::size_t networks) : passed_over_since_(networks), taken_at_(networks) {}

  /// Who is first among these, which are some.
  unsigned first_of(std::uint32_t networks) const;
  /// Something waits there for nothing but its turn, or room.
  void pass_over(unsigned network, base::Cycle now);
  /// The first one there waits for its own line, or no longer.
  void not_passed_over(unsigned network) { passed_over_ &= ~(1U << network); }
  /// A message has been taken from there; the last one if `is_empty`.
  void taken(unsigned network, base::Cycle now, bool is_empty) {
    taken_at_[network] = now;
    if (is_empty) starved_ &= ~(1U << network);
  }
  /// Of a network that was refused: it has starved for want of room, and what comes is for it and not for requests of
  /// others. Every other time, as theirs may be what others wait for before they make room.
  bool keeps_room(unsigned network, base::Cycle now) const;

 private:
  std::uint32_t passed_over_ = 0, starved_ = 0;
  std::vector<base::Cycle> passed_over_since_, taken_at_;  ///< by network; the last message
};

}  // namespace syncline::models
