// Global accesses go around the L1, as on the machine of GETM's evaluation: units of partitions write the L2 beside all
// L1s, which nobody tells of it.
#pragma once

#include "models/sm/seams/memory_stage.h"

namespace syncline::models {

class AroundL1 final : public MemoryStage {
 public:
  Offer offer(Message& request, base::Cycle) override {
    const bool may_hit = request.family == &l1_family && l1_kind(request) == L1Kind::global && !request.read_only;
    if (may_hit && request.message_class == MessageClass::load_request) request.cache = isa::CacheOp::cg;
    return Offer::pass;
  }
};

}  // namespace syncline::models
