#include "tests/unit/caches/host_contract.h"

#include <algorithm>
#include <utility>

namespace syncline::tests {

using explore::State;
using explore::World;
using models::Message;
using models::MessageClass;
using models::nowhere;

namespace {

/// Place of the oldest message of the way of `packet`.
unsigned oldest(const State& state, const explore::Packet& packet) {
  const auto first = std::lower_bound(state.packets.begin(), state.packets.end(), packet, explore::in_order);
  return static_cast<unsigned>(first - state.packets.begin());
}

isa::Scope scope_of(protocols::Scope scope) {
  switch (scope) {
    case protocols::Scope::none:
      return isa::Scope::none;
    case protocols::Scope::cta:
      return isa::Scope::cta;
    case protocols::Scope::gpu:
      return isa::Scope::gpu;
    case protocols::Scope::sys:
      break;
  }
  return isa::Scope::sys;
}

isa::Semantics semantics_of(explore::Ordering ordering) {
  switch (ordering) {
    case explore::Ordering::relaxed:
      return isa::Semantics::weak;
    case explore::Ordering::acquire:
      return isa::Semantics::acquire;
    case explore::Ordering::release:
      return isa::Semantics::release;
    case explore::Ordering::acq_rel:
      break;
  }
  return isa::Semantics::acq_rel;
}

isa::AtomicOp atomic_of(explore::AtomicKind kind) {
  switch (kind) {
    case explore::AtomicKind::add:
      return isa::AtomicOp::add;
    case explore::AtomicKind::exch:
      return isa::AtomicOp::exch;
    case explore::AtomicKind::cas:
      break;
  }
  return isa::AtomicOp::cas;
}

}  // namespace

explore::Op HostContract::make_op(base::Random& random, unsigned thread, bool has_private_line) const {
  using explore::Manner;
  using explore::OpKind;
  using explore::Ordering;
  constexpr protocols::Scope scopes[] = {protocols::Scope::cta, protocols::Scope::gpu, protocols::Scope::sys};
  explore::Op op;
  op.scope = scopes[random.below(3)];
  const unsigned kind = random.below(18);
  // Under sequential consistency an SM asks no L1 for fences.
  if (kind < 2 && policy_.consistency != protocols::Consistency::sc) {
    op.kind = OpKind::fence;
    return op;
  }
  if (kind == 2) {
    op.kind = OpKind::flush;
    return op;
  }
  op.kind = kind < 8 ? OpKind::load : kind < 14 ? OpKind::store : OpKind::atomic;
  op.line = static_cast<std::uint8_t>(random.below(has_private_line && thread != 0 ? 1 : explore::max_lines));
  op.word = static_cast<std::uint8_t>(random.below(explore::max_words));
  op.value = static_cast<std::uint8_t>(1 + random.below(9));
  if (has_private_line && op.line == 1) {
    if (op.kind == OpKind::atomic) op.kind = OpKind::load;
    op.manner = Manner::is_private;
    op.scope = protocols::Scope::none;
    return op;
  }
  op.atomic = static_cast<explore::AtomicKind>(random.below(3));
  op.compare = static_cast<std::uint8_t>(random.below(3));
  const unsigned how = random.below(8);
  if (how < 2) {
    op.ordering = op.kind == OpKind::load    ? Ordering::acquire
                  : op.kind == OpKind::store ? Ordering::release
                                             : static_cast<Ordering>(1 + random.below(3));
    // An L1 asks whether it may release before it asks itself for room, and remembers that it did.
    if (spec_.tight && op.releases()) op.ordering = Ordering::relaxed;
    return op;
  }
  op.scope = protocols::Scope::none;
  if (op.kind == OpKind::load && how < 4) op.manner = how == 2 ? Manner::read_only : Manner::around_l1;
  return op;
}

void HostContract::make_program(std::uint64_t seed) {
  base::Random random(seed, "program");
  program_ = {};
  const bool has_private_line = seed % 3 == 0;
  for (unsigned t = 0; t < explore::max_threads; ++t) {
    explore::Thread thread;
    thread.l1 = static_cast<std::uint8_t>(t % l1s);
    thread.ops.reserve(explore::max_operations);
    for (unsigned i = 0; i < explore::max_operations; ++i) thread.ops.push_back(make_op(random, t, has_private_line));
    program_.threads.push_back(thread);
  }
}

void HostContract::build(const ContractSpec& spec) {
  spec_ = spec;
  protocols::CoherenceContext machine;
  machine.tick_ps = cycle_ps;
  machine.l1s = l1s;
  machine.homes = 1;
  policy_ = spec.own_policy ? *spec.own_policy : protocols::make_coherence_policy(spec.coherence, machine);
  make_program(spec.seed);
  explore::WorldOptions options;
  options.network_capacity = 64;  // the bench's network always takes
  options.sm.waits_for_mates = false;
  world_ = std::make_unique<World>(policy_, program_, machine, options);
  for (unsigned node = 0; node < explore::max_nodes; ++node)
    taken_[node].assign(world_->machine(node).table().transitions().size(), 0);

  models::ClockDomain& clock = scheduler.add_domain("clock", 1'000'000'000'000 / cycle_ps);
  models::L1Spec& l1 = l1_spec_;
  l1.line = line_bytes;
  l1.sector = word_bytes;
  l1.ways = 1 + spec.seed % 2;  // the two lines fit, or drive each other out
  l1.size = l1.ways * line_bytes;
  l1.hit_latency = 1;
  models::L2Spec& l2 = l2_spec_;
  l2.line = line_bytes;
  l2.ways = 1 + spec.seed / 2 % 2;
  l2.size = l2.ways * line_bytes;
  l2.latency = 1;
  l2.bank_busy = 1;
  if (spec.tight) l1.mshr_entries = l1.mshr_merges = l1.handles = l2.mshr_entries = l2.mshr_merges = 1;
  network_ = std::make_unique<HandNetwork>("network", l1s, policy_.peer_messages);
  memory_ = std::make_unique<HandMemory>("memory", 1 << 12);
  for (unsigned i = 0; i < l1s; ++i) {
    const base::SmId id(static_cast<std::uint16_t>(i));
    l1s_.push_back(
        std::make_unique<models::L1Cache>(("l1_" + std::to_string(i)).c_str(), context, clock, l1, policy_, id, map_));
    cores_.push_back(std::make_unique<stress::Core>(("core" + std::to_string(i)).c_str(), pool, id));
    cores_[i]->to_l1.socket.bind(l1s_[i]->from_sm.socket);
    l1s_[i]->to_sm.socket.bind(cores_[i]->from_l1.socket);
    l1s_[i]->to_network.socket.bind(network_->from_l1(i).socket);
    network_->to_l1(i).socket.bind(l1s_[i]->from_network.socket);
    if (l1s_[i]->to_peers) l1s_[i]->to_peers->socket.bind(network_->from_l1_to_peers(i).socket);
  }
  slice_ = std::make_unique<models::L2Slice>("l2", context, clock, l2, policy_, base::PartitionId(0), map_);
  atomic_unit_ = std::make_unique<models::AtomicUnit>("atomic_unit", context, clock, l2.atomic_unit);
  network_->to_home().socket.bind(slice_->requests.socket);
  slice_->replies.socket.bind(network_->from_home().socket);
  slice_->memory.socket.bind(memory_->socket);
  slice_->atomics.socket.bind(atomic_unit_->socket);
  if (slice_->to_next) slice_->to_next->socket.bind(slice_->from_previous->socket);
  for (const base::Statistic* s : statistics.sorted()) {
    for (unsigned i = 0; i < l1s; ++i) {
      if (s->full_name() == fmt::format("l1_{}.fences", i)) timed_fences_[i] = s->counter;
      if (s->full_name() == fmt::format("l1_{}.handles_in_use", i)) handles_[i] = s;
    }
  }
}

/// Whether it would not stand behind another one at a port where that waits. One that is recycled lets others pass,
/// except those of its line.
bool HostContract::may_stand_behind(const Command& command) const {
  return std::none_of(waiting_.begin(), waiting_.end(), [&](const Command& other) {
    if (other.kind != command.kind || other.node != command.node) return false;
    if (command.kind == Command::Kind::deliver && other.packet.network != command.packet.network) return false;
    if (command.kind == Command::Kind::deliver && other.packet.source == command.packet.source) return true;
    return other.met != Verdict::recycles || policy_.recycle_ps == 0 || other.line == command.line;
  });
}

/// A stimulus: of accesses, oldest messages of their ways, and memory. Whether it has to wait is not asked.
std::optional<HostContract::Command> HostContract::choose(base::Random& random) const {
  std::vector<Command> all;
  const auto add = [&](const Command& command) {
    if (may_stand_behind(command)) all.push_back(command);
  };
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const bool stands = std::any_of(waiting_.begin(), waiting_.end(), [t](const Command& command) {
      return command.kind == Command::Kind::issue && command.which == t;
    });
    if (stands || fence_[t].waits || !world_->may_issue(state_, t)) continue;
    add({Command::Kind::issue, program_.threads[t].l1, t, next_op(t).line});
  }
  for (unsigned i = 0; i < state_.packets.size(); ++i) {
    const explore::Packet& p = state_.packets[i];
    if ((i != 0 && !explore::in_order(state_.packets[i - 1], p)) || world_->is_on_ring(p)) continue;
    add({Command::Kind::deliver, p.destination, i, p.line, p});
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    if (((state_.fetching >> line) & 1U) != 0) add({Command::Kind::memory, home, line, line});
  }
  if (all.empty()) return std::nullopt;
  return all[random.below(static_cast<std::uint32_t>(all.size()))];
}

