#include "models/l2_slice/l2_slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "models/cache/translate.h"

namespace syncline::models {

using protocols::Action;
using protocols::ActionKind;
using protocols::Needs;
using protocols::Operation;
using protocols::Stimulus;

L2Slice::L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
                 const protocols::CoherencePolicy& policy, base::PartitionId partition, const AddressMap& map)
    : Block(name, context),
      requests("requests", *this),
      replies("replies", *this),
      memory("memory", *this, spec.line, spec.memory_queue),
      debug("debug"),
      accesses("accesses"),
      line_events("line_events"),
      spec_(spec),
      policy_(policy),
      partition_(partition),
      map_(map),
      atomic_unit_(spec.atomic_unit),
      lines_(*this,
             {spec.sets(), spec.ways, spec.line, spec.mshr_entries, spec.mshr_merges, spec.replacement,
              partition.value(), policy.directory},
             policy.make_home(), base::Random(context.seed, "l2.replacement", partition.value())),
      inbox_(static_cast<unsigned>(policy.networks.size()), spec.queue_latency * spec.ports + spec.input_queue),
      outbox_(replies, static_cast<unsigned>(policy.networks.size()),
              spec.access_latency() * spec.ports + spec.output_queue, policy.l1s),
      ring_inbox_(1, ring_queue),
      bank_free_at_(spec.banks),
      sent_(context.journal, policy, this->name()) {
  if (policy.home_ring) {
    MessageSender& sender = *this;
    MessageReceiver& receiver = *this;
    to_next = std::make_unique<MessageInitiator>("to_next", sender, ring_port);
    from_previous = std::make_unique<MessageTarget>("from_previous", receiver, ring_port);
    ring_outbox_.emplace(*to_next, 1, ring_queue, 1);
  }
  debug.register_transport_dbg(this, &L2Slice::transport_dbg);
  clock.add(*this, TickRank::l2_slice, this->name());
  add_statistics();
}

L2Slice::~L2Slice() = default;

bool L2Slice::receive(Message& message, const sc_core::sc_time& arrival, unsigned port) {
  base::Cycle at = clock()->cycle_at_or_after(arrival);
  if (message.message_class <= MessageClass::atomic_request) at += spec_.queue_latency;
  if (!(port == ring_port ? ring_inbox_ : inbox_).push(message, at, policy_.messages[message.kind].overtakes))
    return false;
  if (port != ring_port) lines_.expect(message.line);
  wake(at);
  return true;
}

void L2Slice::on_ready(VirtualNetwork, unsigned) {
  wake(clock()->now());
}

void L2Slice::memory_ready(const sc_core::sc_time& at) {
  changed_ = true;
  wake(clock()->cycle_at_or_after(at));
}

base::Cycle L2Slice::tick(base::Cycle now) {
  now_ = now;
  now_ps_ = clock()->ps_of(now);
  drain();
  if (retry_ps_ <= now_ps_) {
    changed_ = true;
    retry_ps_ = protocols::Machine::never;
  }
  base::Cycle next = take_ring();
  next = std::min(next, take_memory());
  next = std::min(next, fire_timers());
  unsigned lookups = spec_.ports;
  next = std::min(next, take_replays(lookups));
  next = std::min(next, take_requests(lookups));
  if (!lines_.replays().empty() && !replay_stalled_) next = std::min(next, now + 1);  // a message set them free
  memory.issue();
  changed_ = lookups != spec_.ports;  // what was looked up may help a stalled network that was asked before
  next = std::min(next, drain());
  next = std::min(next, std::max(clock()->cycle_at_or_after_ps(retry_ps_), now + 1));
  return changed_ && (stalled_networks_ != 0 || replay_stalled_) ? now + 1 : next;
}

base::Cycle L2Slice::drain() {
  const std::size_t queued = outbox_.size();
  const base::Cycle next = outbox_.drain(now_);
  if (outbox_.size() != queued) changed_ = true;
  return ring_outbox_ ? std::min(next, ring_outbox_->drain(now_)) : next;
}

base::Cycle L2Slice::take_ring() {
  const auto& queue = ring_inbox_.queue(0);
  while (!queue.empty() && queue.front().at <= now_) {
    Message& message = *queue.front().message;
    Presented presented;
    presented.stimulus = stimulus_of(message);
    presented.of_node = true;
    presented.message = &message;
    if (lines_.present(presented) != Refusal::none) return now_ + 1;
    ring_inbox_.take(0, 0);
    message.payload()->release();
    from_previous->resume(0);
    changed_ = true;
    ++context().progress;
  }
  return queue.empty() ? base::never : queue.front().at;
}

