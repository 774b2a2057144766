// How an access orders others by its modifiers: whom it reaches, and whether it acquires or releases.
#pragma once

#include <cstdint>

#include "consistency/online/online_checker.h"
#include "models/transport/message.h"
#include "platform/observe/watched_threads.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::platform {

class AccessManners {
 public:
  AccessManners(const protocols::CoherencePolicy& policy, const WatchedThreads& threads)
      : causality_(policy.cumulative_fences), gpu_homes_(policy.has(protocols::Role::gpu_home)), threads_(threads) {}

  /// What fences, releases and acquires order is judged.
  bool causality() const { return causality_; }
  /// Of a fence in the thread of `running`; null: of no warp's.
  consistency::Manner of_fence(isa::Scope scope, isa::Semantics semantics,
                               const WatchedThreads::Running* running) const;
  consistency::Manner of(const models::Message& message) const;

 private:
  consistency::Reach reach_of(isa::Scope scope) const;
  consistency::Manner of_thread(const WatchedThreads::Running* running) const;

  const bool causality_;
  const bool gpu_homes_;  ///< GPUs have homes, where what has their scope ends
  const WatchedThreads& threads_;
};

}  // namespace syncline::platform
