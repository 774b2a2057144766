#include "platform/stress/episode_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace syncline::stress {

using models::L1Kind;
using models::Message;
using models::MessageClass;

namespace {

constexpr std::uint64_t ps_per_us = 1'000'000;
/// How long a thread waits before it tries a lock again, for each thread there is: those that wait leave the networks
/// to the one that has it.
constexpr std::uint64_t lock_retry_ps = 100'000;
/// A machine in which nothing completes for so long makes no progress. Operations begin sooner behind each other.
constexpr std::uint64_t patience_ps = 500 * ps_per_us;

/// What a lock and an unlock are to the caches.
isa::Semantics semantics_of(const Op& op) {
  if (op.kind == OpKind::lock) return isa::Semantics::acquire;
  if (op.kind == OpKind::unlock) return isa::Semantics::release;
  return op.semantics;
}

}  // namespace

EpisodeRunner::EpisodeRunner(const sc_core::sc_module_name& name, models::PlatformContext& context,
                             MemorySystem& system)
    : sc_core::sc_module(name), context_(context), system_(system) {
  for (unsigned i = 0; i < system.l1s.size(); ++i) {
    cores_.push_back(std::make_unique<Core>(("core_" + std::to_string(i)).c_str(), context.messages));
    cores_[i]->to_l1.socket.bind(system.l1s[i]->from_sm.socket);
    system.l1s[i]->to_sm.socket.bind(cores_[i]->from_l1.socket);
  }
  SC_HAS_PROCESS(EpisodeRunner);
  SC_METHOD(issue);
  sensitive << issue_event_;
  dont_initialize();
}

Record EpisodeRunner::run(const Episode& episode) {
  episode_ = &episode;
  record_ = {};
  record_.results.resize(episode.threads.size());
  for (std::size_t t = 0; t < episode.threads.size(); ++t) record_.results[t].resize(episode.threads[t].ops.size());
  completed_ = 0;
  warps_.clear();
  for (auto& core : cores_) begin_grid(*core);
  record_.finished = wait_until_idle();
  scope_ = widest_scope();
  if (record_.finished) {
    record_.initial = memory();
    warps_.resize(episode.threads.size());
    begin_ps_ = sc_core::sc_time_stamp().value();
    issue_event_.notify(sc_core::SC_ZERO_TIME);
    record_.finished = wait_until_idle();
    if (record_.finished) end_grid();
    record_.final = memory();
  }
  if (!record_.finished) {
    for (const models::Block* block : context_.blocks) {
      for (const std::string& line : block->describe_waiting())
        record_.faults.push_back(fmt::format("{}: {}", block->name(), line));
    }
  }
  episode_ = nullptr;
  return std::move(record_);
}

std::vector<LineWords> EpisodeRunner::memory() {
  std::vector<LineWords> lines(episode_->lines.size());
  for (unsigned line = 0; line < lines.size(); ++line) {
    const base::ByteAddress place(address(line));
    auto* const bytes = reinterpret_cast<std::uint8_t*>(lines[line].data());
    system_.side.debug_read(place.value(), bytes, sizeof lines[line]);
    for (const auto& l1 : system_.l1s) l1->debug_overlay(place, bytes, sizeof lines[line]);  // only of private lines
  }
  return lines;
}

void EpisodeRunner::begin_grid(Core& core) {
  core.send(core.request(MessageClass::control, L1Kind::grid_begin, 0), [](Message&) {});
}

/// Where an acknowledgement does not say that memory has what was stored.
void EpisodeRunner::end_grid() {
  if (!system_.policy.of_modules) return;
  for (auto& core : cores_) core->send(core->request(MessageClass::control, L1Kind::grid_end, 0), [](Message&) {});
  record_.finished = wait_until_idle();
}

/// Threads of one GPU keep to it.
isa::Scope EpisodeRunner::widest_scope() const {
  if (!system_.policy.of_modules) return isa::Scope::gpu;
  const unsigned of_gpu = static_cast<unsigned>(system_.l1s.size()) / system_.spec.modules.gpus;
  const unsigned first = episode_->threads.front().l1 / of_gpu;
  const bool alone = std::all_of(episode_->threads.begin(), episode_->threads.end(),
                                 [&](const Thread& thread) { return thread.l1 / of_gpu == first; });
  return alone ? isa::Scope::gpu : isa::Scope::sys;
}