void HostContract::present(const Command& command, Deviation deviation) {
  waiting_.push_back(command);
  if (command.kind == Command::Kind::memory) return memory_->answer(command.which * line_bytes);
  if (command.kind == Command::Kind::issue) return present_access(command, deviation);
  bool lose = deviation == Deviation::loses_a_message;
  if (deviation == Deviation::loses_what_waits) {
    State copy = state_;
    lose = ask(*world_, copy, command) == Verdict::waits;
  }
  network_->take(command.packet.source, command.packet.destination, command.packet.network, lose);
}

void HostContract::present_access(const Command& command, Deviation deviation) {
  const unsigned t = command.which;
  const explore::Op& op = next_op(t);
  stress::Core& core = *cores_[command.node];
  if (!op.has_location()) {
    const bool fence = op.kind == explore::OpKind::fence;
    Message& m = core.request(MessageClass::control, fence ? models::L1Kind::fence : models::L1Kind::grid_begin, 0, t);
    m.semantics = isa::Semantics::sc;
    m.scope = deviation == Deviation::narrows_fences ? isa::Scope::cta : scope_of(op.scope);
    fence_[t] = {true, 0, 0};
    core.send(m, [this, t, &core, deviation](Message&) {
      fence_[t].answered = deviation == Deviation::hurries_fences ? now_ + 1 : core.last_reply_ps / cycle_ps;
    });
    return;
  }
  const MessageClass message_class = op.kind == explore::OpKind::load    ? MessageClass::load_request
                                     : op.kind == explore::OpKind::store ? MessageClass::store_request
                                                                         : MessageClass::atomic_request;
  const models::L1Kind kind = op.manner == explore::Manner::is_private ? models::L1Kind::local : models::L1Kind::global;
  Message& m = core.request(message_class, kind, std::uint64_t{op.line} * line_bytes, t);
  m.semantics = semantics_of(op.ordering);
  m.scope = scope_of(op.scope);
  m.read_only = op.manner == explore::Manner::read_only;
  if (op.manner == explore::Manner::around_l1) m.cache = isa::CacheOp::cv;
  const unsigned first = op.word * word_bytes;
  m.mask = base::ByteMask::range(first, word_bytes);
  if (op.kind == explore::OpKind::store) std::fill_n(m.data.begin() + first, word_bytes, op.value);
  if (op.kind == explore::OpKind::atomic) {  // on each byte of the words, as the explored side has bytes
    m.atomic = atomic_of(op.atomic);
    m.atomic_type = isa::Type::u32;
    m.returns_value = true;
    m.atomic_count = word_bytes / 4;
    for (unsigned i = 0; i < m.atomic_count; ++i)
      m.atomics[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(first + 4 * i),
                      op.atomic == explore::AtomicKind::cas ? op.compare * 0x01010101U : op.value * 0x01010101U,
                      op.value * 0x01010101U};
  }
  std::optional<std::uint8_t>& answer = answers_[t][state_.threads[t].next];
  core.send(m, [&answer, first](Message& reply) {
    answer = reply.atomic_count != 0 ? static_cast<std::uint8_t>(reply.atomics[0].operand) : reply.data[first];
  });
}

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
    if (copy.has_directory_entry) all.push_back({Move::Kind::replace_directory_entry, line});
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

