#include "platform/timed/spin_judge.h"

namespace syncline::platform {

void SpinJudge::look(bool looks) {
  for (unsigned g = 0; g < system_.gpus(); ++g)
    for (unsigned n = 0; n < system_.gpu(g).sms(); ++n) system_.gpu(g).sm(n).look_for_spins(looks);
}

std::string SpinJudge::verdict() const {
  if (!closed_ || !host_.waits()) return {};
  std::string found;
  for (unsigned g = 0; g < system_.gpus(); ++g) {
    for (unsigned n = 0; n < system_.gpu(g).sms(); ++n) {
      const models::Sm& sm = system_.gpu(g).sm(n);
      if (!sm.only_waits()) return {};
      if (found.empty()) found = sm.spin();
    }
  }
  return found;
}

}  // namespace syncline::platform
