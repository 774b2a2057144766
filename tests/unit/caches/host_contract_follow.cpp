// The explored side does what the timed side has done in a cycle.
#include <algorithm>

#include "tests/unit/caches/host_contract.h"

namespace syncline::tests {

using explore::State;
using explore::World;

namespace {
/// Place of the oldest message of the way of `packet`.
unsigned oldest(const State& state, const explore::Packet& packet) {
  const auto first = std::lower_bound(state.packets.begin(), state.packets.end(), packet, explore::in_order);
  return static_cast<unsigned>(first - state.packets.begin());
}
}  // namespace

/// The explored side is presented what waits, if it is its turn there.
HostContract::Verdict HostContract::ask(World& world, State& state, const Command& command) const {
  // What is taken up again is older. Answers do not wait for it at a home.
  const auto& replays = state.nodes[command.node].replays;
  switch (command.kind) {
    case Command::Kind::issue:
      return replays.empty() ? world.issue(state, command.which) : Verdict::waits;
    case Command::Kind::deliver:
      if (command.node == home && !replays.empty() && command.packet.network <= replays.front().network)
        return Verdict::waits;
      return world.receive(state, oldest(state, command.packet));
    case Command::Kind::memory:
      break;
  }
  return world.memory_data(state, command.which);
}

HostContract::Verdict HostContract::apply(World& world, State& state, unsigned node, const Move& move) const {
  switch (move.kind) {
    case Move::Kind::fire:
      return world.fire(state, move.which);
    case Move::Kind::replace_directory_entry:
      return world.replace_directory_entry(state, node, move.which);
    case Move::Kind::replace:
      return world.replace(state, node, move.which);
    case Move::Kind::ring:
      return world.receive(state, move.which);
    case Move::Kind::replay:
      return world.replay(state, node);
    case Move::Kind::take:
      break;
  }
  return ask(world, state, waiting_[move.which]);
}

/// What may have happened at the node, in the order in which a timed cache looks at things.
std::vector<HostContract::Move> HostContract::moves(unsigned node) const {
  std::vector<Move> all;
  const auto add_waiting = [&](Command::Kind kind) {
    for (unsigned network = explore::max_networks; network-- > 0;) {
      for (unsigned i = 0; i < waiting_.size(); ++i) {
        const bool here = waiting_[i].node == node && waiting_[i].kind == kind;
        if (here && (kind == Command::Kind::deliver ? waiting_[i].packet.network : 0U) == network)
          all.push_back({Move::Kind::take, i});
      }
    }
  };
  for (unsigned i = 0; i < state_.packets.size(); ++i) {
    if (state_.packets[i].destination == node && world_->is_on_ring(state_.packets[i]))
      all.push_back({Move::Kind::ring, i});
  }
  if (node == home) add_waiting(Command::Kind::memory);
  for (unsigned i = 0; i < state_.timers.size(); ++i) {
    if (state_.timers[i].node == node && state_.timers[i].at <= state_.time) all.push_back({Move::Kind::fire, i});
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    const explore::Copy& copy = state_.nodes[node].lines[line];
    if (copy.has_directory_entry && world_->first_of_entry(line) == line)
      all.push_back({Move::Kind::replace_directory_entry, line});
    if (copy.has_frame) all.push_back({Move::Kind::replace, line});
  }
  if (node != home) add_waiting(Command::Kind::deliver);
  if (!state_.nodes[node].replays.empty()) all.push_back({Move::Kind::replay, 0});
  add_waiting(node == home ? Command::Kind::deliver : Command::Kind::issue);
  return all;
}

/// Whether the timed side has taken all rows that the explored one has taken since `before`, which are then noted.
bool HostContract::noted(unsigned node, const std::vector<std::uint64_t>& before) {
  const std::vector<std::uint64_t>& after = world_->machine(node).taken();
  const std::vector<std::uint64_t>& timed = lines(node).machine().taken();
  for (std::size_t row = 0; row < after.size(); ++row) {
    if (after[row] != before[row] && taken_[node][row] + (after[row] - before[row]) > timed[row]) return false;
  }
  for (std::size_t row = 0; row < after.size(); ++row) taken_[node][row] += after[row] - before[row];
  return true;
}

/// Has the explored side make a move if the timed side has taken the same rows, too.
bool HostContract::made(unsigned node, const Move& move) {
  const std::vector<std::uint64_t> before = world_->machine(node).taken();
  State copy = state_;
  const Command* const command = move.kind == Move::Kind::take ? &waiting_[move.which] : nullptr;
  const explore::OpKind op = command != nullptr && command->kind == Command::Kind::issue ? next_op(command->which).kind
                                                                                         : explore::OpKind::load;
  // A fence is counted by its L1; when a grid begins at an empty one, the answer tells.
  if (op == explore::OpKind::fence && fences_taken_[node] == timed_fences_[node]->value()) return false;
  const bool done = apply(*world_, copy, node, move) == Verdict::done;
  const bool took_rows = world_->machine(node).taken() != before;
  if (!done && !took_rows) return false;
  if (op == explore::OpKind::flush && !took_rows && fence_[command->which].answered == 0) return false;
  if (!noted(node, before)) return false;
  state_ = copy;
  if (!done) return true;  // it waits, and something has happened all the same
  replays_ += move.kind == Move::Kind::replay ? 1 : 0;
  replacements_ += move.kind == Move::Kind::replace || move.kind == Move::Kind::replace_directory_entry ? 1 : 0;
  if (command == nullptr) return true;
  if (op == explore::OpKind::fence || op == explore::OpKind::flush) {
    const explore::ThreadState& thread = state_.threads[command->which];
    fence_[command->which].earliest = std::max(now_ + 1, thread.fencing ? thread.fence_until : 0);
  }
  if (op == explore::OpKind::fence) {
    ++fences_taken_[node];
    ++fences_;
  }
  waiting_.erase(waiting_.begin() + move.which);
  ++done_;
  return true;
}

bool HostContract::same_rows(unsigned node) const {
  const std::vector<std::uint64_t>& timed = lines(node).machine().taken();
  for (std::size_t row = 0; row < timed.size(); ++row) {
    if (timed[row] != taken_[node][row] && !waits_only(node, row)) return false;
  }
  if (node == home) return true;
  return fences_taken_[node] == timed_fences_[node]->value() &&
         std::none_of(waiting_.begin(), waiting_.end(), [&](const Command& command) {
           return command.node == node && command.kind == Command::Kind::issue && fence_[command.which].answered != 0 &&
                  fence_[command.which].waits;
         });
}

/// Whether `moves` of the explored side, or fewer, lead to where the timed side is.
bool HostContract::reach(unsigned node, unsigned moves_left) {
  if (same_rows(node)) {
    std::string difference = compare_node(node);
    // What an L1 sends leaves in the cycle in which it is looked at.
    if (difference.empty() && node != home)
      difference = compare_flights([node](unsigned source) { return source == node; });
    if (difference.empty()) return true;
    difference_ = difference;
  }
  if (moves_left == 0) return false;
  for (const Move& move : moves(node)) {
    const auto before = std::tuple(state_, taken_[node], waiting_, fence_, fences_taken_,
                                   std::array{done_, replays_, replacements_, fences_});
    if (!made(node, move)) continue;
    if (reach(node, moves_left - 1)) return true;
    std::tie(state_, taken_[node], waiting_, fence_, fences_taken_, std::ignore) = before;
    const auto& counts = std::get<5>(before);
    done_ = counts[0];
    replays_ = counts[1];
    replacements_ = counts[2];
    fences_ = counts[3];
  }
  return false;
}

/// What the timed side has done in this cycle happens at the other one.
std::string HostContract::follow(unsigned node) {
  difference_.clear();
  if (reach(node, 12)) return {};
  if (!difference_.empty()) return difference_;
  const std::vector<std::uint64_t>& timed = lines(node).machine().taken();
  std::string rows;
  for (std::size_t row = 0; row < timed.size(); ++row) {
    if (timed[row] != taken_[node][row] && !waits_only(node, row))
      rows +=
          " [" +
          row_name(lines(node).machine().table().transitions()[row].row, lines(node).machine().table().vocabulary()) +
          "]";
  }
  return fmt::format("cycle {}: {} has taken rows that the explored one cannot:{}", now_, where(node), rows);
}

}  // namespace syncline::tests
