#include "platform/observe/access_manners.h"

#include "models/sm/seams/fence_rule.h"

namespace syncline::platform {

using consistency::Manner;
using consistency::Reach;

Reach AccessManners::reach_of(isa::Scope scope) const {
  if (models::is_within_cta(scope)) return Reach::cta;
  return gpu_homes_ && scope == isa::Scope::gpu ? Reach::gpu : Reach::all;
}

Manner AccessManners::of_thread(const WatchedThreads::Running* running) const {
  Manner manner;
  if (running == nullptr) return manner;
  manner.cta = running->cta;
  if (gpu_homes_) manner.gpu = running->gpu;  // else nothing reaches a GPU alone
  return manner;
}

Manner AccessManners::of_fence(isa::Scope scope, isa::Semantics semantics,
                               const WatchedThreads::Running* running) const {
  Manner manner = of_thread(running);
  manner.reach = reach_of(scope);
  manner.acquires = semantics != isa::Semantics::release;
  manner.releases = semantics != isa::Semantics::acquire;
  return manner;
}

Manner AccessManners::of(const models::Message& message) const {
  const isa::Semantics semantics = message.semantics;
  const bool weak = semantics == isa::Semantics::weak || semantics == isa::Semantics::none;
  Manner manner = of_thread(threads_.of(message));
  manner.reach = weak && message.atomic == isa::AtomicOp::none ? Reach::weak : reach_of(message.scope);
  if (!causality_) return manner;
  const bool both = semantics == isa::Semantics::acq_rel || semantics == isa::Semantics::sc;
  manner.acquires = both || semantics == isa::Semantics::acquire;
  manner.releases = both || semantics == isa::Semantics::release;
  return manner;
}

}  // namespace syncline::platform
