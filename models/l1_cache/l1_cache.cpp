// What the L1 takes: requests of the SM, messages, replays, timers.
#include "models/l1_cache/l1_cache.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/translate.h"
#include "models/sm/l1_interface.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

using protocols::Needs;
using protocols::Operation;
using protocols::Stimulus;

namespace {
/// What waits for its latency is not in the way of what waits for the network.
std::size_t room_to_send(const L1Spec& spec) {
  return spec.output_queue + spec.send_latency * spec.ports;
}
unsigned networks(const PlatformContext& context, const protocols::CoherencePolicy& policy) {
  return context.families.networks(static_cast<unsigned>(policy.networks.size()));
}
}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L1Spec& spec,
                 const protocols::CoherencePolicy& policy, base::SmId sm, const HomeMap& homes, GpuPlace place)
    : Block(name, context),
      from_sm("from_sm", *this, sm_port),
      to_sm("to_sm", *this, sm_port),
      to_network("to_network", *this, network_port),
      from_network("from_network", *this, network_port),
      line_events("line_events"),
      spec_(spec),
      policy_(policy),
      sm_(sm),
      node_(l1_node(sm, place)),
      homes_(homes),
      lines_(*this,
             {spec.sets(), spec.ways, spec.line, spec.mshr_entries, spec.mshr_merges, spec.replacement, sm.value()},
             policy.make_l1(), base::Random(context.seed, prefix(place) + "l1.replacement", sm.value())),
      handles_(spec.handles),
      requests_(1, spec.input_queue),
      messages_(networks(context, policy), spec.reply_queue),
      outbox_(to_network, networks(context, policy), room_to_send(spec), policy.l1s),
      sent_(context.journal, policy, this->name()) {
  if (policy.peer_messages) {
    MessageSender& self = *this;
    to_peers = std::make_unique<MessageInitiator>("to_peers", self, peer_port);
    peer_outbox_.emplace(*to_peers, static_cast<unsigned>(policy.networks.size()), room_to_send(spec), policy.l1s);
  }
  held_.reserve(max_warp_slots);  // a warp waits for its fence
  clock.add(*this, TickRank::l1_cache, this->name());
  add_statistics();
}

L1Cache::~L1Cache() = default;

bool L1Cache::receive(Message& message, const sc_core::sc_time& arrival, unsigned port) {
  const base::Cycle at = clock()->cycle_at_or_after(arrival);
  if (!(port == sm_port ? requests_ : messages_).push(message, at)) return false;
  lines_.prefetch(message.line);
  wake(at);
  return true;
}

void L1Cache::on_ready(VirtualNetwork, unsigned port) {
  if (port != sm_port) wake(clock()->now());
}

base::Cycle L1Cache::tick(base::Cycle now) {
  now_ = now;
  now_ps_ = clock()->ps_of(now);
  drain();
  if (retry_ps_ <= now_ps_) {
    changed_ = true;
    retry_ps_ = protocols::Machine::never;
  }
  base::Cycle next = std::min(fire_timers(), answer_fences());
  next = std::min(next, take_messages());
  next = std::min(next, take_replays());
  next = std::min(next, take_requests());
  changed_ = false;
  next = std::min(next, drain());
  if (!held_.empty()) next = std::min(next, held_.back().until);
  next = std::min(next, std::max(clock()->cycle_at_or_after_ps(retry_ps_), now + 1));
  const bool anybody_stalls =
      request_stalls_.cause() != StallReason::none || stalled_messages_ || !lines_.replays().empty();
  return changed_ && anybody_stalls ? now + 1 : next;
}

base::Cycle L1Cache::drain() {
  const auto drain = [this](Outbox& outbox) {
    const std::size_t queued = outbox.size();
    const base::Cycle next = outbox.drain(now_);
    if (outbox.size() != queued) changed_ = true;
    return next;
  };
  const base::Cycle next = drain(outbox_);
  return peer_outbox_ ? std::min(next, drain(*peer_outbox_)) : next;
}

base::Cycle L1Cache::fire_timers() {
  return std::max(clock()->cycle_at_or_after_ps(lines_.fire_timers(changed_)), now_ + 1);
}

base::Cycle L1Cache::answer_fences() {
  while (!held_.empty() && held_.back().until <= now_) {
    reply_to_sm(*held_.back().message, now_);
    held_.pop_back();
    ++tile().progress;
  }
  return held_.empty() ? base::never : held_.back().until;
}

