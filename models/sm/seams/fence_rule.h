// Seam: what a fence (membar, fence, bar.sync's share of it) costs a warp under a consistency model.
#pragma once

#include "isa/vocabulary.h"

namespace syncline::models {

struct FencePlan {
  bool drain = true;   ///< wait until all earlier accesses of the warp are performed
  bool ask_l1 = true;  ///< then send a fence message and wait for its answer
};

class FenceRule {
 public:
  virtual ~FenceRule() = default;
  virtual FencePlan plan(isa::Scope scope, isa::Semantics semantics) const = 0;
};

/// Weakly ordered machines: a fence drains the warp and tells the L1.
class DrainingFence final : public FenceRule {
 public:
  FencePlan plan(isa::Scope, isa::Semantics) const override { return {true, true}; }
};

/// Sequentially consistent machines: order holds anyway, a fence is a no-op (Ren 2018, 3.5).
class NoFence final : public FenceRule {
 public:
  FencePlan plan(isa::Scope, isa::Semantics) const override { return {false, false}; }
};

}  // namespace syncline::models
