#include "platform/timed/spin_judge.h"

namespace syncline::platform {

void SpinJudge::look(bool looks) {
  for (unsigned g = 0; g < system_.gpus(); ++g) {
    for (unsigned n = 0; n < system_.gpu(g).sms(); ++n) {
      if (models::Sm* const sm = system_.gpu(g).compute_side().library_sm(n)) sm->look_for_spins(looks);
    }
  }
}

std::string SpinJudge::verdict() const {
  if (!closed_ || !host_.waits()) return {};
  std::string found;
  for (unsigned g = 0; g < system_.gpus(); ++g) {
    if (!system_.gpu(g).copies_under_way().empty()) return {};  // what one brings may be what a warp waits for
    for (unsigned n = 0; n < system_.gpu(g).sms(); ++n) {
      const models::Sm* const sm = system_.gpu(g).compute_side().library_sm(n);
      if (sm == nullptr || !sm->only_waits()) return {};  // of an SM of the user's nobody knows what it is at
      if (found.empty()) found = sm->spin();
    }
  }
  return found;
}

}  // namespace syncline::platform
