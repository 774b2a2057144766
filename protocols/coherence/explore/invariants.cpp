// What holds in every state, whatever the program: between the nodes (World::broken_invariant), and of one line after
// each of its transitions (World::check_line).
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "protocols/coherence/explore/world.h"

namespace syncline::protocols::explore {

std::uint8_t World::truth(const State& state, unsigned line, unsigned word) const {
  const Copy& home = state.nodes[home_of(line)].lines[line];
  const bool held = home.has_frame && ((home.frame.valid >> word) & 1U) != 0;
  return held ? home.frame.words[word] : state.memory[line][word];
}

bool World::would_hit(const State& state, unsigned node, unsigned line) const {
  const Copy& copy = state.nodes[node].lines[line];
  if (!copy.has_frame) return false;
  Stimulus load;
  load.line = line * 128;
  load.time = state.time * tick_ps_;
  load.covered = copy.frame.valid == all_words_;
  const Transition& t = l1_->decide(load, copy.meta, state.nodes[node].meta);
  const auto& actions = l1_->table().vocabulary().actions;
  return std::any_of(t.row.actions.begin(), t.row.actions.end(), [&](Code code) {
    return actions[code].performer != Performer::machine && actions[code].performer != Performer::host &&
           actions[code].asks == ActionKind::answer;
  });
}

std::string World::broken_rest(const State& state) const {
  for (unsigned node = 0; node < state.nodes.size(); ++node) {
    const NodeMeta& meta = state.nodes[node].meta;
    const auto asks = [](const JointFence& joint) { return joint.phase != 0; };
    if (meta.phase != 0 || meta.acks != 0 || std::any_of(meta.fences.begin(), meta.fences.end(), asks) ||
        std::any_of(meta.markings.begin(), meta.markings.end(), asks))
      return fmt::format("at rest, {} waits for other nodes", node_name(node));
  }
  if (!policy_.copies_are_current) return {};
  if (!policy_.of_modules) return stale_copy(state);
  std::string stale = stale_module(state, 0);
  return stale.empty() && program_.lines() > 1 ? stale_module(state, 1) : stale;
}

std::string World::stale_copy(const State& state) const {
  for (unsigned node = 0; node < program_.l1s(); ++node) {
    for (unsigned line = 0; line < program_.lines(); ++line) {
      if (!would_hit(state, node, line)) continue;
      for (unsigned w = 0; w < program_.words(); ++w) {
        const std::uint8_t held = state.nodes[node].lines[line].frame.words[w];
        if (held != truth(state, line, w))
          return fmt::format("at rest, L1 {} would answer a load of line {} with {}, the home holds {}", node, line,
                             held, truth(state, line, w));
      }
    }
  }
  return {};
}

std::string World::stale_module(const State& state, unsigned line) const {
  for (unsigned node = max_l1s; node < state.nodes.size(); ++node) {
    const Copy& copy = state.nodes[node].lines[line];
    if (places_.is_home(node, line) || !copy.has_frame) continue;
    for (unsigned w = 0; w < program_.words(); ++w) {
      if (copy.frame.words[w] != truth(state, line, w))
        return fmt::format("at rest, {} would answer a load of {} with {}, the home holds {}", node_name(node),
                           location_name(line, w), copy.frame.words[w], truth(state, line, w));
    }
  }
  return {};
}

void World::check_line(unsigned node, unsigned line, const Copy& copy, const Request& request,
                       const NodeMeta& meta) const {
  const TransitionTable& table = machines_[request.role]->table();
  const std::string_view name = table.vocabulary().states[copy.meta.state].name;
  const auto fail = [&](std::string_view what) {
    throw base::ModelError(fmt::format("{}, state {}: {}", node_name(node), name, what));
  };
  if (table.stable(copy.meta.state)) {
    if (copy.meta.state == 0 && copy.has_frame) fail("a line that is not present keeps its frame");
    if (!is_l1(node) && copy.meta.state != 0 && !has_place(node, line, copy))
      fail("a line that is present has no place");
    if (has_place(node, line, copy) && copy.meta.acks != 0) fail("acknowledgements are awaited in a stable state");
    if (is_l1(node) && copy.has_frame && (copy.meta.pending_reads != 0 || copy.meta.pending_writes != 0))
      fail("requests are counted in a stable state");
  }
  if (is_l1(node) && serves_[copy.meta.state] && (!copy.has_frame || copy.frame.valid != all_words_))
    fail("the state serves loads, and the line is not here");
  if (is_l1(node) && request.stimulus.source == Stimulus::Source::flush && serves_[copy.meta.state])
    fail("a flush leaves a copy that serves loads");
  if (lists_sharers(node, line) && !request.of_node && copy.has_directory_entry == copy.meta.sharers.empty())
    fail("the directory has an entry for nobody, or none for somebody");
  const std::string_view broken = machines_[request.role]->broken(request.stimulus, copy.meta, meta);
  if (!broken.empty()) fail(broken);
}

std::string World::broken_invariant(const State& state) const {
  if (!policy_.coherent) return {};
  for (unsigned line = 0; line < program_.lines(); ++line) {
    if (policy_.of_modules) {
      const std::string broken = broken_modules(state, line);
      if (!broken.empty()) return broken;
      continue;
    }
    for (unsigned node = 0; node < program_.l1s(); ++node) {
      if (!state.nodes[node].lines[line].has_frame) continue;
      std::string broken = policy_.logical_time      ? broken_logical_lease(state, node, line)
                           : policy_.physical_leases ? broken_lease(state, node, line)
                                                     : broken_copy(state, node, line);
      if (!broken.empty()) return fmt::format("{}, line {}: {}", node_name(node), line, broken);
    }
    std::string broken = policy_.logical_time ? broken_waiting(state, line) : std::string();
    if (!broken.empty()) return fmt::format("{}, line {}: {}", node_name(home_of(line)), line, broken);
  }
  return {};
}

/// Where copies last until they are invalidated: the home knows of each, and each is current, unless a message about
/// the line is on its way from or to the L1.
std::string World::broken_copy(const State& state, unsigned node, unsigned line) const {
  const auto concerns = [&](const Packet& p) { return p.line == line && (p.source == node || p.destination == node); };
  if (std::any_of(state.packets.begin(), state.packets.end(), concerns) || !would_hit(state, node, line)) return {};
  const Copy& home = state.nodes[home_of(line)].lines[line];
  if (!home.meta.sharers.contains(node)) return "the home does not know of the copy";
  const Bytes& held = state.nodes[node].lines[line].frame;
  for (unsigned w = 0; w < program_.words(); ++w) {
    if (held.words[w] != truth(state, line, w)) return "the copy is old, and nothing is on its way to tell";
  }
  return {};
}

bool World::is_quiet(const State& state, unsigned line) const {
  const auto of_line = [&](const Packet& p) { return p.line == line && !policy_.messages[p.kind].of_node; };
  if (std::any_of(state.packets.begin(), state.packets.end(), of_line)) return false;
  return std::none_of(state.nodes.begin() + max_l1s, state.nodes.end(), [&](const Node& node) {
    return node.lines[line].has_entry || std::any_of(node.replays.begin(), node.replays.end(), of_line);
  });
}

/// Between modules: once nothing is under way about a line, each L2 that has a copy is noted where it asks for the
/// line, and its copy is current.
std::string World::broken_modules(const State& state, unsigned line) const {
  if (!policy_.copies_are_current || !is_quiet(state, line)) return {};
  for (unsigned node = max_l1s; node < state.nodes.size(); ++node) {
    if (places_.is_home(node, line) || !state.nodes[node].lines[line].has_frame) continue;
    const unsigned below = places_.below(node, line);
    if (lists_sharers(below, line) && !state.nodes[below].lines[line].meta.sharers.contains(node - max_l1s))
      return fmt::format("{}, line {}: {} does not know of the copy", node_name(node), line, node_name(below));
  }
  return stale_module(state, line);
}

/// Leases in physical time: the home remembers the end of each, and under the strong form nobody's store is performed
/// before.
std::string World::broken_lease(const State& state, unsigned node, unsigned line) const {
  const Copy& copy = state.nodes[node].lines[line];
  if (copy.meta.exp < state.time || !would_hit(state, node, line)) return {};
  if (state.nodes[home_of(line)].lines[line].meta.exp < copy.meta.exp)
    return "a lease lasts that the home has forgotten";
  if (!policy_.copies_are_current) return {};
  for (unsigned w = 0; w < program_.words(); ++w) {
    if (copy.frame.words[w] != truth(state, line, w)) return "the line was written during a lease";
  }
  return {};
}

/// Leases in logical time: no version of the line begins within a lease on an older one, and what the home has
/// forgotten of a line is covered by mnow.
std::string World::broken_logical_lease(const State& state, unsigned node, unsigned line) const {
  const Copy& copy = state.nodes[node].lines[line];
  if (copy.meta.exp == 0) return {};
  const Node& at = state.nodes[home_of(line)];
  if (at.meta.epoch != state.nodes[node].meta.epoch) return {};  // logical time begins anew
  const Copy& home = at.lines[line];
  if (!home.has_frame || home.has_entry)
    return at.meta.mnow > copy.meta.exp ? std::string() : "a lease lasts that the home's mnow does not cover";
  if (home.meta.exp < copy.meta.exp) return "a lease is longer than the home knows";
  if (home.meta.ver > copy.meta.exp) return {};
  for (unsigned w = 0; w < program_.words(); ++w) {
    if (copy.frame.words[w] != home.frame.words[w]) return "the line was written within a lease";
  }
  return {};
}

/// The home of `rcc` keeps account of the requests that wait for a line, so that none of them misses again.
std::string World::broken_waiting(const State& state, unsigned line) const {
  const Node& home = state.nodes[home_of(line)];
  const Copy& copy = home.lines[line];
  const auto here = [line](const Packet& p) { return p.line == line; };
  const auto waiting = static_cast<std::size_t>(std::count_if(home.replays.begin(), home.replays.end(), here));
  if (copy.known() && copy.meta.pending_writes != copy.parked.size() + waiting)
    return "the requests that wait are miscounted";
  unsigned loads = 0;
  for (const Packet& packet : copy.parked) {
    if (packet.operation != Packet::no_operation) continue;  // a store or atomic, which travels itself
    ++loads;
    if (!copy.meta.sharers.contains(packet.requester)) return "a load waits, and its SM is not noted";
  }
  if (program_.is_private(line)) loads = 0;  // needs no lease
  return copy.meta.pending_reads == loads ? std::string() : "the loads that wait are miscounted";
}

}  // namespace syncline::protocols::explore