std::string HostContract::compare_node(unsigned node) const {
  const explore::Node& explored = state_.nodes[node];
  const models::CoherentLines& timed = lines(node);
  const auto differ = [&](unsigned line, const char* what) {
    return fmt::format("cycle {}: {} and line {}: {}", now_, where(node), line, what);
  };
  if (explored.meta != timed.node()) return differ(0, "what the node remembers");
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    const explore::Copy& copy = explored.lines[line];
    const models::Lookup lookup = timed.locate(base::LineAddress(line * line_bytes));
    if (copy.has_frame != (lookup.frame != nowhere)) return differ(line, "a frame");
    if (copy.has_entry != (lookup.mshr != nowhere)) return differ(line, "a miss register");
    if (policy_.at(protocols::Role::home).directory && node == home &&
        copy.has_directory_entry != (lookup.directory_entry != nowhere))
      return differ(line, "an entry of the directory");
    protocols::LineMeta meta;
    if (lookup.mshr != nowhere)
      meta = timed.mshrs()[lookup.mshr].meta;
    else if (timed.directory() != nullptr && lookup.directory_entry != nowhere)
      meta = timed.directory()->frame(lookup.directory_entry).meta;
    else if (timed.directory() == nullptr && lookup.frame != nowhere)
      meta = timed.tags().frame(lookup.frame).meta;
    if (copy.meta != meta) return differ(line, "what it remembers of the line");
    const unsigned parked = lookup.mshr != nowhere ? timed.mshrs()[lookup.mshr].parked : 0;
    if (copy.parked.size() != parked) return differ(line, "how many wait");
    if (lookup.frame != nowhere) {
      const models::Frame& frame = timed.tags().frame(lookup.frame);
      if (!same_bytes(copy.frame, frame.valid, frame.dirty, timed.tags().data(lookup.frame)))
        return differ(line, "the bytes");
    } else if (lookup.mshr != nowhere) {
      const models::MissRegister& entry = timed.mshrs()[lookup.mshr];
      if (!same_bytes(copy.entry, entry.valid, entry.dirty, entry.data))
        return differ(line, "the bytes of a line whose frame is gone");
    }
  }
  return {};
}