base::Cycle L2Slice::take_memory() {
  while (MemoryPort::Transaction* const t = memory.response(now_ps_)) {
    if (!t->write) {
      Presented presented;
      presented.stimulus.source = Stimulus::Source::memory_data;
      presented.line = t->line;
      presented.incoming = &t->data;
      const Subject subject = lines_.locate(t->line);
      if (subject.entry == nowhere)
        throw base::ModelError(
            fmt::format("{}: memory delivers line {:#x}, which nobody waits for", name(), t->line.value()));
      MissRegister& entry = lines_.mshrs()[subject.entry];
      if (entry.refetch) memory.debug_read(t->line, map_.local(t->line.value()), t->data);
      const base::Cycle since = entry.since;
      if (lines_.present(presented) != Refusal::none) return now_ + 1;
      memory_cycles_.sample(now_ - since);
    }
    memory.done(*t);
    changed_ = true;
    ++context().progress;
  }
  return clock()->cycle_at_or_after_ps(memory.next_response_ps());
}

base::Cycle L2Slice::fire_timers() {
  return std::max(clock()->cycle_at_or_after_ps(lines_.fire_timers(changed_)), now_ + 1);
}

base::Cycle L2Slice::take_replays(unsigned& lookups) {
  auto& replays = lines_.replays();
  for (; lookups > 0 && !replays.empty(); --lookups) {
    const MshrTable::Parked replay = replays.front();
    if (bank_free_at(replay.message->line) > now_) return bank_free_at(replay.message->line);
    replays.pop_front();
    const Refusal refusal = take(*replay.message, true);
    if (refusal != Refusal::none) {
      replays.push_front(replay);
      request_stalls_.begin(refusal, now_);
      replay_stalled_ = true;
      return base::never;
    }
    replay_stalled_ = false;
    changed_ = true;
  }
  return replays.empty() ? base::never : now_ + 1;
}

base::Cycle L2Slice::take_requests(unsigned& lookups) {
  // What is presented again is older than the requests behind it. Answers do not wait for it: it may need them.
  const unsigned first = lines_.replays().empty() ? 0U : lines_.replays().front().message->network + 1U;
  base::Cycle next = base::never;
  for (unsigned network = inbox_.networks(); network-- > first;) {
    const auto& queue = inbox_.queue(network);
    const unsigned bit = 1U << network;
    if (!changed_ && (stalled_networks_ & bit) != 0) continue;  // it would be refused again
    stalled_networks_ &= ~bit;
    while (!queue.empty()) {
      const std::size_t place = inbox_.next(network);
      if (queue[place].at > now_ || lookups == 0) {
        next = std::min(next, std::max(queue[place].at, now_ + 1));
        break;
      }
      Message& message = *queue[place].message;
      if (bank_free_at(message.line) > now_) {
        bank_conflicts_.add();
        next = std::min(next, bank_free_at(message.line));
        break;
      }
      const Refusal refusal = take(message, false);
      if (refusal == Refusal::recycled && policy_.recycle_ps != 0) {
        request_stalls_.end(now_);
        recycles_.add();
        inbox_.recycle(network, place, clock()->cycle_at_or_after_ps(now_ps_ + policy_.recycle_ps));
        --lookups;
        continue;
      }
      if (refusal != Refusal::none) {  // whatever it waits for wakes this slice
        request_stalls_.begin(refusal, now_);
        stalled_networks_ |= bit;
        break;
      }
      changed_ = true;  // for the networks that come after this one
      --lookups;
      inbox_.take(network, place);
      requests.resume(static_cast<VirtualNetwork>(network));
    }
  }
  return next;
}

Refusal L2Slice::take(Message& message, bool replayed) {
  if (message.depth_op != DepthOp::none)
    throw base::ModelError(
        fmt::format("{}: a store to line {:#x} is to be ordered by its depth, but no unit before the home claimed it",
                    name(), message.line.value()));
  const base::LineAddress line = message.line;
  const base::SmId requester = message.requester;
  const base::WarpSlot warp = message.warp;
  const MessageClass request_class = message.message_class;
  Presented presented;
  presented.stimulus = stimulus_of(message);
  presented.stimulus.access = traits_of(message);
  if (message.at_home_ps == 0) message.at_home_ps = now_ps_;
  presented.stimulus.arrived = message.at_home_ps;
  presented.line = line;
  presented.wanted = message.mask;
  presented.message = &message;
  presented.incoming = &message.data;
  presented.of_node = policy_.messages[message.kind].of_node;
  outcome_ = AccessOutcome::merged;
  reply_ready_ = now_ + spec_.access_latency();
  const std::uint64_t misses = lines_.counts().misses.value();
  const Refusal refusal = lines_.present(presented);
  retry_ps_ = std::min(retry_ps_, presented.retry_ps);
  if (refusal != Refusal::none) return refusal;
  request_stalls_.end(now_);
  bank_free_at(line) = now_ + spec_.bank_busy;
  ++context().progress;
  if (!presented.kept) message.payload()->release();
  if (replayed) return refusal;

  if (lines_.counts().misses.value() != misses)
    outcome_ = AccessOutcome::miss;
  else if (outcome_ == AccessOutcome::hit)
    hits_.add();
  Operation operation = Operation::load;
  switch (request_class) {
    case MessageClass::load_request:
      loads_.add();
      break;
    case MessageClass::store_request:
      stores_.add();
      operation = Operation::store;
      break;
    case MessageClass::atomic_request:
      atomics_.add();
      operation = Operation::atomic;
      break;
    default:
      return refusal;
  }
  accesses.write({line, now_, requester, warp, operation, outcome_});
  return refusal;
}

