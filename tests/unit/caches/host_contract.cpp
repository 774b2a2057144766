#include "tests/unit/caches/host_contract.h"

#include <algorithm>

namespace syncline::tests {

using explore::State;
using explore::World;
using models::Message;
using models::MessageClass;
using models::nowhere;
using Verdict = World::Verdict;

namespace {

/// Place of the oldest message of the way of `packet`.
unsigned oldest(const State& state, const explore::Packet& packet) {
  const auto first = std::lower_bound(state.packets.begin(), state.packets.end(), packet, explore::in_order);
  return static_cast<unsigned>(first - state.packets.begin());
}

}  // namespace

void HostContract::make_program(std::uint64_t seed) {
  base::Random random(seed, "program");
  program_ = {};
  for (unsigned t = 0; t < 3; ++t) {
    explore::Thread thread;
    thread.l1 = static_cast<std::uint8_t>(t % l1s);
    for (unsigned i = 0; i < explore::max_operations; ++i) {
      explore::Op op;
      const unsigned kind = random.below(5);
      op.kind = kind < 2 ? explore::OpKind::load : kind < 4 ? explore::OpKind::store : explore::OpKind::atomic;
      op.line = static_cast<std::uint8_t>(random.below(explore::max_lines));
      op.value = static_cast<std::uint8_t>(1 + random.below(9));
      op.scope = protocols::Scope::none;
      thread.ops.push_back(op);
    }
    program_.threads.push_back(thread);
  }
}

void HostContract::build(const ContractSpec& spec) {
  make_program(spec.seed);
  protocols::CoherenceContext machine;
  machine.tick_ps = cycle_ps;
  machine.l1s = l1s;
  machine.homes = 1;
  policy_ = spec.own_policy ? *spec.own_policy : protocols::make_coherence_policy(spec.coherence, machine);
  explore::WorldOptions options;
  options.network_capacity = 8;
  options.home_evictions = 200;
  world_ = std::make_unique<World>(policy_, program_, machine, options);
  for (unsigned node = 0; node < explore::max_nodes; ++node)
    taken_[node].assign(world_->machine(node).table().transitions().size(), 0);

  models::ClockDomain& clock = scheduler.add_domain("clock", 1'000'000'000'000 / cycle_ps);
  models::L1Spec l1;
  l1.line = l1.sector = line_bytes;
  l1.ways = 1 + spec.seed % 2;  // the two lines fit, or drive each other out
  l1.size = l1.ways * line_bytes;
  l1.hit_latency = 1;
  models::L2Spec l2;
  l2.line = line_bytes;
  l2.ways = 1 + spec.seed / 2 % 2;
  l2.size = l2.ways * line_bytes;
  l2.latency = 1;
  l2.bank_busy = 1;
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
}

/// A stimulus that is not refused now: of accesses, oldest messages of their ways, and memory.
std::optional<HostContract::Command> HostContract::choose(base::Random& random) {
  std::vector<Command> all;
  // The explored caches have room for all lines; the timed ones may have to replace the other line first.
  const auto fits = [this](const State& s, unsigned node) {
    const auto& copies = s.nodes[node].lines;
    const auto frames =
        std::count_if(copies.begin(), copies.end(), [](const explore::Copy& copy) { return copy.has_frame; });
    return static_cast<std::size_t>(frames) <= lines(node).tags().ways();
  };
  const auto done = [&](unsigned node, auto&& step) {
    State copy = state_;
    if (step(copy) != Verdict::done) return false;
    if (fits(copy, node)) return true;
    for (unsigned line = 0; line < explore::max_lines; ++line) {
      State other = state_;
      if (other.nodes[node].lines[line].has_frame && world_->replace(other, node, line) == Verdict::done &&
          step(other) == Verdict::done && fits(other, node))
        return true;
    }
    return false;
  };
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const unsigned node = program_.threads[t].l1;
    if (world_->may_issue(state_, t) && done(node, [&](State& s) { return world_->issue(s, t); }))
      all.push_back({Command::Kind::issue, node, t});
  }
  for (unsigned i = 0; i < state_.packets.size(); ++i) {
    const explore::Packet& p = state_.packets[i];
    if (i != 0 && !explore::in_order(state_.packets[i - 1], p)) continue;
    if (done(p.destination, [&](State& s) { return world_->receive(s, oldest(s, p)); }))
      all.push_back({Command::Kind::deliver, p.destination, i, p});
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    if (((state_.fetching >> line) & 1U) != 0 && done(home, [&](State& s) { return world_->memory_data(s, line); }))
      all.push_back({Command::Kind::memory, home, line});
  }
  if (all.empty()) return std::nullopt;
  return all[random.below(static_cast<std::uint32_t>(all.size()))];
}