/// Which words are valid and dirty, and those that are valid.
bool HostContract::same_bytes(const explore::Bytes& explored, const base::ByteMask& valid, const base::ByteMask& dirty,
                              const base::LineData& data) {
  for (unsigned word = 0; word < explore::max_words; ++word) {
    const unsigned byte = word * word_bytes;
    const bool is_valid = ((explored.valid >> word) & 1U) != 0;
    if (is_valid != valid.test(byte) || (((explored.dirty >> word) & 1U) != 0) != dirty.test(byte)) return false;
    if (is_valid && explored.words[word] != data[byte]) return false;
  }
  return true;
}

/// What is under way from these nodes.
std::string HostContract::compare_flights(const std::function<bool(unsigned)>& from) const {
  std::size_t packets = 0;
  for (std::size_t i = 0; i < state_.packets.size(); ++i) {
    const explore::Packet& first = state_.packets[i];
    if (!from(first.source) || world_->is_on_ring(first)) continue;
    if (i != 0 && !explore::in_order(state_.packets[i - 1], first)) continue;
    const auto way = network_->way(first.source, first.destination, first.network);
    // The oldest of the way may have come, and wait at its receiver.
    const bool stands = std::any_of(waiting_.begin(), waiting_.end(), [&](const Command& command) {
      return command.kind == Command::Kind::deliver && !explore::in_order(command.packet, first) &&
             !explore::in_order(first, command.packet);
    });
    for (std::size_t n = stands ? 1 : 0;
         i + n < state_.packets.size() && !explore::in_order(first, state_.packets[i + n]); ++n) {
      const explore::Packet& packet = state_.packets[i + n];
      const std::size_t place = stands ? n - 1 : n;
      ++packets;
      const std::string_view name = policy_.messages[packet.kind].name;
      if (place >= way.size()) return fmt::format("cycle {}: no {} is under way", now_, name);
      if (const char* const wrong = differ(packet, *way[place]))
        return fmt::format("cycle {}: {} of a {}", now_, wrong, name);
    }
  }
  const auto& flights = network_->flights();
  const auto timed = std::count_if(flights.begin(), flights.end(),
                                   [&](const HandNetwork::Flight& flight) { return from(flight.from); });
  if (static_cast<std::ptrdiff_t>(packets) != timed)
    return fmt::format("cycle {}: {} messages are under way, {} of the explored side", now_, timed, packets);
  return {};
}

