// What goes up to the SM: bytes and acknowledgements, and what observers hear of them.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/cache_controller.h"
#include "models/cache/links/core_link.h"
#include "models/cache/translate.h"
#include "models/sm/l1_interface.h"

namespace syncline::models {

namespace {

/// Its answer is on its way to the SM.
void tell_goes_up(const CacheController& cache, const Message& message) {
  if (MessageListener* const listener = cache.follower()) listener->step(message, CacheStep::goes_up, cache, nullptr);
}

}  // namespace

void CoreLink::answer(const Lookup& lookup, Request& request) {
  request.kept = true;
  tell_goes_up(cache_, *request.message);
  if (request.stimulus.access.operation == protocols::Operation::store) return acknowledge(*request.message);
  if (lookup.frame == nowhere)
    throw base::ModelError(fmt::format("{}: the policy answers a load from line {:#x}, which has no frame",
                                       cache_.name(), lookup.line.value()));
  counts_.hits.add();
  const base::LineData& data = cache_.lines().tags().data(lookup.frame);
  tell(LineEvent::Kind::loaded, *request.message, request.wanted, &data, lookup.frame);
  give(*request.message, data, cache_.now_cycle());
}

void CoreLink::answer_parked(Message& message, base::Cycle since, const Request& request) {
  if (MessageListener* const listener = cache_.follower())
    listener->step(message, CacheStep::released, cache_, request.message);
  tell_goes_up(cache_, message);
  if (cache_.line_events.watched()) {
    const bool brought = request.message != nullptr && request.incoming == &request.message->data;
    tell(LineEvent::Kind::loaded, message, message.mask, request.incoming,
         brought ? nowhere : cache_.lines().locate(message.line).frame, brought ? request.message : nullptr);
  }
  give(message, *request.incoming, since);
}

void CoreLink::write(const protocols::Action& action, const Lookup& lookup, const Request& request) {
  if (lookup.frame == nowhere) return;
  TagArray& tags = cache_.lines().tags();
  request.wanted.merge(tags.data(lookup.frame), request.message->data);
  tell(LineEvent::Kind::merged, *request.message, request.wanted, &request.message->data, lookup.frame);
  if (!action.marks_dirty) return;
  Frame& frame = tags.frame(lookup.frame);
  frame.valid |= request.wanted;
  frame.dirty |= request.wanted;
}

void CoreLink::filled(const Lookup& lookup, const Request& request) {
  tell(LineEvent::Kind::filled, *request.message, base::ByteMask::all(cache_.line_bytes()), nullptr, lookup.frame);
}

void CoreLink::deliver(Message& answer, const ForwardedAccess& access) {
  answer.tag = access.tag;
  answer.family = access.family;
  answer.kind = access.kind;
  tell_goes_up(cache_, answer);
  const base::Cycle cycles = cache_.now_cycle() - access.since;
  switch (access.message_class) {
    case MessageClass::load_request:
      answer.message_class = MessageClass::data_reply;
      tell(LineEvent::Kind::loaded, answer, access.mask, &answer.data, nowhere, &answer);
      counts_.load_cycles.sample(cycles);
      break;
    case MessageClass::store_request:
      answer.message_class = MessageClass::store_ack;
      counts_.store_cycles.sample(cycles);
      break;
    default:
      answer.message_class = MessageClass::atomic_reply;
      counts_.atomic_cycles.sample(cycles);
      break;
  }
  if (access.acquires && acquire(answer)) return;
  reply(answer, cache_.now_cycle() + 1);
}

void CoreLink::give(Message& access, const base::LineData& data, base::Cycle since) {
  if (l1_kind(access) == L1Kind::prefetch) {
    access.payload()->release();
    return;
  }
  const bool acquires = traits_of(access).acquires;
  access.data = data;
  access.message_class = MessageClass::data_reply;
  counts_.load_cycles.sample(cache_.now_cycle() - since + spec_.hit_latency);
  if (acquires && acquire(access)) return;
  reply(access, cache_.now_cycle() + spec_.hit_latency);
}

void CoreLink::acknowledge(Message& store) {
  store.message_class = MessageClass::store_ack;
  counts_.store_cycles.sample(1);
  reply(store, cache_.now_cycle() + 1);
}

/// True: those below are asked first, and `answered` lets the reply go.
bool CoreLink::acquire(Message& message) {
  protocols::Stimulus stimulus;
  stimulus.access.scope = traits_of(message).scope;
  stimulus.access.acquires = true;
  stimulus.time = cache_.now_ps();
  const protocols::FenceOutcome outcome = cache_.lines().fence(stimulus);
  if (outcome.ask)
    ask(message, Then::reply, stimulus.access);
  else
    flush_asked_ |= outcome.flush;
  return outcome.ask;
}

void CoreLink::reply(Message& message, base::Cycle not_before) {
  const base::Cycle at = std::max(not_before, reply_slot_);
  reply_slot_ = at + 1;
  if (message.posted) return message.payload()->release();
  message.network = sm_l1_network;
  const bool taken = to_sm.send(message, sc_core::sc_time::from_value(cache_.clock()->ps_of(at) - cache_.now_ps()));
  if (!taken)
    throw base::ModelError(fmt::format("{}: the SM refused a reply; it must have room for each", cache_.name()));
}

void CoreLink::tell(LineEvent::Kind kind, const Message& message, const base::ByteMask& bytes,
                    const base::LineData* data, Index frame, const Message* source) {
  if (!cache_.line_events.watched()) return;
  cache_.line_events.write({kind, message.line, bytes, data, &message, source, frame, cache_.node()});
}

}  // namespace syncline::models
