// What the bench of both hosts presents, and how it goes on.
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
  state_.nodes.resize(explore::max_nodes);
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
    cores_.push_back(std::make_unique<stress::Core>(("core" + std::to_string(i)).c_str(), pool));
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
      m.atomics[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(first + 4 * i), false,
                      op.atomic == explore::AtomicKind::cas ? op.compare * 0x01010101U : op.value * 0x01010101U,
                      op.value * 0x01010101U};
  }
  std::optional<std::uint8_t>& answer = answers_[t][state_.threads[t].next];
  core.send(m, [&answer, first](Message& reply) {
    answer = reply.atomic_count != 0 ? static_cast<std::uint8_t>(reply.atomics[0].operand) : reply.data[first];
  });
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
