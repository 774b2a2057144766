#include "models/cache/links/atomic_unit_link.h"

#include <cstring>

#include "models/cache/cache_controller.h"
#include "models/cache/links/client_link.h"

namespace syncline::models {

AtomicUnitLink::AtomicUnitLink(CacheController& cache, ClientLink& clients, std::uint32_t locks)
    : port("atomics", *this, cache.line_bytes(), locks), cache_(cache), clients_(clients) {}

void AtomicUnitLink::atomics_ready(const sc_core::sc_time& at) {
  cache_.touched();
  cache_.change();
  cache_.wake(cache_.clock()->cycle_at_or_after(at));
}

/// A unit that answers in the call forwards its results: the bytes are there for the next access, and the reply leaves
/// when the unit is done. Else the transition stops here until the answer comes.
void AtomicUnitLink::update(const protocols::Action& action, const Lookup& lookup, Request& request) {
  asked_ = &port.ask(*request.message, lookup.line, cache_.lines().tags().data(lookup.frame));
  asked_->marks_dirty = action.marks_dirty;
  request.held = !asked_->at_once;
  if (MessageListener* const listener = cache_.follower())
    listener->in_atomic_unit(*request.message, cache_, request.held ? 0 : asked_->answer_ps);
  if (request.held) return;
  enter(*asked_, lookup);
  clients_.delay_answer(cache_.clock()->cycle_at_or_after_ps(asked_->answer_ps) - cache_.now_cycle());
  port.done(*asked_);
}

/// The answer's bytes enter the line; the values that the lanes found go back with the message.
void AtomicUnitLink::enter(AtomicPort::Transaction& answer, const Lookup& lookup) {
  Message& m = *answer.message;
  Frame& frame = cache_.lines().tags().frame(lookup.frame);
  base::LineData& data = cache_.lines().tags().data(lookup.frame);
  const base::ByteMask bytes = answer.work.bytes();
  const unsigned size = isa::type_bytes(answer.work.type);
  bool changed = false;  // a location that has its old value again had another one for a lane in between
  for (unsigned i = 0; i < answer.work.count; ++i) {
    const std::uint8_t* const before = data.data() + m.atomics[i].offset;
    changed = changed || std::memcmp(before, answer.data.data() + m.atomics[i].offset, size) != 0 ||
              std::memcmp(before, answer.old[i].data(), size) != 0;
    m.atomics[i].idle =
        m.atomic == isa::AtomicOp::cas && std::memcmp(answer.old[i].data(), m.atomics[i].operand.data(), size) != 0;
  }
  if (changed) ++cache_.tile().effects;
  if (m.returns_value) {
    for (unsigned i = 0; i < answer.work.count; ++i) m.atomics[i].operand = answer.old[i];
  }
  base::LineData before;
  if (cache_.line_events.watched()) before = data;
  bytes.merge(data, answer.data);
  m.mask |= bytes;
  frame.valid |= m.mask;
  if (answer.marks_dirty) frame.dirty |= m.mask;
  if (!cache_.line_events.watched()) return;
  const LineEvent::Kind kind = lookup.is_copy() ? LineEvent::Kind::merged : LineEvent::Kind::performed;
  cache_.line_events.write({kind, m.line, m.mask, &data, &m, nullptr, lookup.frame, cache_.node(), &before});
}

base::Cycle AtomicUnitLink::take() {
  CoherentLines& lines = cache_.lines();
  while (AtomicPort::Transaction* const t = port.answer(cache_.now_ps())) {
    const Lookup lookup = lines.locate(t->line);
    if (t->outdated) {
      port.take(*t);
      port.ask_again(*t, lines.tags().data(lookup.frame));
      continue;
    }
    if (lines.locked_stall(t->line) != StallReason::none) return cache_.now_cycle() + 1;
    port.take(*t);
    enter(*t, lookup);
    clients_.begin();
    lines.resume(t->line);
    clients_.count_hit(t->may_hit);
    port.done(*t);
    cache_.change();
    cache_.progress();
  }
  return cache_.clock()->cycle_at_or_after_ps(port.next_answer_ps());
}

}  // namespace syncline::models
