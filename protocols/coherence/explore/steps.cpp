#include "protocols/coherence/explore/steps.h"

#include <fmt/format.h>

#include <algorithm>

namespace syncline::protocols::explore {

Steps::Steps(World& world, bool merge, bool reduce_orders)
    : world_(world),
      policy_(world.policy()),
      shape_{static_cast<unsigned>(world.program().threads.size()),
             world.program().l1s(),
             world.program().lines(),
             world.program().words(),
             world.places().l2s(),
             world.spending(),
             world.policy().of_modules ? static_cast<unsigned>(world.policy().networks.size()) * Places::spans
                                       : max_networks,
             world.policy().of_modules ? NodeMeta::fence_scopes : 0},
      clock_(policy_, world.program(), merge),
      reduction_(world, shape_),
      reduces_(reduce_orders && policy_.physical_leases) {}

State Steps::first_state() const {
  State state;
  state.nodes.resize(shape_.nodes());
  if (policy_.physical_leases) state.time = present;
  if (policy_.logical_time && world_.options().time_left != 0) {
    const std::uint64_t begin = policy_.horizon - std::min(policy_.horizon, world_.options().time_left);
    for (unsigned n = 0; n < shape_.nodes(); ++n) {
      NodeMeta& meta = state.nodes[n].meta;
      if (world_.is_l1(n))
        meta.now = meta.read_view = meta.write_view = begin;
      else
        meta.mnow = begin;
    }
  }
  return state;
}

bool Steps::is_next(const State& state, unsigned index) const {
  const Packet& p = state.packets[index];
  for (unsigned j = index; j-- > 0;) {
    const Packet& older = state.packets[j];
    if (older.destination != p.destination || older.network != p.network || older.source != p.source) break;
    if (!(older.recycled && older.line != p.line) && !world_.may_pass(older, p)) return false;
  }
  return true;
}

void Steps::list(const State& state, std::vector<Step>& steps) const {
  steps.clear();
  const auto add = [&steps](Step::Kind kind, unsigned a, unsigned b = 0) {
    steps.push_back({kind, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)});
  };
  for (unsigned t = 0; t < shape_.threads; ++t) {
    if (world_.may_issue(state, t)) add(Step::Kind::issue, t);
  }
  for (unsigned i = 0; i < state.packets.size(); ++i) {
    const Packet& p = state.packets[i];
    const bool may_pass = is_next(state, i);
    // What a home takes up again is older than the requests that arrive, but not than the answers that it may need.
    // From farther than what it takes up come other lines' only, for that may have to go there first.
    const auto& replays = state.nodes[p.destination].replays;
    if (world_.is_on_ring(p)) {
      if (may_pass) add(Step::Kind::receive, i);
      continue;
    }
    if (!world_.is_l1(p.destination) && !replays.empty() && p.network <= replays.front().network &&
        (world_.span(p) <= world_.places().span(replays.front().source, p.destination) ||
         std::any_of(replays.begin(), replays.end(), [&p](const Packet& older) { return older.line == p.line; })))
      continue;
    const std::uint8_t head = state.nodes[p.destination].blocked[world_.lane(p)];
    if (may_pass && (head == 0 || head == p.source + 1)) add(Step::Kind::receive, i);
  }
  for (unsigned n = 0; n < shape_.nodes(); ++n) {
    const Node& node = state.nodes[n];
    if (!node.replays.empty()) add(Step::Kind::replay, n);
    for (unsigned line = 0; world_.options().replacements && line < shape_.lines; ++line) {
      if (!reduces_ && may_replace(state, n, line)) add(Step::Kind::replace, n, line);
      if (node.lines[line].has_directory_entry && line == world_.first_of_entry(line))
        add(Step::Kind::replace_directory_entry, n, line);
    }
  }
  for (unsigned line = 0; line < shape_.lines; ++line) {
    if (((state.fetching >> line) & 1U) != 0) add(Step::Kind::memory_data, line);
  }
  // A cache looks at its timers before it looks at anything that comes later, so the clock does not tick over one.
  bool due = false;
  for (unsigned i = 0; i < state.timers.size(); ++i) {
    if (state.timers[i].at > state.time) continue;
    add(Step::Kind::fire, i);
    due = true;
  }
  if (policy_.physical_leases && !due && time_matters(state)) add(Step::Kind::tick, 0);
  if (!reduces_ || !world_.options().replacements) return;
  bytes_.clear();
  for (unsigned n = 0; n < shape_.nodes(); ++n) {
    for (unsigned line = 0; line < shape_.lines; ++line) {
      if (may_replace(state, n, line)) list_replacement(state, n, line, steps);
    }
  }
}

Steps::Place Steps::place_of(const State& state, const Step& step) const {
  const auto at = [](unsigned node, unsigned line) { return Place{node, static_cast<std::uint8_t>(1U << line)}; };
  switch (step.kind) {
    case Step::Kind::issue: {
      const Thread& thread = world_.program().threads[step.a];
      const Op& op = thread.ops[state.threads[step.a].next];
      const bool all = op.kind == OpKind::flush || op.kind == OpKind::fence;
      return all ? Place{thread.l1, 0xff} : at(thread.l1, op.line);
    }
    case Step::Kind::receive:
      return at(state.packets[step.a].destination, state.packets[step.a].line);
    case Step::Kind::replay:
      return at(step.a, state.nodes[step.a].replays.front().line);
    case Step::Kind::memory_data:
      return at(world_.home_of(step.a), step.a);
    case Step::Kind::fire:
      return at(state.timers[step.a].node, state.timers[step.a].line);
    case Step::Kind::replace:
    case Step::Kind::replace_directory_entry:
      return at(step.a, step.b);
    case Step::Kind::tick:
      break;
  }
  return {max_nodes, 0};
}

