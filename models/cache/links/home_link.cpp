#include "models/cache/links/home_link.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/cache/links/client_link.h"
#include "models/cache/links/core_link.h"
#include "models/cache/translate.h"
#include "models/sm/l1_interface.h"

namespace syncline::models {

using protocols::Haste;

namespace {
unsigned networks_of(const CacheController& cache) {
  return cache.context().families.networks(cache.policy().virtual_networks());
}
}  // namespace

HomeLink::HomeLink(CacheController& cache, const Spec& spec)
    : to_network("to_network", *this),
      from_network("from_network", *this),
      cache_(cache),
      spec_(spec),
      handles_(spec.handles),
      messages_(networks_of(cache), spec.reply_queue),
      outbox_(to_network, networks_of(cache), spec.output_queue, cache.policy().l1s, cache.waiting(),
              cache.places() != nullptr) {}

bool HomeLink::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  const base::Cycle at = cache_.clock()->cycle_at_or_after(arrival);
  if (!messages_.push(message, at)) return false;
  cache_.lines().prefetch(message.line);
  cache_.wake(at);
  return true;
}

void HomeLink::on_ready(VirtualNetwork, unsigned) {
  cache_.wake(cache_.clock()->now());
}

base::Cycle HomeLink::take_messages() {
  const base::Cycle now = cache_.now_cycle();
  CoreLink* const core = cache_.links().core;
  base::Cycle next = base::never;
  std::uint32_t others = ~0U;  // of them those of lower numbers first
  while ((messages_.used() & others) != 0) {
    const auto network = static_cast<unsigned>(__builtin_ctz(messages_.used() & others));
    others &= ~1U << network;
    const auto& queue = messages_.queue(network);
    if (queue.front().at > now) {
      next = std::min(next, queue.front().at);
      continue;
    }
    Message* const message = queue.front().message;
    if (message->family == &coherence_family) {
      const bool has_more = message->coherence.more_lines != 0;
      if (take(*message) != StallReason::none) {  // whatever it waits for wakes this cache
        stalled_ = true;
        continue;
      }
      cache_.change();
      if (!has_more) {
        messages_.take(network, 0);
        from_network.resume(static_cast<VirtualNetwork>(network));
        if (core != nullptr) core->flush_if_asked();
      }
    } else {  // an answer to what passed
      if (core == nullptr) cache_.lacks("to an SM");
      cache_.change();
      messages_.take(network, 0);
      core->reply(*message, now + 1);
      from_network.resume(static_cast<VirtualNetwork>(network));
    }
    cache_.progress();
    if (!queue.empty()) next = std::min(next, std::max(queue.front().at, now + 1));
  }
  return next;
}

/// Of slices that answer a fence the last one speaks for all.
StallReason HomeLink::take(Message& message) {
  const protocols::MessageKind& kind = cache_.policy().messages[message.kind];
  Request request;
  request.stimulus = cache_.stimulus_of(message);
  request.line = message.line;
  request.wanted = message.mask;
  request.message = &message;
  if (kind.payload != protocols::Payload::none) request.incoming = &message.data;
  request.of_node = kind.of_node;
  if (kind.payload == protocols::Payload::line) refresh(message);
  const bool not_last = kind.of_node && asked_ > 1;
  if (!not_last) {
    const StallReason stall = cache_.lines().present(request);
    if (stall != StallReason::none) return stall;
  }
  if (kind.of_node && asked_ != 0) --asked_;
  if (message.coherence.more_lines != 0)
    to_next_line(message, request.kept);
  else if (!request.kept)
    message.payload()->release();
  return StallReason::none;
}

/// Of a message about several lines, which are looked up one after the other before what is behind it.
void HomeLink::to_next_line(Message& message, bool kept) const {
  if (kept)
    throw base::ModelError(fmt::format("{}: {} about several lines is kept at {:#x}", cache_.name(), describe(message),
                                       message.line.value()));
  --message.coherence.more_lines;
  message.line = base::LineAddress(message.line.value() + cache_.line_bytes());
}

/// The host may have written to the line while it was on its way.
void HomeLink::refresh(Message& message) const {
  const Index entry = cache_.lines().locate(message.line).mshr;
  if (entry == nowhere || !cache_.lines().mshrs()[entry].refetch) return;
  const MissRegister& waiting = cache_.lines().mshrs()[entry];
  waiting.valid.merge(message.data, waiting.data);
  if (cache_.line_events.watched())
    cache_.line_events.write({LineEvent::Kind::host_merged, message.line, waiting.valid, &message.data, &message});
}

const ForwardedAccess& HomeLink::access_of(const Message& reply) const {
  if (!handles_.known(reply.tag))
    throw base::ModelError(fmt::format("{}: a reply for line {:#x} carries handle {}, which nobody waits for",
                                       cache_.name(), reply.line.value(), reply.tag));
  return handles_[reply.tag];
}

bool HomeLink::store_under_way(base::LineAddress line) const {
  const auto& all = handles_.all();
  return std::any_of(all.begin(), all.end(), [line](const ForwardedAccess& access) {
    return access.used && !access.written_back && access.line == line &&
           access.message_class != MessageClass::load_request;
  });
}

/// Names both ends. In a cache between, the access remains that of whoever asked.
void HomeLink::address(Message& message) const {
  message.destination = cache_.home_of(message.line, message.scope);
  message.source = cache_.node();
  if (cache_.links().clients == nullptr) message.requester = cache_.node();
}