/// What is under way, answers and memory, when nothing moves.
std::string HostContract::compare_rest() const {
  if (std::string wrong = compare_flights([](unsigned) { return true; }); !wrong.empty()) return wrong;
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const explore::ThreadState& thread = state_.threads[t];
    for (unsigned i = 0; i < thread.next; ++i) {
      const explore::Op& op = program_.threads[t].ops[i];
      if (!op.has_location()) continue;
      const bool answered = ((thread.waiting >> i) & 1U) == 0;
      if (answered != answers_[t][i].has_value())
        return fmt::format("cycle {}: whether operation {} of thread {} is answered", now_, i, t);
      if (answered && op.reads() && thread.results[i] != *answers_[t][i])
        return fmt::format("cycle {}: what operation {} of thread {} returned", now_, i, t);
    }
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    for (unsigned word = 0; word < explore::max_words; ++word) {
      if (state_.memory[line][word] != memory_->byte(std::uint64_t{line} * line_bytes + word * word_bytes))
        return fmt::format("cycle {}: memory's bytes of line {}", now_, line);
    }
  }
  return {};
}

const char* HostContract::differ(const explore::Packet& packet, const Message& m) const {
  const protocols::MessageKind& kind = policy_.messages[packet.kind];
  if (m.kind != packet.kind || m.coherence.acks != packet.acks || m.coherence.stamps != packet.stamps)
    return "kind, acknowledgements or stamps";
  if (kind.of_node) return nullptr;
  if (m.line.value() != std::uint64_t{packet.line} * line_bytes) return "line";
  const unsigned requester = packet.requester == explore::Packet::nobody ? 0xffff : packet.requester;
  if (m.requester.value() != requester) return "requester";
  const bool brings_line = kind.traffic_class == protocols::TrafficClass::data_reply &&
                           kind.payload != protocols::Payload::none && m.atomic_count == 0;
  for (unsigned word = 0; brings_line && word < explore::max_words; ++word) {
    if (((packet.bytes.valid >> word) & 1U) != 0 && m.data[word * word_bytes] != packet.bytes.words[word])
      return "bytes";
  }
  return nullptr;
}

/// Whether a timed cache of this size could hold what the explored one would.
bool HostContract::fits(const State& state, unsigned node) const {
  const auto& copies = state.nodes[node].lines;
  const auto count = [&copies](auto&& has) {
    return static_cast<std::size_t>(std::count_if(copies.begin(), copies.end(), has));
  };
  const std::uint32_t merges = node == home ? l2_spec_.mshr_merges : l1_spec_.mshr_merges;
  return count([](const explore::Copy& copy) { return copy.has_frame; }) <= lines(node).tags().ways() &&
         count([](const explore::Copy& copy) { return copy.has_entry; }) <= lines(node).mshrs().capacity() &&
         count([merges](const explore::Copy& copy) { return copy.parked.size() > merges; }) == 0;
}

