// What the model checker takes for granted of an SM: which accesses of a warp wait for which.
//
// The world has threads where the platform has warps, and presents their operations to the L1s by these rules. That the
// SM keeps them is tested with the SM itself (tests/unit/sm/memory_order_test.cpp): the same small programs, and what
// reaches the L1 when. That it has to keep them is tested here: each rule that is broken lets a program end as the
// memory model forbids, or is one of those of which docs/model-checking.md says why nothing can show it.
//
//   program order  the accesses of a warp reach the L1 in its order, and so do those that wait together: no access of
//                  any warp of the SM passes one that the L1 refuses
//   relaxed        under weak ordering nothing else orders two accesses of a warp, not even that one place is meant
//   sc             under sequential consistency one access of a warp is under way at a time; fences do nothing
//   acquire        what follows an acquiring access waits for its answer, and the L1 is told of the acquire with it, in
//                  the same moment (Machine::fence, whose `flush` is done at once)
//   fence          waits until all earlier accesses of its warp are answered, asks the L1, and waits for its answer;
//                  what follows waits for that. Of all scopes; fence.acq_rel as fence.sc
//   release        a releasing access leaves when all earlier accesses of its warp are answered; at the L1 it waits,
//                  with all that is behind it, until a fence of its scope would be over. What follows does not wait
//   early stores   where mates read a store before it is performed (CoherencePolicy::shows_stores_early), fences and
//                  releases of the GPU or the system also wait for those stores and atomics of the SM's other warps
//                  that were under way when their own warp's last access was answered
//   grid           `flush` drops what the L1 has as the begin of another grid does, with accesses under way; it waits
//                  for nothing, and nothing waits for it
//
// Where a policy has fences of a CTA wait for nothing (CoherencePolicy::sm_order; `none` alone) the world lets them
// wait as others do.
#pragma once

namespace syncline::protocols::explore {

/// The rules as switches: false has the world do without, to see whether what is explored would tell. The checker
/// itself leaves them on.
struct SmRules {
  bool sc_waits_for_loads = true, sc_waits_for_stores = true, sc_waits_for_atomics = true;
  bool fence_waits_for_loads = true, fence_waits_for_stores = true, fence_waits_for_atomics = true;
  bool fence_asks_l1 = true;
  bool release_waits_for_loads = true, release_waits_for_stores = true, release_waits_for_atomics = true;
  bool release_asks_l1 = true;
  bool acquire_holds_later = true, acquire_tells_l1 = true;
  bool waits_for_mates = true;
};

}  // namespace syncline::protocols::explore
