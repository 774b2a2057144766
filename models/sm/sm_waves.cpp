// What an SM shows in waves: counts of its warps, and when asked for the state of every warp slot.
#include <fmt/format.h>

#include "models/sm/sm.h"

namespace syncline::models {
namespace {

constexpr std::uint64_t spins = warp_states;  ///< behind the states: a warp that repeats itself

/// As Sm::shown_state has them: a warp that is ready is so for one pipe, which nobody asks for here.
SharedValueNames warp_state_names(const std::vector<std::string_view>& gate_reasons) {
  auto names = std::make_shared<ValueNames>();
  names->name = "warp_state";
  const auto add = [&names](WarpState state, std::string_view name) {
    names->values.emplace_back(static_cast<std::uint64_t>(state), name);
  };
  add(WarpState::ready_sp, state_name(WarpState::ready_sp));
  for (unsigned reason = 0; reason < gate_reasons.size(); ++reason) add(gated_state(reason), gate_reasons[reason]);
  for (auto state = static_cast<unsigned>(WarpState::latency); state < warp_states; ++state)
    add(static_cast<WarpState>(state), state_name(static_cast<WarpState>(state)));
  names->values.emplace_back(spins, "spin");
  return names;
}

}  // namespace

void Sm::register_waves() {
  const TracedAs by_turns{Changes::with_block};
  const auto count_in = [this](const char* name, WarpState state) {
    const WarpMask& warps = states_.in(state);
    traced("sm", name, 8, [&warps] { return warp_count(warps); }, {Changes::with_block, nullptr, false, &warps});
  };
  traced(
      "sm", "resident_ctas", 8, [this] { return resident_ctas_; }, by_turns);
  traced("sm", "active_warps", 8, [this] { return resident_warps(); },
         {Changes::with_block, nullptr, false, &states_.in(WarpState::empty)});
  traced("sm", "issued", 4, [this] { return clock()->now() == now_ ? issued_now_ : 0; }, {Changes::until_zero});
  traced(
      "sm", "ready_warps", 8, [this] { return warp_count(states_.ready()); }, by_turns);
  count_in("memory_warps", WarpState::memory);
  count_in("barrier_warps", WarpState::barrier);
  count_in("fence_warps", WarpState::fence);
  traced(
      "sm", "memory_queue", 8, [this] { return path_.queued(); }, by_turns);
  traced("ports", "to_l1_busy", 1, [this] { return std::uint64_t{to_l1.any_busy()}; },
         {Changes::with_block, nullptr, true});
  const SharedValueNames states = warp_state_names(gate_reasons_);
  for (unsigned slot = 0; slot < spec_.max_warps; ++slot) register_warp_waves(slot, states);
}

void Sm::register_warp_waves(unsigned slot, const SharedValueNames& states) {
  const TracedAs number{Changes::with_block, nullptr, true};
  const std::string warp = fmt::format("warp{:02}_", slot);
  const WarpContext& w = warps_[slot];
  traced("warps", warp + "state", 5, [this, slot] { return shown_state(slot); }, {Changes::with_block, states, true});
  traced(
      "warps", warp + "line", 32, [&w] { return w.live ? w.warp.next()->line : 0; }, number);
  traced(
      "warps", warp + "lanes", spec_.warp_size, [&w] { return w.live ? w.warp.active() : 0; }, number);
  traced(
      "warps", warp + "kernel", 32, [this, slot] { return kernel_of(slot); }, number);
}

std::uint64_t Sm::shown_state(unsigned slot) const {
  const WarpState state = states_.of(slot);
  if (looks_ && warps_[slot].live && spins_[slot].repeats()) return spins;
  return static_cast<std::uint64_t>(state < WarpState::gated ? WarpState::ready_sp : state);
}

/// Counted from 1; 0: the slot is empty.
std::uint64_t Sm::kernel_of(unsigned slot) const {
  if (states_.of(slot) == WarpState::empty) return 0;
  const GridLaunch* const grid = cta_slots_[warps_[slot].cta].grid;
  return grid == nullptr ? 0 : base::kernel_number(grid->id);
}

}  // namespace syncline::models
