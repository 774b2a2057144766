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
using protocols::Stimulus;

L2Slice::L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
                 const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
                 GpuPlace place)
    : Block(name, context),
      requests("requests", *this),
      replies("replies", *this),
      memory("memory", *this, spec.line, spec.memory_queue),
      atomics("atomics", *this, spec.line, spec.locks),
      debug("debug"),
      line_events("line_events"),
      spec_(spec),
      policy_(policy),
      node_(home_node(partition, place)),
      homes_(homes),
      lines_(*this,
             {spec.sets(), spec.ways, spec.line, spec.mshr_entries, spec.mshr_merges, spec.replacement,
              partition.value(), policy.directory, spec.locks},
             policy.make_home(), base::Random(context.seed, prefix(place) + "l2.replacement", partition.value())),
      inbox_(context.families.networks(static_cast<unsigned>(policy.networks.size())),
             spec.queue_latency * spec.ports + spec.input_queue),
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
  const bool overtakes = message.family == &coherence_family && policy_.messages[message.kind].overtakes;
  if (!(port == ring_port ? ring_inbox_ : inbox_).push(message, at, overtakes)) return false;
  if (port != ring_port) lines_.prefetch(message.line);
  wake(at);
  return true;
}

void L2Slice::on_ready(VirtualNetwork, unsigned) {
  wake(clock()->now());
}

void L2Slice::memory_ready(const sc_core::sc_time& at) {
  touched();
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
  next = std::min(next, take_atomics());
  next = std::min(next, fire_timers());
  unsigned lookups = spec_.ports;
  next = std::min(next, take_replays(lookups));
  next = std::min(next, take_requests(lookups));
  if (!lines_.replays().empty() && !replay_stalled_) next = std::min(next, now + 1);  // a message set them free
  memory.issue();
  atomics.issue();
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
    Request request;
    request.stimulus = stimulus_of(message);
    request.of_node = true;
    request.message = &message;
    if (lines_.present(request) != StallReason::none) return now_ + 1;
    ring_inbox_.take(0, 0);
    message.payload()->release();
    from_previous->resume(0);
    changed_ = true;
    ++tile().progress;
  }
  return queue.empty() ? base::never : queue.front().at;
}