void HostContract::present(const Command& command, Deviation deviation) {
  command_ = command;
  if (command.kind == Command::Kind::memory) return memory_->answer(command.which * line_bytes);
  if (command.kind == Command::Kind::deliver)
    return network_->take(command.packet.source, command.packet.destination, command.packet.network,
                          deviation == Deviation::loses_a_message);
  const explore::Op& op = program_.threads[command.which].ops[state_.threads[command.which].next];
  const MessageClass message_class = op.kind == explore::OpKind::load    ? MessageClass::load_request
                                     : op.kind == explore::OpKind::store ? MessageClass::store_request
                                                                         : MessageClass::atomic_request;
  Message& m = cores_[command.node]->request(message_class, models::L1Kind::global, std::uint64_t{op.line} * line_bytes,
                                             command.which);
  m.semantics = isa::Semantics::weak;
  m.mask = base::ByteMask::all(line_bytes);
  if (op.kind == explore::OpKind::store) std::fill_n(m.data.begin(), line_bytes, op.value);
  if (op.kind == explore::OpKind::atomic) {  // on each byte of the line's words, as the explored side has one word
    m.atomic = isa::AtomicOp::add;
    m.atomic_type = isa::Type::u32;
    m.returns_value = true;
    m.atomic_count = line_bytes / 4;
    for (unsigned i = 0; i < m.atomic_count; ++i)
      m.atomics[i] = {static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(4 * i), op.value * 0x01010101U, 0};
  }
  std::optional<std::uint8_t>& answer = answers_[command.which][state_.threads[command.which].next];
  cores_[command.node]->send(m, [&answer](Message& reply) {
    answer = reply.atomic_count != 0 ? static_cast<std::uint8_t>(reply.atomics[0].operand) : reply.data[0];
  });
}

bool HostContract::took(unsigned node, const std::function<Verdict(World&, State&)>& step) {
  const std::vector<std::uint64_t> before = world_->machine(node).taken();
  State copy = state_;
  if (step(*world_, copy) != Verdict::done) return false;
  const std::vector<std::uint64_t>& after = world_->machine(node).taken();
  const std::vector<std::uint64_t>& timed = lines(node).machine().taken();
  for (std::size_t row = 0; row < after.size(); ++row) {
    if (taken_[node][row] + (after[row] - before[row]) > timed[row]) return false;
  }
  for (std::size_t row = 0; row < after.size(); ++row) taken_[node][row] += after[row] - before[row];
  state_ = copy;
  return true;
}