bool EpisodeRunner::wait_until_idle() {
  constexpr std::uint64_t step_ps = 2 * ps_per_us;
  std::uint64_t completed = 0;
  for (std::uint64_t waited = 0; waited < patience_ps; waited += step_ps) {
    sc_core::sc_start(sc_core::sc_time::from_value(step_ps));
    if (context_.scheduler.failure()) std::rethrow_exception(context_.scheduler.failure());
    bool idle = std::all_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->idle(); });
    for (std::size_t t = 0; t < warps_.size(); ++t)
      idle = idle && warps_[t].in_flight == 0 && warps_[t].next == episode_->threads[t].ops.size();
    if (idle) return true;
    if (std::exchange(completed, completed_) != completed_) waited = 0;
  }
  return false;
}

void EpisodeRunner::issue() {
  std::uint64_t next_ps = ~std::uint64_t{0};
  const std::uint64_t now_ps = sc_core::sc_time_stamp().value() - begin_ps_;
  for (unsigned t = 0; t < warps_.size(); ++t) {
    while (may_issue(t)) {
      const std::uint64_t at_ps = std::max(warps_[t].issued_ps + op(t, warps_[t].next).pause_ps, warps_[t].retry_ps);
      if (at_ps > now_ps) {
        next_ps = std::min(next_ps, at_ps);
        break;
      }
      issue_next(t);
    }
  }
  if (next_ps != ~std::uint64_t{0}) issue_event_.notify(sc_core::sc_time::from_value(next_ps - now_ps));
}

/// As an SM does it: an acquire ends before anything behind it begins; a release, a fence and a lock wait for all
/// before.
bool EpisodeRunner::may_issue(unsigned thread) const {
  const Warp& warp = warps_[thread];
  if (warp.next == episode_->threads[thread].ops.size() || warp.holds_back) return false;
  const Op& next = op(thread, warp.next);
  const bool drains = next.kind == OpKind::fence || next.kind == OpKind::lock || isa::has_release(semantics_of(next));
  return warp.in_flight < (drains ? 1 : episode_->in_flight);
}

void EpisodeRunner::issue_next(unsigned thread) {
  Warp& warp = warps_[thread];
  const std::size_t i = warp.next++;
  warp.issued_ps = sc_core::sc_time_stamp().value() - begin_ps_;
  const Op& next = op(thread, i);
  if (next.kind == OpKind::flush) {
    record_.results[thread][i].completed = ++completed_;
    return begin_grid(core(thread));
  }
  ++warp.in_flight;
  warp.retry_ps = 0;
  warp.holds_back = next.kind == OpKind::fence || isa::has_acquire(semantics_of(next));
  switch (next.kind) {
    case OpKind::load:
      return send_load(thread, i);
    case OpKind::store:
    case OpKind::unlock:
      return send_store(thread, i);
    case OpKind::add:
      return send_add(thread, i);
    case OpKind::fence:
      return send_fence(thread, i);
    case OpKind::lock:
      return try_lock(thread, i);
    case OpKind::flush:
      break;
  }
}

Message& EpisodeRunner::request(unsigned thread, const Op& op, MessageClass message_class) {
  const L1Kind kind = episode_->is_private(op.line) ? L1Kind::local : L1Kind::global;
  Message& m = core(thread).request(message_class, kind, address(op.line), episode_->threads[thread].warp);
  m.semantics = semantics_of(op);
  m.cache = op.cache;
  m.read_only = op.read_only;
  if (m.semantics != isa::Semantics::weak && m.semantics != isa::Semantics::volatile_) m.scope = scope_;
  if (system_.policy.of_modules && (m.semantics == isa::Semantics::volatile_ || op.kind == OpKind::add))
    m.scope = scope_;
  op.for_each_word([&](unsigned word) { m.mask.set(word * 4, op.low_byte ? 1 : 4); });
  return m;
}

void EpisodeRunner::send(unsigned thread, std::size_t i, Message& message) {
  core(thread).send(message, [this, thread, i](Message& reply) { complete(thread, i, reply); });
}

