#include "models/cache/links/client_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/cache/links/atomic_unit_link.h"
#include "models/cache/translate.h"

namespace syncline::models {

namespace {

/// Whether the message waits for what others take, and not for its own line.
bool is_for_room(StallReason stall) {
  switch (stall) {
    case StallReason::protocol:
    case StallReason::recycled:
    case StallReason::line_locked:
      return false;
    default:
      return stall != StallReason::none;
  }
}

/// Not to be in the way where nobody listens.
[[gnu::cold, gnu::noinline]] void tell_client_step(const CacheController& cache, const Message& message,
                                                   CacheStep step) {
  cache.follower()->step(message, step, cache, nullptr);
}

}  // namespace

ClientLink::ClientLink(CacheController& cache, const Spec& spec)
    : requests("requests", *this),
      replies("replies", *this),
      cache_(cache),
      spec_(spec),
      inbox_(cache.context().families.networks(cache.policy().virtual_networks()),
             spec.queue_latency * spec.ports + spec.input_queue),
      outbox_(replies, cache.policy().virtual_networks(), spec.access_latency * spec.ports + spec.output_queue,
              cache.policy().l1s * cache.role().lines_of_entry(), cache.waiting(), cache.places() != nullptr),
      bank_free_at_(spec.banks),
      turns_(cache.context().families.networks(cache.policy().virtual_networks())) {}

bool ClientLink::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  base::Cycle at = cache_.clock()->cycle_at_or_after(arrival);
  if (is_request(message.message_class)) at += spec_.queue_latency;
  const bool overtakes = message.family == &coherence_family && cache_.policy().messages[message.kind].overtakes;
  if (!inbox_.push(message, at, overtakes)) return false;
  cache_.lines().prefetch(message.line);
  cache_.wake(at);
  return true;
}

void ClientLink::on_ready(VirtualNetwork, unsigned) {
  cache_.wake(cache_.clock()->now());
}

base::Cycle& ClientLink::bank_free_at(base::LineAddress line) {
  return bank_free_at_[cache_.local(line) / cache_.line_bytes() % spec_.banks];
}

base::Cycle ClientLink::take() {
  lookups_ = spec_.ports;
  base::Cycle next = take_replays();
  next = std::min(next, take_requests());
  bool set_free = false;  // by a message
  for (unsigned role = 0; role < roles(); ++role)
    set_free |= !cache_.lines().replays(role).empty() && (stalled_replays_ >> role & 1U) == 0;
  return set_free ? std::min(next, cache_.now_cycle() + 1) : next;
}

unsigned ClientLink::roles() const {
  return static_cast<unsigned>(cache_.lines().machines().size());
}

base::Cycle ClientLink::take_replays() {
  base::Cycle next = base::never;
  for (unsigned role = 0; role < roles(); ++role) next = std::min(next, take_replays(role));
  return next;
}

base::Cycle ClientLink::take_replays(unsigned role) {
  const base::Cycle now = cache_.now_cycle();
  CoherentLines::Replays& replays = cache_.lines().replays(role);
  for (; lookups_ > 0 && !replays.empty(); --lookups_) {
    const MshrTable::Parked replay = replays.front();
    if (bank_free_at(replay.message->line) > now) return bank_free_at(replay.message->line);
    replays.pop_front();
    const StallReason stall = take(*replay.message, true);
    if (stall != StallReason::none) {
      replays.push_front(replay);
      if (roles() > 1 && take_replay_of_line_here(role)) continue;
      if (stall == StallReason::recycled && cache_.policy().recycle_ps != 0)
        cache_.retry_at(cache_.now_ps() + cache_.policy().recycle_ps);
      stalls_.begin(stall, now);
      stalled_replays_ |= 1U << role;
      return base::never;
    }
    stalled_replays_ &= ~(1U << role);
    cache_.change();
  }
  return replays.empty() ? base::never : now + 1;
}

/// One behind the first, whose line is here and kept for it: the first may wait for its frame.
bool ClientLink::take_replay_of_line_here(unsigned role) {
  CoherentLines::Replays& replays = cache_.lines().replays(role);
  for (std::size_t place = 1; place < replays.size(); ++place) {
    const MshrTable::Parked replay = replays[place];
    const base::LineAddress line = replay.message->line;
    const auto is_its = [line](const MshrTable::Parked& older) { return older.message->line == line; };
    const auto at = replays.begin() + static_cast<std::ptrdiff_t>(place);
    if (std::any_of(replays.begin(), at, is_its) || cache_.lines().locate(line).frame == nowhere ||
        bank_free_at(line) > cache_.now_cycle())
      continue;
    replays.erase(at);
    if (take(*replay.message, true) == StallReason::none) {
      cache_.change();
      return true;
    }
    replays.insert(replays.begin() + static_cast<std::ptrdiff_t>(place), replay);
  }
  return false;
}