StallReason HomeLink::pass_by(Message& message) {
  dress(message, *message.family, message.kind, cache_.context().families, cache_.policy(), cache_.line_bytes());
  if (!outbox_.room(1U << message.network)) return StallReason::output_full;
  address(message);
  outbox_.push(message, cache_.now_cycle() + spec_.send_latency);
  return StallReason::none;
}

void HomeLink::forward(const protocols::Action& action, Request& request) {
  Message& m = *request.message;
  if (cache_.policy().messages[action.message].of_node && cache_.places() != nullptr) return ask_module(action, m);
  request.kept = true;
  if (MessageListener* const listener = cache_.follower()) listener->step(m, CacheStep::goes_down, cache_, nullptr);
  ++forwarded_;
  ForwardedAccess access;
  access.line = m.line;
  access.mask = m.mask;
  access.tag = m.tag;
  access.family = m.family;
  access.kind = m.kind;
  access.message_class = m.message_class;
  access.client = m.source;
  access.requester = m.requester;
  access.warp = m.warp;
  access.semantics = m.semantics;
  access.scope = m.scope;
  access.acquires = request.stimulus.access.acquires;
  access.since = cache_.now_cycle();
  m.tag = handles_.allocate(access);
  if (m.message_class == MessageClass::load_request && spec_.sector > 1)
    m.mask = widen(m.mask, spec_.sector, cache_.line_bytes());
  address(m);
  dress(m, cache_.policy(), action.message, cache_.line_bytes());
  cache_.set_network(m);
  if (access.family == &l1_family || access.family == &coherence_family) {
    m.coherence = {action.stamps, action.acks};
    cache_.sent().note(m, cache_.now_ps());
  } else {  // it looks like the policy's store, and stays another's, with a body of its own
    m.bytes = static_cast<std::uint16_t>(m.bytes + access.family->kinds[access.kind].body_bytes);
    cache_.sent().note(m, cache_.now_ps());
    m.family = access.family;
    m.kind = access.kind;
  }
  outbox_.push(m, ready_to_leave(m));
}

/// When `message` stands at the network: at once, if its kind is urgent.
base::Cycle HomeLink::ready_to_leave(const Message& message) const {
  const bool urgent = cache_.policy().messages[message.kind].haste >= Haste::always;
  return urgent ? cache_.now_cycle() : cache_.now_cycle() + spec_.send_latency;
}

/// To every slice of the module, for each has lines of its own.
void HomeLink::ask_module(const protocols::Action& action, const Message& question) {
  const ModulePlaces& places = *cache_.places();
  asked_ = places.slices();
  for (unsigned slice = 0; slice < asked_; ++slice) {
    Message& m = cache_.make(action, question.line, places.slice(places.module(cache_.node()), slice), cache_.node());
    m.scope = question.scope;
    m.semantics = question.semantics;
    m.warp = question.warp;
    outbox_.push(m, ready_to_leave(m));
  }
}

/// Bytes that the home below lacks; its answer is for nobody. Of an atomic that has written nothing there are none, for
/// others may have written there in the meantime.
void HomeLink::write_on(const protocols::Action& action, const Lookup& lookup, const Request& request) {
  const Message& from = *request.message;
  const bool is_atomic = from.message_class == MessageClass::atomic_request;
  Message& m = cache_.make(action, request.line, cache_.home_of(request.line), cache_.node(), written_by(from),
                           &request.stimulus);
  m.data = is_atomic ? cache_.lines().tags().data(lookup.frame) : from.data;
  if (cache_.line_events.watched() && !m.mask.empty())
    cache_.line_events.write({LineEvent::Kind::passed_on, request.line, m.mask, &m.data, &from, &m});
  outbox_.push(m, ready_to_leave(m));
}

void HomeLink::send(const protocols::Action& action, const Request& request) {
  const NodeId destination = request.of_node ? request.message->source : cache_.home_of(request.line);
  Message& m = cache_.make(action, request.line, destination, cache_.node(), base::ByteMask::all(cache_.line_bytes()),
                           &request.stimulus);
  outbox_.push(m, ready_to_leave(m));
}

void HomeLink::write_back(const protocols::Action& action, const Lookup& lookup, const Request& request) {
  write_backs_.add();
  ForwardedAccess leaving;
  leaving.line = lookup.line;
  leaving.mask = cache_.lines().tags().frame(lookup.frame).dirty;
  if (leaving.mask.empty())
    throw base::ModelError(
        fmt::format("{}: line {:#x} is written back that its home has already", cache_.name(), lookup.line.value()));
  leaving.message_class = MessageClass::store_request;
  leaving.written_back = true;
  leaving.since = cache_.now_cycle();
  Message& m =
      cache_.make(action, request.line, cache_.home_of(request.line), cache_.node(), leaving.mask, &request.stimulus);
  m.data = cache_.lines().tags().data(lookup.frame);
  m.tag = handles_.allocate(leaving);
  written_back_.push_back({m.tag, m.data});
  outbox_.push(m, ready_to_leave(m));
}

void HomeLink::deliver(const protocols::Action& action, Request& request) {
  Message& reply = *request.message;
  if (request.of_node && cache_.places() != nullptr) return cache_.links().core->answered();
  const ForwardedAccess access = access_of(reply);
  handles_.release(reply.tag);
  if (access.written_back) {
    const auto leaving = std::find_if(written_back_.begin(), written_back_.end(),
                                      [&](const WrittenBack& entry) { return entry.handle == reply.tag; });
    written_back_.erase(leaving);
    return;
  }
  request.kept = true;
  if (cache_.links().core != nullptr) return cache_.links().core->deliver(reply, access);
  if (cache_.links().clients == nullptr) cache_.lacks("above");
  cache_.links().clients->deliver(action, reply, access);
}

}  // namespace syncline::models
