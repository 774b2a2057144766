#include "platform/observe/barrier_phases.h"

namespace syncline::platform {
namespace {

template <class T>
T& at(std::vector<std::vector<T>>& slots, base::SmId sm, unsigned slot) {
  if (slots.size() <= sm.value()) slots.resize(sm.value() + 1U);
  std::vector<T>& of_sm = slots[sm.value()];
  if (of_sm.size() <= slot) of_sm.resize(slot + 1U);
  return of_sm[slot];
}

}  // namespace

void BarrierPhases::cta_launched(base::SmId sm, base::CtaSlot slot, unsigned warps) {
  at(ctas_, sm, slot.value()) = {{warps > 1 ? ++groups_ : 0, 0}, false};  // one warp needs no barrier
}

void BarrierPhases::warp_started(const models::WarpIdentity& warp) {
  at(warps_, warp.sm, warp.slot).clear();
}

void BarrierPhases::memory_started(const models::WarpIdentity& warp, std::uint64_t order) {
  constexpr std::size_t remembered = 16;
  const consistency::BarrierPhase& now = ctas_[warp.sm.value()][warp.cta_slot.value()].now;
  Phases& phases = warps_[warp.sm.value()][warp.slot];
  if (!phases.empty() && phases.back().when == now) return;
  if (phases.size() == remembered) phases.erase(phases.begin());
  phases.push_back({order, now});
}

/// Who has ended did not wait, so nothing orders what that warp did last with what others do from now on: they begin
/// anew without it.
void BarrierPhases::cta_met(base::SmId sm, base::CtaSlot slot) {
  Cta& cta = ctas_[sm.value()][slot.value()];
  if (cta.now.group == 0) return;
  if (cta.is_fewer)
    cta = {{++groups_, 0}, false};
  else
    ++cta.now.phase;
}

void BarrierPhases::exited(const models::WarpIdentity& warp) {
  ctas_[warp.sm.value()][warp.cta_slot.value()].is_fewer = true;
}

consistency::BarrierPhase BarrierPhases::of(base::SmId sm, base::WarpSlot warp, std::uint64_t order) const {
  const Phases& phases = warps_[sm.value()].at(warp.value());
  for (auto from = phases.rbegin(); from != phases.rend(); ++from)
    if (from->order <= order) return from->when;
  return {};
}

}  // namespace syncline::platform
