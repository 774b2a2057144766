#include "platform/timed/spin_judge.h"

#include "models/copy_engine/copy_engine.h"

namespace syncline::platform {
namespace {

/// What a copy brings may be what a warp waits for.
bool copies(Gpu& gpu) {
  if (gpu.devices() == 1) return false;
  for (unsigned i = 0; i < gpu.devices(); ++i) {
    if (!dynamic_cast<models::CopyEngine&>(gpu.copy_engine(i)).describe_waiting().empty()) return true;
  }
  return false;
}

}  // namespace

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
    if (copies(system_.gpu(g))) return {};
    for (unsigned n = 0; n < system_.gpu(g).sms(); ++n) {
      const models::Sm* const sm = system_.gpu(g).compute_side().library_sm(n);
      if (sm == nullptr || !sm->only_waits()) return {};  // of an SM of the user's nobody knows what it is at
      if (found.empty()) found = sm->spin();
    }
  }
  return found;
}

}  // namespace syncline::platform