Refusal L2Slice::refuses(const protocols::Transition& transition) {
  if (!outbox_.room(transition.networks)) return Refusal::output_full;
  if ((transition.needs & Needs::memory) != 0 && !memory.room()) return Refusal::memory_full;
  return Refusal::none;
}

void L2Slice::execute(const Action& action, const Subject& subject, Presented& presented) {
  switch (action.kind) {
    case ActionKind::answer:
      answer(action, subject, presented);
      break;
    case ActionKind::send:
      send(action, presented);
      break;
    case ActionKind::pass_on:
      pass_on(action);
      break;
    case ActionKind::write:
      write(action, subject, presented);
      break;
    case ActionKind::fetch:
      memory_reads_.add();
      memory.read(subject.line, map_.local(subject.line.value()));
      break;
    case ActionKind::write_back:
      write_back(subject);
      break;
    default:
      throw base::ModelError(fmt::format("{}: the policy asks a home for an action of an L1", name()));
  }
}

void L2Slice::answer(const Action& action, const Subject& subject, Presented& presented) {
  Message& m = *presented.message;
  presented.kept = true;
  outcome_ = AccessOutcome::hit;
  const protocols::Payload payload = policy_.messages[action.message].payload;
  const bool brings_line = payload == protocols::Payload::line;
  if (brings_line || (payload != protocols::Payload::none && m.message_class == MessageClass::load_request)) {
    if (brings_line) m.mask = base::ByteMask::all(spec_.line);
    m.data = subject.frame != nowhere ? lines_.tags().data(subject.frame) : lines_.mshrs()[subject.entry].data;
    if (line_events.watched()) line_events.write({LineEvent::Kind::departed, m.line, m.mask, &m.data, &m});
  }
  m.destination = m.source;
  m.source = partition_.value();
  m.acks = action.acks;
  m.stamps = action.stamps;
  dress(m, policy_, action.message, spec_.line);
  sent_.note(m, now_ps_);
  outbox_.push(m, reply_ready_);
}

void L2Slice::answer_parked(Message&, base::Cycle, const Presented&) {
  throw base::ModelError(
      fmt::format("{}: a home replays what waits for a line; it does not answer it at once", name()));
}

void L2Slice::send(const Action& action, const Presented& presented) {
  action.nodes.for_each([&](unsigned node) {
    Message& m = context().messages.get();
    m.line = presented.line;
    m.source = partition_.value();
    m.destination = static_cast<std::uint16_t>(node);
    m.requester = base::SmId(action.requester);
    m.acks = action.acks;
    m.stamps = action.stamps;
    dress(m, policy_, action.message, spec_.line);
    sent_.note(m, now_ps_);
    outbox_.push(m, now_ + spec_.access_latency());
  });
}

void L2Slice::pass_on(const Action& action) {
  if (!ring_outbox_)
    throw base::ModelError(
        fmt::format("{}: the policy `{}` has no ring, but its home passes a message on", name(), policy_.name));
  Message& m = context().messages.get();
  m.source = partition_.value();
  m.destination = static_cast<std::uint16_t>((partition_.value() + 1U) % map_.partitions());
  m.requester = base::SmId(action.requester);
  m.stamps = action.stamps;
  dress(m, policy_, action.message, spec_.line);
  sent_.note(m, now_ps_);
  ring_outbox_->push(m, now_ + 1);
}

void L2Slice::write(const Action& action, const Subject& subject, const Presented& presented) {
  if (subject.frame == nowhere)
    throw base::ModelError(
        fmt::format("{}: the policy writes line {:#x}, which has no frame", name(), subject.line.value()));
  Message& m = *presented.message;
  Frame& frame = lines_.tags().frame(subject.frame);
  base::LineData& data = lines_.tags().data(subject.frame);
  base::LineData before;
  const bool is_atomic = m.message_class == MessageClass::atomic_request;
  if (is_atomic) {
    if (line_events.watched()) before = data;
    if (apply_atomics(m, data)) ++context().effects;
    reply_ready_ += atomic_unit_.reserve(m, now_) - now_;
  } else {
    m.mask.merge(data, m.data);
  }
  frame.valid |= m.mask;
  if (action.marks_dirty) frame.dirty |= m.mask;
  if (!line_events.watched()) return;
  LineEvent performed{LineEvent::Kind::performed, m.line, m.mask, &data, &m};
  if (is_atomic) performed.before = &before;
  line_events.write(performed);
}

void L2Slice::write_back(const Subject& subject) {
  const Frame* const frame = subject.frame != nowhere ? &lines_.tags().frame(subject.frame) : nullptr;
  const base::ByteMask dirty = frame != nullptr ? frame->dirty : lines_.mshrs()[subject.entry].dirty;
  if (dirty.empty()) return;
  memory_writes_.add();
  memory_written_bytes_.add(dirty.count());
  memory.write(subject.line, map_.local(subject.line.value()),
               frame != nullptr ? lines_.tags().data(subject.frame) : lines_.mshrs()[subject.entry].data, dirty);
}

}  // namespace syncline::models