base::Cycle L1Cache::take_messages() {
  base::Cycle next = base::never;
  stalled_messages_ = false;
  for (unsigned network = 0; network < messages_.networks(); ++network) {
    const auto& queue = messages_.queue(network);
    if (queue.empty()) continue;
    if (queue.front().at > now_) {
      next = std::min(next, queue.front().at);
      continue;
    }
    Message* const message = queue.front().message;
    if (message->family != &coherence_family) {  // an answer to what passed
      changed_ = true;
      messages_.take(network, 0);
      reply_to_sm(*message, now_ + 1);
      from_network.resume(static_cast<VirtualNetwork>(network));
      ++tile().progress;
      if (!queue.empty()) next = std::min(next, std::max(queue.front().at, now_ + 1));
      continue;
    }
    Request request;
    request.stimulus = stimulus_of(*message);
    request.line = message->line;
    request.wanted = message->mask;
    request.message = message;
    if (policy_.messages[message->kind].payload != protocols::Payload::none) request.incoming = &message->data;
    request.of_node = policy_.messages[message->kind].of_node;
    const StallReason stall = lines_.present(request);
    if (stall != StallReason::none) {  // whatever it waits for wakes this cache
      stalled_messages_ = true;
      continue;
    }
    changed_ = true;
    messages_.take(network, 0);
    if (!request.kept) message->payload()->release();
    from_network.resume(static_cast<VirtualNetwork>(network));
    if (flush_after_) flush();
    ++tile().progress;
    if (!queue.empty()) next = std::min(next, std::max(queue.front().at, now_ + 1));
  }
  return next;
}

base::Cycle L1Cache::take_replays() {
  auto& replays = lines_.replays();
  for (unsigned port = 0; port < spec_.ports && !replays.empty(); ++port) {
    const MshrTable::Parked replay = replays.front();
    replays.pop_front();
    if (take_access(*replay.message, true) != StallReason::none) {
      replays.push_front(replay);
      return base::never;
    }
    changed_ = true;
  }
  return replays.empty() ? base::never : now_ + 1;
}

bool L1Cache::store_under_way(base::LineAddress line) const {
  const auto& all = handles_.all();
  return std::any_of(all.begin(), all.end(), [line](const ForwardedAccess& access) {
    return access.used && !access.written_back && access.line == line &&
           access.message_class != MessageClass::load_request;
  });
}

void L1Cache::end_stall() {
  if (stalled_by_store_) held_by_stores_.add(request_stalls_.since(), now_);
  stalled_by_store_ = false;
  request_stalls_.end(now_);
}

base::Cycle L1Cache::take_requests() {
  if (!lines_.replays().empty()) return base::never;                                  // older accesses first
  if (!changed_ && request_stalls_.cause() != StallReason::none) return base::never;  // it would be refused again
  const auto& queue = requests_.queue(0);
  for (unsigned port = 0; port < spec_.ports && !queue.empty(); ++port) {
    const std::size_t place = requests_.next(0);
    if (queue[place].at > now_) break;
    const StallReason stall = take_request(*queue[place].message);
    if (stall == StallReason::recycled && policy_.recycle_ps != 0) {
      end_stall();  // it may have waited for something else before
      recycles_.add();
      const base::Cycle again = clock()->cycle_at_or_after_ps(now_ps_ + policy_.recycle_ps);
      if (store_under_way(queue[place].message->line)) held_by_stores_.add(now_, again);
      requests_.recycle(0, place, again);
      continue;
    }
    if (stall != StallReason::none) {
      const bool by_protocol = stall == StallReason::protocol || stall == StallReason::recycled;
      if (by_protocol && request_stalls_.cause() != StallReason::protocol) {
        end_stall();
        stalled_by_store_ = store_under_way(queue[place].message->line);
      } else if (!by_protocol && stalled_by_store_) {
        end_stall();
      }
      request_stalls_.begin(stall, now_);
      return base::never;
    }
    end_stall();
    requests_.take(0, place);
    from_sm.resume(sm_l1_network);
  }
  return queue.empty() ? base::never : std::max(queue[requests_.next(0)].at, now_ + 1);
}

StallReason L1Cache::take_request(Message& message) {
  if (message.family != &l1_family) return pass_on(message);
  if (message.message_class == MessageClass::control) {
    take_control(message);
    return StallReason::none;
  }
  return l1_kind(message) == L1Kind::prefetch ? take_prefetch(message) : take_access(message, false);
}

