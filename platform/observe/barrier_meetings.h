// Who has arrived at which barrier of a CTA, and what those know who leave it.
#pragma once

#include <boost/functional/hash.hpp>

#include <tuple>
#include <unordered_map>
#include <vector>

#include "consistency/online/online_checker.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::platform {

/// Is told of barriers what SMs tell their listeners (models::WarpEvents). Threads that only arrive (bar.arrive),
/// barriers of some of a CTA's threads and those that open because others have ended need nothing else: whoever has
/// arrived is known to whoever leaves.
class BarrierMeetings {
 public:
  using Arrival = consistency::OnlineChecker::Arrival;
  using Met = consistency::OnlineChecker::Meeting;

  void cta_launched(base::SmId sm, base::CtaSlot cta);
  /// The thread has arrived, and issued the memory instructions up to that step before.
  void arrived(const models::WarpIdentity& warp, unsigned barrier, const Arrival& arrival);
  /// Behind what a warp is that the barrier lets go.
  const Met& opened(const models::WarpIdentity& warp, unsigned barrier, consistency::OnlineChecker& checker);

 private:
  struct Meeting {
    std::vector<Arrival> arrived;
    Met met;  ///< once it has opened, until the next one arrives
    bool open = false;
  };
  using Key = std::tuple<unsigned, unsigned, unsigned>;  ///< SM, CTA slot, barrier
  static Key key(base::SmId sm, base::CtaSlot cta, unsigned barrier) { return {sm.value(), cta.value(), barrier}; }

  std::unordered_map<Key, Meeting, boost::hash<Key>> meetings_;
};

}  // namespace syncline::platform
