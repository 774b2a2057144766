#include "platform/observe/barrier_meetings.h"

#include "isa/exec/cta_barriers.h"

namespace syncline::platform {

void BarrierMeetings::cta_launched(base::SmId sm, base::CtaSlot cta) {
  for (unsigned barrier = 0; barrier < isa::barriers_per_cta; ++barrier) meetings_.erase(key(sm, cta, barrier));
}

void BarrierMeetings::arrived(const models::WarpIdentity& warp, unsigned barrier, const Arrival& arrival) {
  Meeting& meeting = meetings_[key(warp.sm, warp.cta_slot, barrier)];
  if (meeting.open) meeting = {};
  meeting.arrived.push_back(arrival);
}

const BarrierMeetings::Met& BarrierMeetings::opened(const models::WarpIdentity& warp, unsigned barrier,
                                                    consistency::OnlineChecker& checker) {
  Meeting& meeting = meetings_[key(warp.sm, warp.cta_slot, barrier)];
  if (!meeting.open) {
    meeting.met = checker.meet(meeting.arrived);
    meeting.open = true;
  }
  return meeting.met;
}

}  // namespace syncline::platform