/// A message of another family.
StallReason L1Cache::pass_on(Message& message) {
  const MessageFamily& family = *message.family;
  if (message.kind >= family.kinds.size())
    throw base::ModelError(fmt::format("{}: the SM sends a message of the family `{}`, which has no kind {}", name(),
                                       family.name, message.kind));
  if (family.kinds[message.kind].passage == Passage::as_store) return take_access(message, false);
  const std::uint8_t kind = message.kind;
  dress(message, family, kind, context().families, policy_, spec_.line);
  if (!outbox_.room(1U << message.network)) return StallReason::output_full;
  message.source = node_;
  message.destination = home_of(message.line, message.scope);
  message.requester = sm_;
  outbox_.push(message, now_ + spec_.send_latency);
  return StallReason::none;
}

Request L1Cache::present_access(Message& message) const {
  Request request;
  request.stimulus.source = Stimulus::Source::access;
  request.stimulus.access = traits_of(message);
  const L1Kind kind = l1_kind(message);
  request.stimulus.access.is_private = kind == L1Kind::local;
  request.stimulus.access.is_read_only |= kind == L1Kind::constant;
  request.stimulus.requester = sm_.value();
  request.stimulus.warp = message.warp.value();
  request.stimulus.pc = message.pc;
  request.line = message.line;
  request.wanted = message.mask;
  request.message = &message;
  return request;
}

StallReason L1Cache::take_access(Message& message, bool replayed) {
  Request request = present_access(message);
  const Operation operation = request.stimulus.access.operation;
  forwarded_ = false;
  if (const StallReason stall = wait_for_release(request); stall != StallReason::none) return stall;
  const StallReason stall = lines_.present(request);
  retry_ps_ = std::min(retry_ps_, request.retry_ps);
  if (stall != StallReason::none || replayed) return stall;
  switch (operation) {
    case Operation::load:
      loads_.add();
      break;
    case Operation::store:
      stores_.add();
      break;
    case Operation::atomic:
      atomics_.add();
      break;
  }
  if (operation == Operation::load && forwarded_) forwarded_loads_.add();
  if (flush_after_) flush();
  return StallReason::none;
}

/// A store that releases is a fence and a store. The SM has waited for the acknowledgements; what else the fence of the
/// policy waits for ends at a time that is known.
StallReason L1Cache::wait_for_release(const Request& request) {
  if (!request.stimulus.access.releases || policy_.consistency == protocols::Consistency::sc) return StallReason::none;
  Stimulus stimulus = request.stimulus;
  stimulus.access.acquires = false;
  stimulus.time = now_ps_;
  const std::uint64_t ready_at = lines_.fence(stimulus).ready_at;
  if (ready_at <= now_ps_) return StallReason::none;
  retry_ps_ = std::min(retry_ps_, ready_at);
  return StallReason::protocol;
}

StallReason L1Cache::take_prefetch(Message& message) {
  prefetches_.add();
  Request request = present_access(message);
  // Only a miss that the L1 would keep is worth a prefetch; a hint never stalls what stands behind it.
  const bool useful = (lines_.preview(request).needs & Needs::frame) != 0;
  if (!useful || lines_.present(request) != StallReason::none) {
    prefetches_dropped_.add();
    message.payload()->release();
  }
  return StallReason::none;
}

void L1Cache::take_control(Message& message) {
  base::Cycle ready = now_ + 1;
  switch (l1_kind(message)) {
    case L1Kind::grid_begin:
      flush();
      break;
    case L1Kind::fence: {
      fences_.add();
      tell(LineEvent::Kind::fenced, message, {});
      Request request = present_access(message);
      request.stimulus.access.acquires = true;  // a fence that is no acquire does not exist in PTX
      request.stimulus.access.releases = true;
      request.stimulus.time = now_ps_;
      const protocols::FenceOutcome outcome = lines_.fence(request.stimulus);
      if (outcome.flush) flush();
      if (outcome.ready_at > now_ps_) ready = std::max(ready, clock()->cycle_at_or_after_ps(outcome.ready_at));
      if (ready > now_ + 1) {  // replies of other warps leave before
        const auto behind =
            std::find_if(held_.begin(), held_.end(), [ready](const HeldFence& held) { return held.until <= ready; });
        held_.insert(behind, {ready, &message});
        return;
      }
      break;
    }
    default:
      throw base::ModelError(fmt::format("{}: control message of kind {} from the SM", name(), message.kind));
  }
  reply_to_sm(message, ready);
}

void L1Cache::flush() {
  flush_after_ = false;
  flushes_.add();
  lines_.flush_all();
}

StallReason L1Cache::stall_reason(const protocols::Transition& transition) {
  if ((transition.needs & Needs::forwarding) != 0 && handles_.full()) return StallReason::handles_full;
  if (!outbox_.room(transition.networks)) return StallReason::output_full;
  if (peer_outbox_ && !peer_outbox_->room(transition.networks)) return StallReason::output_full;
  return StallReason::none;
}

}  // namespace syncline::models
