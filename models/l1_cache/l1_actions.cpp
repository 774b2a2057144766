// What the rows of the L1's table ask of it: messages, bytes, answers to the SM.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/cache/translate.h"
#include "models/l1_cache/l1_cache.h"
#include "models/sm/l1_interface.h"

namespace syncline::models {

using protocols::Action;
using protocols::ActionKind;
using protocols::Haste;
using protocols::Operation;
using protocols::Stimulus;

void L1Cache::execute(const Action& action, const Lookup& lookup, Request& request) {
  switch (action.kind) {
    case ActionKind::forward:
      forward(action, request);
      break;
    case ActionKind::send:
      send(action, request);
      break;
    case ActionKind::answer:
      request.kept = true;
      if (request.stimulus.access.operation == Operation::store) {
        acknowledge(*request.message);
        break;
      }
      hits_.add();
      tell(LineEvent::Kind::loaded, *request.message, request.wanted, &lines_.tags().data(lookup.frame), lookup.frame);
      answer(*request.message, lines_.tags().data(lookup.frame), now_);
      break;
    case ActionKind::deliver:
      deliver(request);
      break;
    case ActionKind::write:
      if (lookup.frame != nowhere) {
        request.wanted.merge(lines_.tags().data(lookup.frame), request.message->data);
        tell(LineEvent::Kind::merged, *request.message, request.wanted, &request.message->data, lookup.frame);
        if (action.marks_dirty) {
          Frame& frame = lines_.tags().frame(lookup.frame);
          frame.valid |= request.wanted;
          frame.dirty |= request.wanted;
        }
      }
      break;
    case ActionKind::write_back:
      write_back(action, lookup, request);
      break;
    default:
      throw base::ModelError(fmt::format("{}: the policy asks an L1 for an action of a home", name()));
  }
}

void L1Cache::forward(const Action& action, Request& request) {
  Message& m = *request.message;
  request.kept = true;
  forwarded_ = true;
  ForwardedAccess access;
  access.line = m.line;
  access.mask = m.mask;
  access.tag = m.tag;
  access.family = m.family;
  access.kind = m.kind;
  access.message_class = m.message_class;
  access.warp = m.warp;
  access.semantics = m.semantics;
  access.scope = m.scope;
  access.acquires = request.stimulus.access.acquires;
  access.since = now_;
  m.tag = handles_.allocate(access);
  if (request.stimulus.access.operation == Operation::load) m.mask = widen(m.mask, spec_.sector, spec_.line);
  m.source = node_;
  m.destination = home_of(m.line, m.scope);
  m.requester = sm_;
  dress(m, policy_, action.message, spec_.line);
  if (access.family == &l1_family) {
    m.coherence = {action.stamps, action.acks};
    sent_.note(m, now_ps_);
  } else {  // it looks like the policy's store, and stays another's, with a body of its own
    m.bytes = static_cast<std::uint16_t>(m.bytes + access.family->kinds[access.kind].body_bytes);
    sent_.note(m, now_ps_);
    m.family = access.family;
    m.kind = access.kind;
  }
  outbox_.push(m, ready_to_leave(m, Haste::always));
}

/// When `m` stands at the network, if messages of a kind with this haste, or more, need not wait.
base::Cycle L1Cache::ready_to_leave(const Message& m, Haste haste) const {
  return policy_.messages[m.kind].haste >= haste ? now_ : now_ + spec_.send_latency;
}

void L1Cache::send(const Action& action, const Request& request) {
  if (action.nodes.empty()) {
    const NodeId destination = request.of_node ? request.message->source : home_of(request.line);
    Message& m = make(action, request, base::ByteMask::all(spec_.line), destination);
    outbox_.push(m, ready_to_leave(m, Haste::always));
    return;
  }
  if (!peer_outbox_)
    throw base::ModelError(fmt::format("{}: the policy `{}` has no messages between L1s, but its machine sends one",
                                       name(), policy_.name));
  action.nodes.for_each([&](unsigned node) {
    const NodeId peer = l1_node(base::SmId(static_cast<std::uint16_t>(node)), node_.place);
    Message& m = make(action, request, base::ByteMask::all(spec_.line), peer);
    peer_outbox_->push(m, ready_to_leave(m, Haste::to_peers));
  });
}

Message& L1Cache::make(const Action& action, const Request& request, const base::ByteMask& bytes,
                       const NodeId& destination) {
  Message& m = tile().messages().get();
  m.line = request.line;
  m.source = node_;
  m.destination = destination;
  m.requester = action.nodes.empty() ? sm_ : base::SmId(action.requester);  // to peers: of another one's access
  m.warp = base::WarpSlot(request.stimulus.warp);
  m.pc = request.stimulus.pc;
  m.coherence = {action.stamps, action.acks};
  m.mask = bytes;
  dress(m, policy_, action.message, spec_.line);
  sent_.note(m, now_ps_);
  return m;
}

void L1Cache::write_back(const Action& action, const Lookup& lookup, const Request& request) {
  write_backs_.add();
  ForwardedAccess leaving;
  leaving.line = lookup.line;
  leaving.mask = lines_.tags().frame(lookup.frame).dirty;
  if (leaving.mask.empty())
    throw base::ModelError(
        fmt::format("{}: line {:#x} is written back that its home has already", name(), lookup.line.value()));
  leaving.message_class = MessageClass::store_request;
  leaving.written_back = true;
  leaving.since = now_;
  Message& m = make(action, request, leaving.mask, home_of(request.line));
  m.data = lines_.tags().data(lookup.frame);
  m.tag = handles_.allocate(leaving);
  written_back_.push_back({m.tag, m.data});
  outbox_.push(m, ready_to_leave(m, Haste::always));
}

void L1Cache::answer(Message& access, const base::LineData& data, base::Cycle since) {
  if (l1_kind(access) == L1Kind::prefetch) {
    access.payload()->release();
    return;
  }
  if (traits_of(access).acquires) acquire(access);
  access.data = data;
  access.message_class = MessageClass::data_reply;
  load_cycles_.sample(now_ - since + spec_.hit_latency);
  reply_to_sm(access, now_ + spec_.hit_latency);
}

void L1Cache::acknowledge(Message& store) {
  store.message_class = MessageClass::store_ack;
  store_cycles_.sample(1);
  reply_to_sm(store, now_ + 1);
}

void L1Cache::answer_parked(Message& message, base::Cycle since, const Request& request) {
  if (line_events.watched()) {
    const bool brought = request.message != nullptr && request.incoming == &request.message->data;
    tell(LineEvent::Kind::loaded, message, message.mask, request.incoming,
         brought ? nowhere : lines_.locate(message.line).frame, brought ? request.message : nullptr);
  }
  answer(message, *request.incoming, since);
}

void L1Cache::filled(const Lookup& lookup, const Request& request) {
  tell(LineEvent::Kind::filled, *request.message, base::ByteMask::all(spec_.line), nullptr, lookup.frame);
}

void L1Cache::tell(LineEvent::Kind kind, const Message& message, const base::ByteMask& bytes,
                   const base::LineData* data, Index frame, const Message* source) {
  if (line_events.watched()) line_events.write({kind, message.line, bytes, data, &message, source, frame, sm_});
}

void L1Cache::deliver(Request& request) {
  Message& reply = *request.message;
  if (!handles_.known(reply.tag))
    throw base::ModelError(fmt::format("{}: a reply for line {:#x} carries handle {}, which nobody waits for", name(),
                                       reply.line.value(), reply.tag));
  const ForwardedAccess access = handles_[reply.tag];
  handles_.release(reply.tag);
  if (access.written_back) {
    const auto leaving = std::find_if(written_back_.begin(), written_back_.end(),
                                      [&](const WrittenBack& entry) { return entry.handle == reply.tag; });
    written_back_.erase(leaving);
    return;
  }
  request.kept = true;
  reply.tag = access.tag;
  reply.family = access.family;
  reply.kind = access.kind;
  const base::Cycle cycles = now_ - access.since;
  switch (access.message_class) {
    case MessageClass::load_request:
      reply.message_class = MessageClass::data_reply;
      tell(LineEvent::Kind::loaded, reply, access.mask, &reply.data, nowhere, &reply);
      load_cycles_.sample(cycles);
      break;
    case MessageClass::store_request:
      reply.message_class = MessageClass::store_ack;
      store_cycles_.sample(cycles);
      break;
    default:
      reply.message_class = MessageClass::atomic_reply;
      atomic_cycles_.sample(cycles);
      break;
  }
  if (access.acquires) acquire(reply);
  reply_to_sm(reply, now_ + 1);
}

void L1Cache::acquire(const Message& message) {
  Stimulus stimulus;
  stimulus.access.scope = traits_of(message).scope;
  stimulus.access.acquires = true;
  stimulus.time = now_ps_;
  flush_after_ |= lines_.fence(stimulus).flush;
}

void L1Cache::reply_to_sm(Message& message, base::Cycle not_before) {
  const base::Cycle at = std::max(not_before, reply_slot_);
  reply_slot_ = at + 1;
  if (message.posted) return message.payload()->release();
  message.network = sm_l1_network;
  const bool taken = to_sm.send(message, sc_core::sc_time::from_value(clock()->ps_of(at) - now_ps_));
  if (!taken) throw base::ModelError(fmt::format("{}: the SM refused a reply; it must have room for each", name()));
}

}  // namespace syncline::models
