// Seam: what a fence (membar, fence, bar.sync's share of it) costs a warp under a consistency model.
#pragma once

#include "isa/vocabulary.h"

namespace syncline::models {

struct FencePlan {
  bool drain = true;   ///< wait until all earlier accesses of the warp are performed
  bool ask_l1 = true;  ///< then send a fence message and wait for its answer
  /// Do not wait now. The warp's accesses that are under way are marked instead, and every later fence of the CTA that
  /// drains waits for them, too, whichever warp issues it: a thread that has learnt of them through a fence of scope
  /// cta may tell the whole GPU (in the PTX memory model causality order chains over scopes).
  bool hand_on = false;
  /// With `drain`: when the warp's own accesses are performed, wait also for the stores that the SM's other warps have
  /// under way then. The warp may have read what they store.
  bool drain_sm = false;
};

class FenceRule {
 public:
  virtual ~FenceRule() = default;
  virtual FencePlan plan(isa::Scope scope, isa::Semantics semantics) const = 0;
};

/// Fences of these scopes order what the warps of one SM see of each other.
constexpr bool is_within_cta(isa::Scope scope) {
  return scope == isa::Scope::cta || scope == isa::Scope::cluster;  // a cluster is one CTA
}

/// Weakly ordered machines: a fence drains the warp and tells the L1. `early`: CoherencePolicy::shows_stores_early.
class DrainingFence final : public FenceRule {
 public:
  explicit DrainingFence(bool early = false) : early_(early) {}
  FencePlan plan(isa::Scope scope, isa::Semantics) const override {
    return {true, true, false, early_ && !is_within_cta(scope)};
  }

 private:
  bool early_;
};

/// Weakly ordered machines whose L1s show their SM all accesses in the order in which they pass
/// (CoherencePolicy::sm_order): a CTA needs no more, so a fence of its scope waits for nothing.
class ScopedFence final : public FenceRule {
 public:
  explicit ScopedFence(bool early = false) : early_(early) {}
  FencePlan plan(isa::Scope scope, isa::Semantics) const override {
    const bool within_cta = is_within_cta(scope);
    return {!within_cta, !within_cta, within_cta, early_ && !within_cta};
  }

 private:
  bool early_;
};

/// Sequentially consistent machines: order holds anyway, a fence is a no-op (Ren 2018, 3.5).
class NoFence final : public FenceRule {
 public:
  FencePlan plan(isa::Scope, isa::Semantics) const override { return {false, false, false}; }
};

}  // namespace syncline::models