/// One that may wait is tried right before what happens to the line at its node, and when nothing will.
void Steps::list_replacement(const State& state, unsigned node, unsigned line, std::vector<Step>& steps) const {
  const std::size_t others = steps.size();
  bool at_once = world_.finished(state) || !reduction_.may_wait(state, bytes_, node, line);
  for (std::size_t i = 0; i < others && !at_once; ++i) {
    Step step = steps[i];
    const Place place = place_of(state, step);
    if (step.replaced != 0 || place.node != node || ((place.lines >> line) & 1U) == 0) continue;
    if (step.kind == Step::Kind::fire || step.kind == Step::Kind::replace_directory_entry) at_once = true;
    step.replaced = static_cast<std::uint8_t>(line + 1);
    steps.push_back(step);
  }
  if (!at_once) return;
  steps.resize(others);
  steps.push_back({Step::Kind::replace, static_cast<std::uint8_t>(node), static_cast<std::uint8_t>(line)});
}

bool Steps::may_replace(const State& state, unsigned node, unsigned line) const {
  if (!state.nodes[node].lines[line].has_frame) return false;
  if (world_.is_l1(node)) return !clock_.needs_no_replacement(state, node, line);
  return !policy_.logical_time || state.home_evictions < world_.options().home_evictions;
}

bool Steps::time_matters(const State& state) const {
  for (unsigned t = 0; t < shape_.threads; ++t) {
    if (state.threads[t].fencing && state.threads[t].fence_until > state.time) return true;
    if (world_.release_waits(state, t)) return true;
  }
  for (const Timer& timer : state.timers) {
    if (timer.at > state.time) return true;
  }
  return std::any_of(state.nodes.begin(), state.nodes.end(), [&](const Node& node) {
    return std::any_of(node.meta.gwct.begin(), node.meta.gwct.begin() + shape_.threads,
                       [&](std::uint64_t gwct) { return gwct >= state.time && gwct != 0; }) ||
           std::any_of(node.lines.begin(), node.lines.end(), [&](const Copy& copy) {
             return copy.known() && copy.meta.exp >= state.time && copy.meta.exp != 0;
           });
  });
}

void Steps::settle(State& state) const {
  for (unsigned i = 0; i < state.packets.size();) {
    const bool now = is_next(state, i) && world_.is_at_once(state, state.packets[i]);
    // It may let others go before it in the list.
    i = now && world_.receive(state, i) == World::Verdict::done ? 0 : i + 1;
  }
  if (reduces_) reduction_.end_idle_timers(state);
  clock_.set_back(state);
}

World::Verdict Steps::apply(State& state, const Step& step) const {
  if (step.replaced != 0) {
    const Place place = place_of(state, step);
    if (world_.replace(state, place.node, step.replaced - 1U) != World::Verdict::done) return World::Verdict::waits;
  }
  switch (step.kind) {
    case Step::Kind::issue:
      return world_.issue(state, step.a);
    case Step::Kind::receive:
      return world_.receive(state, step.a);
    case Step::Kind::replay:
      return world_.replay(state, step.a);
    case Step::Kind::memory_data:
      return world_.memory_data(state, step.a);
    case Step::Kind::replace:
      if (world_.replace(state, step.a, step.b) != World::Verdict::done) return World::Verdict::waits;
      if (!world_.is_l1(step.a) && policy_.logical_time) ++state.home_evictions;
      return World::Verdict::done;
    case Step::Kind::replace_directory_entry:
      return world_.replace_directory_entry(state, step.a, step.b);
    case Step::Kind::fire:
      return world_.fire(state, step.a);
    case Step::Kind::tick:
      ++state.time;
      return World::Verdict::done;
  }
  return World::Verdict::done;
}

std::string Steps::describe(const State& state, const Step& step) const {
  if (step.replaced != 0) {
    Step then = step;
    then.replaced = 0;
    return fmt::format("{} replaces {}; {}", world_.node_name(place_of(state, step).node),
                       location_name(step.replaced - 1U, 0), describe(state, then));
  }
  switch (step.kind) {
    case Step::Kind::issue:
      return fmt::format("thread {}: {}", step.a,
                         text_of(world_.program().threads[step.a].ops[state.threads[step.a].next]));
    case Step::Kind::receive: {
      const Packet& p = state.packets[step.a];
      return fmt::format("{} of {} arrives at {}, line {}", policy_.messages[p.kind].name, world_.node_name(p.source),
                         world_.node_name(p.destination), location_name(p.line, 0));
    }
    case Step::Kind::replay:
      return fmt::format("{} takes up what waited", world_.node_name(step.a));
    case Step::Kind::memory_data:
      return fmt::format("memory delivers {}", location_name(step.a, 0));
    case Step::Kind::replace:
      return fmt::format("{} replaces {}", world_.node_name(step.a), location_name(step.b, 0));
    case Step::Kind::replace_directory_entry:
      return fmt::format("{} replaces {} in its directory", world_.node_name(step.a), location_name(step.b, 0));
    case Step::Kind::fire:
      return fmt::format("a timer of {} ends", world_.node_name(state.timers[step.a].node));
    case Step::Kind::tick:
      return "the clock ticks";
  }
  return {};
}

}  // namespace syncline::protocols::explore