void EpisodeRunner::send_load(unsigned thread, std::size_t i) {
  send(thread, i, request(thread, op(thread, i), MessageClass::load_request));
}

void EpisodeRunner::send_store(unsigned thread, std::size_t i) {
  const Op& store = op(thread, i);
  Message& m = request(thread, store, MessageClass::store_request);
  store.for_each_word([&](unsigned word) {
    const std::uint32_t value = store.kind == OpKind::unlock ? 0 : store.stored(word, 0);
    std::memcpy(m.data.data() + word * 4, &value, 4);
  });
  send(thread, i, m);
}

void EpisodeRunner::send_add(unsigned thread, std::size_t i) {
  const Op& add = op(thread, i);
  Message& m = request(thread, add, MessageClass::atomic_request);
  m.atomic = isa::AtomicOp::add;
  m.atomic_type = isa::Type::u32;
  m.returns_value = add.returns_value;
  for (unsigned round = 0; round < add.repeat; ++round) {
    add.for_each_word([&](unsigned word) {
      models::AtomicLane& lane = m.atomics.at(m.atomic_count);
      lane = {};
      lane.lane = m.atomic_count++;
      lane.offset = static_cast<std::uint8_t>(word * 4);
      lane.operand = add.added(word) / add.repeat;
    });
  }
  send(thread, i, m);
}

void EpisodeRunner::send_fence(unsigned thread, std::size_t i) {
  Message& m = core(thread).request(MessageClass::control, L1Kind::fence, 0, episode_->threads[thread].warp);
  m.semantics = isa::Semantics::sc;
  m.scope = scope_;
  send(thread, i, m);
}

void EpisodeRunner::try_lock(unsigned thread, std::size_t i) {
  const Op& lock = op(thread, i);
  Message& m = request(thread, lock, MessageClass::atomic_request);
  m.atomic = isa::AtomicOp::cas;
  m.atomic_type = isa::Type::u32;
  m.returns_value = true;
  m.atomic_count = 1;
  m.atomics[0] = {};
  m.atomics[0].offset = static_cast<std::uint8_t>(lock.word() * 4);
  m.atomics[0].operand = 0;  // the value that a free lock has
  m.atomics[0].compare = 1;  // the new one
  send(thread, i, m);
}

void EpisodeRunner::complete(unsigned thread, std::size_t i, Message& reply) {
  Warp& warp = warps_[thread];
  const Op& done = op(thread, i);
  OpResult& result = record_.results[thread][i];
  --warp.in_flight;
  if (isa::has_acquire(semantics_of(done)) || done.kind == OpKind::fence) warp.holds_back = false;
  issue_event_.notify(sc_core::SC_ZERO_TIME);
  if (done.kind == OpKind::lock && reply.atomics[0].operand != 0) {
    warp.next = i;
    warp.retry_ps = sc_core::sc_time_stamp().value() - begin_ps_ + lock_retry_ps * warps_.size();
    return;
  }
  result.completed = ++completed_;
  result.first = static_cast<std::uint32_t>(record_.values.size());
  MessageClass expected = MessageClass::control;
  if (done.kind == OpKind::load) {
    expected = MessageClass::data_reply;
    done.for_each_word([&](unsigned word) {
      std::uint32_t value = 0;
      std::memcpy(&value, reply.data.data() + word * 4, 4);
      record_.values.push_back(value);
      if (!reply.mask.test(word * 4)) record_.faults.push_back("a load was answered without all of its bytes");
    });
  } else if (done.kind == OpKind::store || done.kind == OpKind::unlock) {
    expected = MessageClass::store_ack;
  } else if (done.kind == OpKind::add || done.kind == OpKind::lock) {
    expected = MessageClass::atomic_reply;
    const unsigned lanes = static_cast<unsigned>(__builtin_popcount(done.words));
    if (done.returns_value) {
      for (unsigned lane = 0; lane < lanes; ++lane)
        record_.values.push_back(static_cast<std::uint32_t>(reply.atomics[lane].operand));
    }
  }
  if (reply.message_class != expected)
    record_.faults.push_back(
        fmt::format("a reply of class {} where {} was due", models::name(reply.message_class), models::name(expected)));
}

}  // namespace syncline::stress