/// Whether the timed cache has room for what the explored one takes; it may have to replace the other line first.
bool HostContract::has_room(const Command& command) {
  if (command.node != home && handles_[command.node]->gauge() == l1_spec_.handles) return false;
  const auto taken_after = [&](auto&& first) {
    State copy = state_;
    return first(copy) && ask(*world_, copy, command) == Verdict::done && fits(copy, command.node);
  };
  if (taken_after([](State&) { return true; })) return true;
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    const auto replaced = [&](State& copy) {
      return copy.nodes[command.node].lines[line].has_frame &&
             world_->replace(copy, command.node, line) == Verdict::done && fits(copy, command.node);
    };
    if (taken_after(replaced)) return true;
  }
  return false;
}

/// What `command` waits for is what the explored side waits for, or room.
std::string HostContract::watch(Command& command) {
  const std::vector<std::uint64_t> before = world_->machine(command.node).taken();
  State copy = state_;
  command.met = ask(*world_, copy, command);
  // What is remembered of being asked is so on both sides.
  if (command.met != Verdict::done && noted(command.node, before)) state_ = copy;
  command.lacks = command.met == Verdict::done && !has_room(command);
  command.lacked |= command.lacks;
  command.waited |= command.met == Verdict::waits || (command.met == Verdict::recycles && policy_.recycle_ps == 0);
  if (command.met != Verdict::done || command.lacks) {
    command.accepted_since = 0;
    return {};
  }
  if (command.accepted_since == 0) command.accepted_since = now_;
  // What was recycled rests before it is looked at again.
  return now_ - command.accepted_since > 3 + policy_.recycle_ps / cycle_ps
             ? refused(command, "which the explored one takes")
             : std::string();
}

/// The reason that the timed cache gives, when nothing moves, for having `command` wait at the head of its queue.
std::string HostContract::compare_reason(const Command& command) const {
  if (!state_.nodes[command.node].replays.empty()) return {};  // it has not been looked at
  const auto same_node = [&](const Command& other) { return other.node == command.node; };
  if (std::count_if(waiting_.begin(), waiting_.end(), same_node) != 1) return {};
  // An L1 says nothing of messages, and neither of memory's answers.
  if (command.kind != (command.node == home ? Command::Kind::deliver : Command::Kind::issue)) return {};
  const models::Block& block = command.node == home ? static_cast<const models::Block&>(*slice_) : *l1s_[command.node];
  std::string reasons;
  for (const std::string& line : block.describe_waiting()) reasons += line + "; ";
  const auto says = [&reasons](std::string_view word) { return reasons.find(word) != std::string::npos; };
  const bool by_protocol = says(": protocol; ");
  const bool rests = command.met == Verdict::recycles && policy_.recycle_ps != 0;
  const bool by_room = says("_full; ") || says(": no_frame; ") || says(": no_directory_entry; ");
  // Time may have changed the explored one's mind since the timed one has looked.
  const bool same = (command.lacked && by_room && !by_protocol) || (command.waited && by_protocol && !by_room) ||
                    (rests && !by_room && !by_protocol);
  return same ? std::string() : refused(command, "for another reason than the explored one");
}

std::string HostContract::refused(const Command& command, const char* how) const {
  std::string waiting;
  for (const models::Block* block : context.blocks) {
    for (const std::string& line : block->describe_waiting()) waiting += fmt::format("; {}: {}", block->name(), line);
  }
  const char* const what = command.kind == Command::Kind::issue     ? "an access of thread"
                           : command.kind == Command::Kind::deliver ? "a message of kind"
                                                                    : "memory's line";
  return fmt::format("cycle {}: {} refuses {} {}, {}{}", now_, where(command.node), what,
                     command.kind == Command::Kind::deliver ? command.packet.kind : command.which, how, waiting);
}