/// What the timed side has done in this cycle happens at the other one.
std::string HostContract::follow(unsigned node) {
  const std::vector<std::uint64_t>& timed = lines(node).machine().taken();
  while (taken_[node] != timed) {
    bool any = false;
    for (unsigned i = 0; i < state_.timers.size() && !any; ++i) {
      if (state_.timers[i].node == node && state_.timers[i].at <= state_.time)
        any = took(node, [i](World& w, State& s) { return w.fire(s, i); });
    }
    for (unsigned line = 0; line < explore::max_lines && !any; ++line) {
      const explore::Copy& copy = state_.nodes[node].lines[line];
      const models::Lookup lookup = lines(node).locate(base::LineAddress(line * line_bytes));
      const auto count = [&](bool took) {
        replacements_ += took ? 1 : 0;
        return took;
      };
      if (copy.has_directory_entry && lookup.directory_entry == nowhere)
        any = count(took(node, [&](World& w, State& s) { return w.replace_directory_entry(s, node, line); }));
      if (!any && copy.has_frame && lookup.frame == nowhere &&
          !(command_ && command_->node == node && command_->packet.line == line &&
            command_->kind == Command::Kind::deliver))
        any = count(took(node, [&](World& w, State& s) { return w.replace(s, node, line); }));
    }
    if (!any && !state_.nodes[node].replays.empty()) {
      any = took(node, [&](World& w, State& s) { return w.replay(s, node); });
      replays_ += any ? 1 : 0;
    }
    if (!any && command_ && command_->node == node) {
      any = took(node, [&](World& w, State& s) {
        if (command_->kind == Command::Kind::issue) return w.issue(s, command_->which);
        if (command_->kind == Command::Kind::memory) return w.memory_data(s, command_->which);
        return w.receive(s, oldest(s, command_->packet));
      });
      if (any) {
        command_.reset();
        ++done_;
      }
    }
    if (!any) {
      std::string rows;
      for (std::size_t row = 0; row < timed.size(); ++row) {
        if (timed[row] != taken_[node][row])
          rows += " [" +
                  row_name(lines(node).machine().table().transitions()[row].row,
                           lines(node).machine().table().vocabulary()) +
                  "]";
      }
      return fmt::format("cycle {}: {} has taken rows that the explored one cannot:{}", now_, where(node), rows);
    }
  }
  return {};
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
    if (lookup.frame == nowhere) continue;
    const models::Frame& frame = timed.tags().frame(lookup.frame);
    if ((copy.frame.valid != 0) != !frame.valid.empty()) return differ(line, "whether it has bytes");
    if ((copy.frame.dirty != 0) != !frame.dirty.empty()) return differ(line, "whether the next level lacks bytes");
    if (copy.frame.valid != 0 && copy.frame.words[0] != timed.tags().data(lookup.frame)[0])
      return differ(line, "the bytes");
  }
  return {};
}

/// What is under way, answers and memory, when nothing moves.
std::string HostContract::compare_rest() const {
  std::size_t packets = 0;
  for (std::size_t i = 0; i < state_.packets.size(); ++i) {
    const explore::Packet& first = state_.packets[i];
    if (world_->is_on_ring(first)) continue;
    if (i != 0 && !explore::in_order(state_.packets[i - 1], first)) continue;
    const auto way = network_->way(first.source, first.destination, first.network);
    for (std::size_t n = 0; i + n < state_.packets.size() && !explore::in_order(first, state_.packets[i + n]); ++n) {
      const explore::Packet& packet = state_.packets[i + n];
      ++packets;
      const std::string& name = std::string(policy_.messages[packet.kind].name);
      if (n >= way.size()) return fmt::format("cycle {}: no {} is under way", now_, name);
      const Message& m = *way[n];
      if (m.kind != packet.kind || m.coherence.acks != packet.acks || m.coherence.stamps != packet.stamps)
        return fmt::format("cycle {}: kind, acknowledgements or stamps of a {}", now_, name);
      const bool of_node = policy_.messages[packet.kind].of_node;
      if (!of_node && m.line.value() != std::uint64_t{packet.line} * line_bytes)
        return fmt::format("cycle {}: line of a {}", now_, name);
      const unsigned requester = packet.requester == explore::Packet::nobody ? 0xffff : packet.requester;
      if (!of_node && m.requester.value() != requester) return fmt::format("cycle {}: requester of a {}", now_, name);
      const bool brings_line = policy_.messages[packet.kind].traffic_class == protocols::TrafficClass::data_reply &&
                               policy_.messages[packet.kind].payload != protocols::Payload::none && m.atomic_count == 0;
      if (brings_line && m.data[0] != packet.bytes.words[0]) return fmt::format("cycle {}: bytes of a {}", now_, name);
    }
  }
  if (packets != network_->flights().size())
    return fmt::format("cycle {}: {} messages are under way, {} of the explored side", now_, network_->flights().size(),
                       packets);
  for (unsigned t = 0; t < program_.threads.size(); ++t) {
    const explore::ThreadState& thread = state_.threads[t];
    for (unsigned i = 0; i < thread.next; ++i) {
      const bool answered = ((thread.waiting >> i) & 1U) == 0;
      if (answered != answers_[t][i].has_value())
        return fmt::format("cycle {}: whether operation {} of thread {} is answered", now_, i, t);
      if (answered && program_.threads[t].ops[i].reads() && thread.results[i] != *answers_[t][i])
        return fmt::format("cycle {}: what operation {} of thread {} returned", now_, i, t);
    }
  }
  for (unsigned line = 0; line < explore::max_lines; ++line) {
    if (state_.memory[line][0] != memory_->byte(std::uint64_t{line} * line_bytes))
      return fmt::format("cycle {}: memory's bytes of line {}", now_, line);
  }
  return {};
}

