// Attempts that cannot commit any more, and do what the program never would: nobody looks at what lanes have read
// before all of them have come to the end of their transactions, so one may read words of two times, and go round for
// ever or to a bad address by that (lazy validation without opacity; Guerraoui and Kapalka, "On the correctness of
// transactional memory", PPoPP 2008).
#include "models/transactions/logged_bytes.h"
#include "models/transactions/warptm/warptm_core.h"

namespace syncline::models {

using base::LaneMask;
using protocols::warptm::AbortCause;

/// Of lanes that run, those that read what memory does not hold any more. They would abort at their end, if they came
/// to it.
LaneMask WarptmCore::doomed(unsigned slot, LaneMask lanes) {
  LaneMask found = 0;
  for (const LoggedWord& read : warps_[slot].warp.reads()) {
    std::uint32_t held = 0;
    if (!base::has_lane(lanes, read.lane) || !control().read_memory(read.word * word_bytes, &held, word_bytes))
      continue;
    if (((held ^ read.value) & protocols::transactions::bits_of(read.bytes)) != 0) found |= base::lane_bit(read.lane);
  }
  return found;
}

base::Cycle WarptmCore::watch(unsigned slot, base::Cycle now) {
  WarpState& state = warps_[slot];
  const Attempt& own = attempt(slot);
  if (keys_.units.watchdog == 0 || !own.active || state.warp.walk() != Warp::Walk::running) return base::never;
  if (now < state.watched_at) return state.watched_at;
  state.watched_at = now + keys_.units.watchdog;
  if (const LaneMask lanes = doomed(slot, own.running & ~own.arrived); lanes != 0) {
    abort(slot, lanes, AbortCause::validation);
    walk_if_complete(slot);
  }
  return state.watched_at;
}

/// While others commit, memory itself may hold a part of what they write: then it is not known, and the lanes begin
/// again. A program's own fault is found again.
bool WarptmCore::excuses(unsigned slot, LaneMask lanes) {
  if (!attempt(slot).active || (lanes & ~attempt(slot).running) != 0) return false;
  if (!shared_.commits_are_under_way() && doomed(slot, lanes) == 0) return false;
  touched();
  abort(slot, lanes, AbortCause::validation);
  walk_if_complete(slot);
  return true;
}

}  // namespace syncline::models
