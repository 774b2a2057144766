// Atomics of an L2 slice: what the policy's `write` of one asks the atomic unit for, and what follows its answer.
#include <cstring>

#include "models/l2_slice/l2_slice.h"

namespace syncline::models {

void L2Slice::atomics_ready(const sc_core::sc_time& at) {
  touched();
  changed_ = true;
  wake(clock()->cycle_at_or_after(at));
}

/// A unit that answers in the call forwards its results: the bytes are there for the next access, and the reply leaves
/// when the unit is done. Else the transition stops here until the answer comes.
void L2Slice::update(const protocols::Action& action, const Lookup& lookup, Request& request) {
  asked_ = &atomics.ask(*request.message, lookup.line, lines_.tags().data(lookup.frame));
  asked_->marks_dirty = action.marks_dirty;
  request.held = !asked_->at_once;
  if (request.held) return;
  enter(*asked_, lookup);
  reply_ready_ += clock()->cycle_at_or_after_ps(asked_->answer_ps) - now_;
  atomics.done(*asked_);
}

/// The answer's bytes enter the line; the values that the lanes found go back with the message.
void L2Slice::enter(AtomicPort::Transaction& answer, const Lookup& lookup) {
  Message& m = *answer.message;
  Frame& frame = lines_.tags().frame(lookup.frame);
  base::LineData& data = lines_.tags().data(lookup.frame);
  const base::ByteMask bytes = answer.work.bytes();
  const unsigned size = isa::type_bytes(answer.work.type);
  bool changed = false;  // a location that has its old value again had another one for a lane in between
  for (unsigned i = 0; i < answer.work.count; ++i) {
    const std::uint8_t* const before = data.data() + m.atomics[i].offset;
    changed = changed || std::memcmp(before, answer.data.data() + m.atomics[i].offset, size) != 0 ||
              std::memcmp(before, answer.old[i].data(), size) != 0;
  }
  if (changed) ++tile().effects;
  if (m.returns_value) {
    for (unsigned i = 0; i < answer.work.count; ++i) m.atomics[i].operand = answer.old[i];
  }
  base::LineData before;
  if (line_events.watched()) before = data;
  bytes.merge(data, answer.data);
  m.mask |= bytes;
  frame.valid |= m.mask;
  if (answer.marks_dirty) frame.dirty |= m.mask;
  if (!line_events.watched()) return;
  LineEvent performed{LineEvent::Kind::performed, m.line, m.mask, &data, &m};
  performed.before = &before;
  line_events.write(performed);
}

base::Cycle L2Slice::take_atomics() {
  while (AtomicPort::Transaction* const t = atomics.answer(now_ps_)) {
    const Lookup lookup = lines_.locate(t->line);
    if (t->outdated) {
      atomics.take(*t);
      atomics.ask_again(*t, lines_.tags().data(lookup.frame));
      continue;
    }
    if (stall_reason(lines_.locked_transition(t->line)) != StallReason::none) return now_ + 1;
    atomics.take(*t);
    enter(*t, lookup);
    reply_ready_ = now_ + spec_.access_latency();
    answered_ = false;
    lines_.resume(t->line);
    if (answered_ && t->may_hit) hits_.add();
    atomics.done(*t);
    changed_ = true;
    ++tile().progress;
  }
  return clock()->cycle_at_or_after_ps(atomics.next_answer_ps());
}

}  // namespace syncline::models