/// Networks whose messages wait for what is presented again, which is older. Answers do not wait for it: it may need
/// them; nor do requests that come from elsewhere than it.
std::uint32_t ClientLink::behind_replays() const {
  const CoherentLines& lines = cache_.lines();
  if (roles() == 1) return lines.replays().empty() ? 0 : (2U << lines.replays().front().message->network) - 1;
  std::uint32_t networks = 0;
  for (unsigned role = 0; role < roles(); ++role) {
    for (const MshrTable::Parked& replay : lines.replays(role)) networks |= 1U << replay.message->network;
  }
  return networks;
}

base::Cycle ClientLink::take_requests() {
  base::Cycle next = base::never;
  bool kept_for_starved = false;
  std::uint32_t others = ~behind_replays();
  for (; (inbox_.used() & others) != 0; others &= ~behind_replays()) {
    const unsigned network = turns_.first_of(inbox_.used() & others), bit = 1U << network;
    others &= ~bit;
    if (kept_for_starved && brings_request(network)) {
      next = std::min(next, cache_.now_cycle() + 1);
      continue;
    }
    if (cache_.changed() || (stalled_networks_ & bit) == 0) {  // else it would be refused again
      stalled_networks_ &= ~bit;
      next = std::min(next, take_from(network));
    }
    kept_for_starved |= (stalled_networks_ & bit) != 0 && turns_.keeps_room(network, cache_.now_cycle());
  }
  return next;
}

bool ClientLink::brings_request(unsigned network) const {
  return is_request(inbox_.queue(network)[inbox_.next(network)].message->message_class);
}

/// Within one module only one network brings requests.
void ClientLink::pass_over(unsigned network) {
  if (cache_.places() != nullptr) turns_.pass_over(network, cache_.now_cycle());
}

base::Cycle ClientLink::take_from(unsigned network) {
  const base::Cycle now = cache_.now_cycle();
  const auto& queue = inbox_.queue(network);
  while (!queue.empty()) {
    const std::size_t place = inbox_.next(network);
    if (queue[place].at > now) return queue[place].at;
    if (lookups_ == 0) {
      pass_over(network);
      return now + 1;
    }
    Message& message = *queue[place].message;
    if (bank_free_at(message.line) > now) {
      pass_over(network);
      counts_.bank_conflicts.add();
      return bank_free_at(message.line);
    }
    const StallReason stall = take(message, false);
    if (is_for_room(stall))
      pass_over(network);
    else
      turns_.not_passed_over(network);
    if (stall == StallReason::recycled && cache_.policy().recycle_ps != 0) {
      stalls_.end(now);
      counts_.recycles.add();
      inbox_.recycle(network, place,
                     cache_.clock()->cycle_at_or_after_ps(cache_.now_ps() + cache_.policy().recycle_ps));
      --lookups_;
      continue;
    }
    if (stall != StallReason::none) {  // whatever it waits for wakes this cache
      stalls_.begin(stall, now);
      stalled_networks_ |= 1U << network;
      break;
    }
    cache_.change();  // for the networks that come after this one
    --lookups_;
    inbox_.take(network, place);
    turns_.taken(network, now, queue.empty());
    requests.resume(static_cast<VirtualNetwork>(network));
    if ((behind_replays() >> network & 1U) != 0) break;  // it has set free what is older than those behind it
  }
  return base::never;
}

void ClientLink::begin() {
  answered_ = false;
  answer_ready_ = cache_.now_cycle() + spec_.access_latency;
}

StallReason ClientLink::take(Message& message, bool replayed) {
  if (message.family != &coherence_family)
    throw base::ModelError(
        fmt::format("{}: no unit claims the message family `{}`; {} of line {:#x} has come to the home", cache_.name(),
                    message.family->name, describe(message), message.line.value()));
  AtomicUnitLink* const atomics = cache_.links().atomics;
  const base::LineAddress line = message.line;
  const MessageClass request_class = message.message_class;
  if (request_class == MessageClass::atomic_request && atomics != nullptr && !atomics->port.room())
    return StallReason::locks_full;
  Request request;
  request.stimulus = cache_.stimulus_of(message);
  request.stimulus.access = traits_of(message);
  if (message.at_home_ps == 0) message.at_home_ps = cache_.now_ps();
  request.stimulus.arrived = message.at_home_ps;
  request.line = line;
  request.wanted = message.mask;
  request.message = &message;
  request.incoming = &message.data;
  request.of_node = cache_.policy().messages[message.kind].of_node;
  begin();
  const std::uint64_t misses = cache_.lines().counts().misses.value();
  const StallReason stall = look_up(message, request, replayed);
  if (stall != StallReason::none) return stall;
  stalls_.end(cache_.now_cycle());
  bank_free_at(line) = cache_.now_cycle() + spec_.bank_busy;
  cache_.progress();
  if (!request.kept) message.payload()->release();
  if (replayed) return stall;

  const bool may_hit = cache_.lines().counts().misses.value() == misses;
  if (request.held) atomics->may_hit(may_hit);
  count_hit(may_hit);
  count(request_class);
  return stall;
}