base::Cycle L2Slice::take_memory() {
  while (MemoryPort::Transaction* const t = memory.response(now_ps_)) {
    if (!t->write) {
      Request request;
      request.stimulus.source = Stimulus::Source::memory_data;
      request.line = t->line;
      request.incoming = &t->data;
      const Lookup lookup = lines_.locate(t->line);
      if (lookup.mshr == nowhere)
        throw base::ModelError(
            fmt::format("{}: memory delivers line {:#x}, which nobody waits for", name(), t->line.value()));
      MissRegister& entry = lines_.mshrs()[lookup.mshr];
      if (entry.refetch) memory.debug_read(t->line, homes_.local(t->line.value()), t->data);
      const base::Cycle since = entry.since;
      if (lines_.present(request) != StallReason::none) return now_ + 1;
      memory_cycles_.sample(now_ - since);
    }
    memory.done(*t);
    changed_ = true;
    ++tile().progress;
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
    const StallReason stall = take(*replay.message, true);
    if (stall != StallReason::none) {
      replays.push_front(replay);
      if (stall == StallReason::recycled && policy_.recycle_ps != 0)
        retry_ps_ = std::min(retry_ps_, now_ps_ + policy_.recycle_ps);
      request_stalls_.begin(stall, now_);
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
      const StallReason stall = take(message, false);
      if (stall == StallReason::recycled && policy_.recycle_ps != 0) {
        request_stalls_.end(now_);
        recycles_.add();
        inbox_.recycle(network, place, clock()->cycle_at_or_after_ps(now_ps_ + policy_.recycle_ps));
        --lookups;
        continue;
      }
      if (stall != StallReason::none) {  // whatever it waits for wakes this slice
        request_stalls_.begin(stall, now_);
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

StallReason L2Slice::take(Message& message, bool replayed) {
  if (message.family != &coherence_family)
    throw base::ModelError(
        fmt::format("{}: no unit claims the message family `{}`; {} of line {:#x} has come to the home", name(),
                    message.family->name, describe(message), message.line.value()));
  const base::LineAddress line = message.line;
  const MessageClass request_class = message.message_class;
  if (request_class == MessageClass::atomic_request && !atomics.room()) return StallReason::locks_full;
  Request request;
  request.stimulus = stimulus_of(message);
  request.stimulus.access = traits_of(message);
  if (message.at_home_ps == 0) message.at_home_ps = now_ps_;
  request.stimulus.arrived = message.at_home_ps;
  request.line = line;
  request.wanted = message.mask;
  request.message = &message;
  request.incoming = &message.data;
  request.of_node = policy_.messages[message.kind].of_node;
  answered_ = false;
  reply_ready_ = now_ + spec_.access_latency();
  const std::uint64_t misses = lines_.counts().misses.value();
  StallReason stall = lines_.present(request);
  retry_ps_ = std::min(retry_ps_, request.retry_ps);
  if (stall == StallReason::line_locked) {
    if (policy_.recycle_ps != 0 && !replayed) return StallReason::recycled;  // who waits rests behind the queue there
    if (lines_.wait_for_lock(message)) {
      request.kept = true;
      stall = StallReason::none;
    }
  }
  if (stall != StallReason::none) return stall;
  request_stalls_.end(now_);
  bank_free_at(line) = now_ + spec_.bank_busy;
  ++tile().progress;
  if (!request.kept) message.payload()->release();
  if (replayed) return stall;

  const bool may_hit = lines_.counts().misses.value() == misses;
  if (request.held) asked_->may_hit = may_hit;
  if (answered_ && may_hit) hits_.add();
  switch (request_class) {
    case MessageClass::load_request:
      loads_.add();
      break;
    case MessageClass::store_request:
      stores_.add();
      break;
    case MessageClass::atomic_request:
      atomics_.add();
      break;
    default:
      break;
  }
  return stall;
}

StallReason L2Slice::stall_reason(const protocols::Transition& transition) {
  if (!outbox_.room(transition.networks)) return StallReason::output_full;
  if ((transition.needs & Needs::memory) != 0 && !memory.room()) return StallReason::memory_full;
  return StallReason::none;
}

void L2Slice::execute(const Action& action, const Lookup& lookup, Request& request) {
  switch (action.kind) {
    case ActionKind::answer:
      answer(action, lookup, request);
      break;
    case ActionKind::send:
      send(action, request);
      break;
    case ActionKind::pass_on:
      pass_on(action);
      break;
    case ActionKind::write:
      write(action, lookup, request);
      break;
    case ActionKind::fetch:
      memory_reads_.add();
      memory.read(lookup.line, homes_.local(lookup.line.value()));
      break;
    case ActionKind::write_back:
      write_back(lookup);
      break;
    default:
      throw base::ModelError(fmt::format("{}: the policy asks a home for an action of an L1", name()));
  }
}

void L2Slice::answer(const Action& action, const Lookup& lookup, Request& request) {
  Message& m = *request.message;
  request.kept = true;
  answered_ = true;
  const protocols::Payload payload = policy_.messages[action.message].payload;
  const bool brings_line = payload == protocols::Payload::line;
  if (brings_line || (payload != protocols::Payload::none && m.message_class == MessageClass::load_request)) {
    if (brings_line) m.mask = base::ByteMask::all(spec_.line);
    m.data = lookup.frame != nowhere ? lines_.tags().data(lookup.frame) : lines_.mshrs()[lookup.mshr].data;
    if (line_events.watched()) line_events.write({LineEvent::Kind::departed, m.line, m.mask, &m.data, &m});
  }
  m.destination = m.source;
  m.source = node_;
  m.coherence = {action.stamps, action.acks};
  dress(m, policy_, action.message, spec_.line);
  sent_.note(m, now_ps_);
  outbox_.push(m, reply_ready_);
}

void L2Slice::answer_parked(Message&, base::Cycle, const Request&) {
  throw base::ModelError(
      fmt::format("{}: a home replays what waits for a line; it does not answer it at once", name()));
}

void L2Slice::send(const Action& action, const Request& request) {
  action.nodes.for_each([&](unsigned node) {
    Message& m = tile().messages().get();
    m.line = request.line;
    m.source = node_;
    m.destination = l1_node(base::SmId(static_cast<std::uint16_t>(node)), node_.place);
    m.requester = base::SmId(action.requester);
    m.coherence = {action.stamps, action.acks};
    dress(m, policy_, action.message, spec_.line);
    sent_.note(m, now_ps_);
    outbox_.push(m, now_ + spec_.access_latency());
  });
}

void L2Slice::pass_on(const Action& action) {
  if (!ring_outbox_)
    throw base::ModelError(
        fmt::format("{}: the policy `{}` has no ring, but its home passes a message on", name(), policy_.name));
  Message& m = tile().messages().get();
  m.source = node_;
  m.destination =
      home_node(base::PartitionId(static_cast<std::uint16_t>((node_.index + 1U) % homes_.homes())), node_.place);
  m.requester = base::SmId(action.requester);
  m.coherence.stamps = action.stamps;
  dress(m, policy_, action.message, spec_.line);
  sent_.note(m, now_ps_);
  ring_outbox_->push(m, now_ + 1);
}

void L2Slice::write(const Action& action, const Lookup& lookup, Request& request) {
  if (lookup.frame == nowhere)
    throw base::ModelError(
        fmt::format("{}: the policy writes line {:#x}, which has no frame", name(), lookup.line.value()));
  Message& m = *request.message;
  if (m.message_class == MessageClass::atomic_request) return update(action, lookup, request);
  Frame& frame = lines_.tags().frame(lookup.frame);
  base::LineData& data = lines_.tags().data(lookup.frame);
  m.mask.merge(data, m.data);
  frame.valid |= m.mask;
  if (action.marks_dirty) frame.dirty |= m.mask;
  if (line_events.watched()) line_events.write({LineEvent::Kind::performed, m.line, m.mask, &data, &m});
}

void L2Slice::write_back(const Lookup& lookup) {
  const Frame* const frame = lookup.frame != nowhere ? &lines_.tags().frame(lookup.frame) : nullptr;
  const base::ByteMask dirty = frame != nullptr ? frame->dirty : lines_.mshrs()[lookup.mshr].dirty;
  if (dirty.empty())
    throw base::ModelError(
        fmt::format("{}: line {:#x} is written back that memory has already", name(), lookup.line.value()));
  memory_writes_.add();
  memory_written_bytes_.add(dirty.count());
  memory.write(lookup.line, homes_.local(lookup.line.value()),
               frame != nullptr ? lines_.tags().data(lookup.frame) : lines_.mshrs()[lookup.mshr].data, dirty);
}

}  // namespace syncline::models
