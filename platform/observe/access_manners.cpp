#include "platform/observe/access_manners.h"

#include "models/sm/seams/fence_rule.h"

namespace syncline::platform {

using consistency::Manner;
using consistency::Reach;

Reach AccessManners::reach_of(isa::Scope scope) const {
  const bool ends_in_gpu = gpu_homes_ && scope == isa::Scope::gpu;
  return models::is_within_cta(scope) || ends_in_gpu ? Reach::cta : Reach::all;
}

Manner AccessManners::of_fence(isa::Scope scope, isa::Semantics semantics, std::uint32_t cta) const {
  return {reach_of(scope), cta, semantics != isa::Semantics::release, semantics != isa::Semantics::acquire};
}

Manner AccessManners::of(const models::Message& message) const {
  const isa::Semantics semantics = message.semantics;
  const bool weak = semantics == isa::Semantics::weak || semantics == isa::Semantics::none;
  Manner manner;
  manner.reach = weak && message.atomic == isa::AtomicOp::none ? Reach::weak : reach_of(message.scope);
  if (const auto* const running = threads_.of(message); running != nullptr) manner.cta = running->cta;
  if (!causality_) return manner;
  const bool both = semantics == isa::Semantics::acq_rel || semantics == isa::Semantics::sc;
  manner.acquires = both || semantics == isa::Semantics::acquire;
  manner.releases = both || semantics == isa::Semantics::release;
  return manner;
}

}  // namespace syncline::platform