/// Fences that both sides have taken end on the timed side no earlier than on the explored one, and not much later: an
/// L1 sends one answer a cycle.
std::string HostContract::end_fences() {
  constexpr std::uint64_t answers_before = 8;
  for (unsigned t = 0; t < fence_.size(); ++t) {
    Fence& fence = fence_[t];
    if (!fence.waits || fence.earliest == 0) continue;
    if (fence.answered == 0 && now_ < fence.earliest + answers_before) continue;
    if (fence.answered < fence.earliest || fence.answered > fence.earliest + answers_before)
      return fmt::format("a fence of thread {} ends in cycle {}, and from cycle {} at the explored side", t,
                         fence.answered, fence.earliest);
    if (now_ < fence.earliest) continue;
    fence = {};
    if (!state_.threads[t].fencing) continue;
    world_->issue(state_, t);
    ++late_fences_;
  }
  return {};
}

std::string HostContract::cycle(bool look) {
  run_ns(static_cast<double>(cycle_ps) / 1000);
  state_.time = ++now_;
  if (!look) return {};
  for (unsigned node : {0U, 1U, home}) {
    if (std::string wrong = follow(node); !wrong.empty()) return wrong;
  }
  if (std::string wrong = end_fences(); !wrong.empty()) return wrong;
  for (Command& command : waiting_) {
    if (std::string wrong = watch(command); !wrong.empty()) return wrong;
  }
  return {};
}

/// Until nothing has moved for some cycles.
std::string HostContract::settle(bool look_at_once) {
  const auto moved = [this] { return std::array{done_, replays_, replacements_, fences_}; };
  for (unsigned still = 0; still < quiet; ++still) {
    const auto before = moved();
    if (std::string wrong = cycle(look_at_once || still + 1 == quiet); !wrong.empty()) return wrong;
    if (moved() != before) {
      if (!look_at_once) break;
      still = 0;
    }
  }
  for (const Command& command : waiting_) {
    if (std::string wrong = compare_reason(command); !wrong.empty()) return wrong;
    (command.lacks ? lacked_ : command.met == Verdict::recycles ? recycled_ : refused_) += 1;
  }
  return compare_rest();
}

std::string HostContract::run(const ContractSpec& spec) {
  build(spec);
  run_ns(static_cast<double>(cycle_ps) / 2000);  // from here each step of a cycle has one edge
  base::Random random(spec.seed, "contract");
  bool deviated = false;
  unsigned idle = 0;
  for (unsigned step = 0; step < spec.steps; ++step) {
    const std::optional<Command> command = choose(random);
    const bool at_rest = waiting_.empty() && state_.timers.empty() &&
                         std::none_of(fence_.begin(), fence_.end(), [](const Fence& fence) { return fence.waits; });
    if (!command && at_rest) break;
    idle = command ? 0 : idle + quiet;
    if (idle > patience) break;
    const bool may_deviate = step >= 20 && command && command->kind == Command::Kind::deliver;
    const bool again = !deviated || spec.deviation >= Deviation::is_late;
    const bool of_fences = spec.deviation >= Deviation::narrows_fences;
    const Deviation deviation = of_fences || (may_deviate && again) ? spec.deviation : Deviation::none;
    deviated |= may_deviate;
    if (deviation == Deviation::changes_a_byte) {
      for (unsigned line = 0; line < explore::max_lines; ++line) {
        const std::uint8_t byte = 0xee;
        slice_->debug_write(base::ByteAddress(std::uint64_t{line} * line_bytes), &byte, 1);
      }
    }
    if (command) present(*command, deviation);
    if (std::string wrong = settle(deviation != Deviation::is_late); !wrong.empty()) return wrong;
  }
  if (!waiting_.empty()) return refused(waiting_.front(), "and nothing more happens");
  return {};
}

std::uint64_t HostContract::taken(std::string_view event) const {
  std::uint64_t times = 0;
  for (const unsigned node : {0U, 1U, home}) {
    const protocols::TransitionTable& table = world_->machine(node).table();
    for (const protocols::Transition& t : table.transitions()) {
      if (table.vocabulary().events[t.row.event].name == event) times += taken_[node][t.index];
    }
  }
  return times;
}

}  // namespace syncline::tests