std::string HostContract::refused() const {
  std::string waiting;
  for (const models::Block* block : context.blocks) {
    for (const std::string& line : block->describe_waiting()) waiting += fmt::format("; {}: {}", block->name(), line);
  }
  const Command& c = *command_;
  const char* const what = c.kind == Command::Kind::issue     ? "an access of thread"
                           : c.kind == Command::Kind::deliver ? "a message of kind"
                                                              : "memory's line";
  return fmt::format("cycle {}: {} refuses {} {}, which the explored one takes{}", now_, where(c.node), what,
                     c.kind == Command::Kind::deliver ? c.packet.kind : c.which, waiting);
}

std::string HostContract::cycle(bool look) {
  run_ns(static_cast<double>(cycle_ps) / 1000);
  state_.time = ++now_;
  if (!look) return {};
  for (unsigned node : {0U, 1U, home}) {
    if (std::string wrong = follow(node); !wrong.empty()) return wrong;
  }
  for (unsigned node : {0U, 1U, home}) {
    if (std::string wrong = compare_node(node); !wrong.empty()) return wrong;
  }
  return {};
}

std::string HostContract::run(const ContractSpec& spec) {
  build(spec);
  run_ns(static_cast<double>(cycle_ps) / 2000);  // from here each step of a cycle has one edge
  base::Random random(spec.seed, "contract");
  bool deviated = false;
  for (unsigned step = 0; step < spec.steps; ++step) {
    const std::optional<Command> command = choose(random);
    if (!command && state_.timers.empty()) break;
    const bool may_deviate = step >= 20 && command && command->kind == Command::Kind::deliver;
    const bool again = !deviated || spec.deviation == Deviation::is_late;
    const Deviation deviation = may_deviate && again ? spec.deviation : Deviation::none;
    deviated |= may_deviate;
    if (deviation == Deviation::changes_a_byte) {
      for (unsigned line = 0; line < explore::max_lines; ++line) {
        const std::uint8_t byte = 0xee;
        slice_->debug_write(base::ByteAddress(std::uint64_t{line} * line_bytes), &byte, 1);
      }
    }
    if (command) present(*command, deviation);
    // A stimulus that time has overtaken may have to wait for a lease.
    for (unsigned still = 0; still < quiet || (command_ && still < patience); ++still) {
      const unsigned before = done_ + replays_ + replacements_;
      const bool look = deviation != Deviation::is_late || still + 1 >= quiet;
      if (std::string wrong = cycle(look); !wrong.empty()) return wrong;
      if (done_ + replays_ + replacements_ != before) still = 0;
      if (deviation == Deviation::is_late && still + 1 >= quiet) break;
    }
    if (command_) return refused();
    if (std::string wrong = compare_rest(); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace syncline::tests
