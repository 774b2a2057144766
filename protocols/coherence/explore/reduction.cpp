#include "protocols/coherence/explore/reduction.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::explore {
namespace {

bool sets_timer(const Transition& t, const Vocabulary& words) {
  return std::any_of(t.row.actions.begin(), t.row.actions.end(),
                     [&words](Code action) { return words.actions[action].asks == ActionKind::wake_at; });
}

/// By state: whether a timer that is set does nothing there, nor later. It does nothing now by all rows of the state;
/// and where a line waits for a timer, as a row tells that ignores earlier ones, whatever leads there sets a timer of
/// its own, which ends no earlier. Where a table gives no such promise it is so in no state.
std::vector<bool> states_without_timer(const TransitionTable& table) {
  const Vocabulary& words = table.vocabulary();
  std::vector<bool> ignores(words.states.size(), false), acts(words.states.size(), false);
  for (const Transition& t : table.transitions()) {
    if ((words.events[t.row.event].trigger.sources & on::timer.sources) == 0) continue;
    const bool is_idle = t.row.next == t.row.state && t.row.actions.size() == 0;
    (is_idle ? ignores : acts)[t.row.state] = true;
  }
  bool promised = true;
  for (const Transition& t : table.transitions())
    promised = promised && (!acts[t.row.next] || t.row.next == t.row.state || sets_timer(t, words));
  std::vector<bool> idle(words.states.size());
  for (std::size_t state = 0; state < idle.size(); ++state) {
    promised = promised && (!acts[state] || ignores[state]);
    idle[state] = ignores[state] && !acts[state];
  }
  return promised ? idle : std::vector<bool>(idle.size(), false);
}

}  // namespace

Reduction::Reduction(World& world, const Shape& shape)
    : world_(world), shape_(shape), idle_(states_without_timer(*world.policy().table(Role::home))) {}

bool Reduction::may_wait(const State& state, std::string& bytes, unsigned node, unsigned line) const {
  const auto of_line = [&](const Timer& timer) { return timer.node == node && timer.line == line; };
  if (std::any_of(state.timers.begin(), state.timers.end(), of_line)) return false;
  State after = state;
  try {
    if (world_.replace(after, node, line) != World::Verdict::done) return false;
    if (world_.options().invariants && !world_.broken_invariant(after).empty()) return false;
  } catch (const base::ModelError&) {
    return false;
  }
  if (after.packets.size() != state.packets.size()) return false;  // as most, which need not be written then
  after.nodes[node].lines[line] = state.nodes[node].lines[line];
  after.memory[line] = state.memory[line];
  after.timers.erase(std::remove_if(after.timers.begin(), after.timers.end(), of_line), after.timers.end());
  if (bytes.empty()) encode(state, shape_, bytes);
  encode(after, shape_, after_);
  return after_ == bytes;
}

void Reduction::end_idle_timers(State& state) const {
  for (unsigned i = 0; i < state.timers.size();) {
    const Timer& timer = state.timers[i];
    if (!world_.is_l1(timer.node) && idle_[state.nodes[timer.node].lines[timer.line].meta.state])
      world_.fire(state, i);
    else
      ++i;
  }
}

}  // namespace syncline::protocols::explore