StallReason ClientLink::look_up(Message& message, Request& request, bool replayed) {
  // By which network it has come says nothing of when: who has waited for the line is served before.
  if (!replayed && roles() > 1 && cache_.lines().replays_wait(message.line)) return StallReason::protocol;
  const StallReason stall = cache_.lines().present(request);
  cache_.retry_at(request.retry_ps);
  if (stall != StallReason::line_locked) return stall;
  if (cache_.policy().recycle_ps != 0 && !replayed)
    return StallReason::recycled;  // who waits rests behind the queue there
  if (!cache_.lines().wait_for_lock(message)) return stall;
  request.kept = true;
  if (cache_.follower() != nullptr) tell_client_step(cache_, message, CacheStep::shut_out);
  return StallReason::none;
}

void ClientLink::count(MessageClass request) {
  switch (request) {
    case MessageClass::load_request:
      counts_.loads.add();
      break;
    case MessageClass::store_request:
      counts_.stores.add();
      break;
    case MessageClass::atomic_request:
      counts_.atomics.add();
      break;
    default:
      break;
  }
}

void ClientLink::answer(const protocols::Action& action, const Lookup& lookup, Request& request) {
  Message& m = *request.message;
  if (cache_.follower() != nullptr) tell_client_step(cache_, m, CacheStep::goes_up);
  request.kept = true;
  answered_ = true;
  const protocols::Payload payload = cache_.policy().messages[action.message].payload;
  const bool brings_line = payload == protocols::Payload::line;
  if (brings_line || (payload != protocols::Payload::none && m.message_class == MessageClass::load_request)) {
    CoherentLines& lines = cache_.lines();
    if (brings_line) m.mask = base::ByteMask::all(cache_.line_bytes());
    m.data = lookup.frame != nowhere ? lines.tags().data(lookup.frame) : lines.mshrs()[lookup.mshr].data;
    if (cache_.line_events.watched()) tell(LineEvent::Kind::departed, LineEvent::Kind::copied, m, m.data, lookup);
  }
  m.destination = m.source;
  m.source = cache_.node();
  m.coherence = {action.stamps, action.acks};
  dress(m, cache_.policy(), action.message, cache_.line_bytes());
  cache_.set_network(m);
  cache_.sent().note(m, cache_.now_ps());
  outbox_.push(m, answer_ready_);
}

void ClientLink::deliver(const protocols::Action& action, Message& reply, const ForwardedAccess& access) {
  if (cache_.follower() != nullptr) tell_client_step(cache_, reply, CacheStep::goes_up);
  reply.tag = access.tag;
  reply.source = cache_.node();
  reply.destination = access.client;
  reply.requester = access.requester;
  reply.coherence = {action.stamps, action.acks};
  dress(reply, cache_.policy(), action.message, cache_.line_bytes());
  cache_.set_network(reply);
  cache_.sent().note(reply, cache_.now_ps());
  outbox_.push(reply, cache_.now_cycle() + spec_.access_latency);
}

void ClientLink::send(const protocols::Action& action, const Request& request) {
  action.nodes.for_each([&](unsigned node) {
    const NodeId to = cache_.l1(node);
    const bool of_module = cache_.places() != nullptr;  // which asks and is answered on behalf of its L1s
    Message& m = cache_.make(action, request.line, to, of_module ? to : cache_.l1(action.requester));
    outbox_.push(m, cache_.now_cycle() + spec_.access_latency);
  });
}

/// By the way of answers, so that whoever has got a line hears behind it that it is old.
void ClientLink::send_to_modules(const protocols::Action& action, const Request& request) {
  action.nodes.for_each([&](unsigned module) {
    Message& m = cache_.make(action, request.line, cache_.l2_of(module), cache_.l2_of(action.requester));
    if (action.of_entry) m.coherence.more_lines = cache_.lines().sharer_lines() - 1;
    outbox_.push(m, cache_.now_cycle() + spec_.access_latency);
  });
}

void ClientLink::write(const protocols::Action& action, const Lookup& lookup, Request& request) {
  if (lookup.frame == nowhere)
    throw base::ModelError(
        fmt::format("{}: the policy writes line {:#x}, which has no frame", cache_.name(), lookup.line.value()));
  Message& m = *request.message;
  if (m.message_class == MessageClass::atomic_request) {
    if (cache_.links().atomics == nullptr) cache_.lacks("to an atomic unit");
    return cache_.links().atomics->update(action, lookup, request);
  }
  Frame& frame = cache_.lines().tags().frame(lookup.frame);
  base::LineData& data = cache_.lines().tags().data(lookup.frame);
  m.mask.merge(data, m.data);
  frame.valid |= m.mask;
  if (action.marks_dirty) frame.dirty |= m.mask;
  if (cache_.line_events.watched() && !m.mask.empty())
    tell(LineEvent::Kind::performed, LineEvent::Kind::merged, m, data, lookup);
}

/// What happens to the line at its home, or to a copy of it elsewhere.
void ClientLink::tell(LineEvent::Kind at_home, LineEvent::Kind elsewhere, const Message& message,
                      const base::LineData& data, const Lookup& lookup) const {
  const LineEvent::Kind kind = lookup.is_copy() ? elsewhere : at_home;
  cache_.line_events.write({kind, message.line, message.mask, &data, &message, nullptr, lookup.frame, cache_.node()});
}

}  // namespace syncline::models
