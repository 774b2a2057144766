#include "models/cache/coherent_lines.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace syncline::models {

using protocols::Action;
using protocols::ActionKind;
using protocols::LineMeta;
using protocols::Needs;
using protocols::Stimulus;
using protocols::Transition;

const char* name(Refusal refusal) {
  static constexpr const char* names[] = {"none",     "protocol",     "recycled",    "mshr_full",  "merges_full",
                                          "no_frame", "handles_full", "output_full", "memory_full"};
  static_assert(std::size(names) == static_cast<std::size_t>(Refusal::count_));
  return names[static_cast<std::size_t>(refusal)];
}

CoherentLines::CoherentLines(Owner& owner, const Geometry& geometry, std::unique_ptr<protocols::Machine> machine,
                             base::Random random)
    : owner_(owner),
      line_bytes_(geometry.line_bytes),
      machine_(std::move(machine)),
      tags_(geometry.sets, geometry.ways, geometry.replacement, random),
      mshrs_(geometry.mshr_entries, geometry.mshr_merges),
      replays_(std::size_t{geometry.mshr_entries} * geometry.mshr_merges) {}

Subject CoherentLines::locate(base::LineAddress line) const {
  Subject subject;
  subject.line = line;
  subject.set = owner_.set_of(line);
  subject.frame = tags_.find(subject.set, line);
  subject.entry = subject.frame != nowhere ? tags_.frame(subject.frame).entry : mshrs_.find_frameless(line);
  return subject;
}

LineMeta& CoherentLines::meta_of(const Subject& subject, LineMeta& scratch) {
  if (subject.entry != nowhere) return mshrs_[subject.entry].meta;
  if (subject.frame != nowhere) return tags_.frame(subject.frame).meta;
  return scratch;
}

std::uint8_t CoherentLines::state_of(base::LineAddress line) const {
  const Subject subject = locate(line);
  if (subject.entry != nowhere) return mshrs_[subject.entry].meta.state;
  return subject.frame != nowhere ? tags_.frame(subject.frame).meta.state : 0;
}

void CoherentLines::complete_facts(const Subject& subject, Presented& presented) const {
  Stimulus& s = presented.stimulus;
  s.line = presented.line.value();
  s.time = owner_.now_ps();
  base::ByteMask held;
  s.dirty = false;
  if (subject.frame != nowhere) {
    const Frame& frame = tags_.frame(subject.frame);
    held = frame.valid;
    s.dirty = !frame.dirty.empty();
  }
  s.covered = held.contains(presented.wanted);
  held |= presented.wanted;
  s.completes = held.contains(base::ByteMask::all(line_bytes_));
}

const Transition& CoherentLines::preview(Presented& presented) {
  const Subject subject = locate(presented.line);
  complete_facts(subject, presented);
  LineMeta scratch;
  return machine_->decide(presented.stimulus, meta_of(subject, scratch), node_);
}

Refusal CoherentLines::present(Presented& presented) {
  Subject subject = locate(presented.line);
  complete_facts(subject, presented);
  LineMeta scratch;
  const Transition& t = machine_->decide(presented.stimulus, meta_of(subject, scratch), node_);
  if ((t.needs & Needs::waits) != 0) {
    presented.retry_ps = machine_->wait_ends(presented.stimulus, meta_of(subject, scratch), node_);
    return Refusal::protocol;
  }
  if ((t.needs & Needs::recycles) != 0) return Refusal::recycled;
  if (!t.next_is_stable && subject.entry == nowhere && mshrs_.full()) return Refusal::mshr_full;
  if (t.needs != 0) {
    if ((t.needs & Needs::parking) != 0 && subject.entry != nowhere) {
      if (!mshrs_.room_to_park(subject.entry)) return Refusal::merges_full;
    }
    if ((t.needs & Needs::frame) != 0 && subject.frame == nowhere) {
      const Refusal refusal = make_room(subject);
      if (refusal != Refusal::none) return refusal;
      // The victim may have taken the last one.
      if (!t.next_is_stable && subject.entry == nowhere && mshrs_.full()) return Refusal::mshr_full;
    }
    const Refusal refusal = owner_.refuses(t);
    if (refusal != Refusal::none) return refusal;
    if ((t.needs & Needs::frame) != 0 && subject.frame == nowhere) {
      subject.frame = tags_.find_free(subject.set);
      tags_.claim(subject.frame, presented.line);
      if (subject.entry != nowhere) {
        mshrs_.gain_frame(subject.entry, subject.frame);
        tags_.frame(subject.frame).entry = subject.entry;
      }
    }
  }
  perform(t, subject, presented);
  return Refusal::none;
}

Refusal CoherentLines::make_room(Subject& subject) {
  if (tags_.find_free(subject.set) != nowhere) return Refusal::none;
  Refusal reason = Refusal::no_frame;
  for (std::uint32_t rank = 0; rank < tags_.ways(); ++rank) {
    Subject victim;
    victim.frame = tags_.victim(subject.set, rank);
    victim.line = tags_.line(victim.frame);
    victim.set = subject.set;
    victim.entry = tags_.frame(victim.frame).entry;
    Presented replacement;
    replacement.stimulus.source = Stimulus::Source::replacement;
    replacement.line = victim.line;
    complete_facts(victim, replacement);
    LineMeta scratch;
    const Transition& t = machine_->decide(replacement.stimulus, meta_of(victim, scratch), node_);
    if ((t.needs & (Needs::waits | Needs::recycles)) != 0) continue;
    if (!t.next_is_stable && victim.entry == nowhere && mshrs_.full()) {
      reason = Refusal::mshr_full;
      continue;
    }
    const Refusal refusal = owner_.refuses(t);
    if (refusal != Refusal::none) return refusal;
    counts_.evictions.add();
    perform(t, victim, replacement);
    if (tags_.find_free(subject.set) != nowhere) return Refusal::none;
  }
  return reason;
}

void CoherentLines::perform(const Transition& transition, Subject& subject, Presented& presented) {
  LineMeta scratch;
  if (!transition.next_is_stable && subject.entry == nowhere) {
    const LineMeta before = meta_of(subject, scratch);
    subject.entry = mshrs_.allocate(subject.line, subject.frame, owner_.now_cycle());
    mshrs_[subject.entry].meta = before;
    if (subject.frame != nowhere) tags_.frame(subject.frame).entry = subject.entry;
    if (presented.stimulus.source == Stimulus::Source::access || presented.message != nullptr) counts_.misses.add();
  } else if (subject.entry != nowhere && (transition.needs & Needs::parking) != 0) {
    counts_.merges.add();
  }
  if (subject.frame != nowhere && presented.message != nullptr) tags_.touch(subject.frame);

  protocols::ActionList& actions = actions_[depth_++];
  actions.clear();
  machine_->perform(transition, presented.stimulus, meta_of(subject, scratch), node_, actions);
  for (const Action& action : actions) execute(action, subject, presented);
  --depth_;

  if (transition.next_is_stable && subject.entry != nowhere) {
    MissRegister& entry = mshrs_[subject.entry];
    if (subject.frame != nowhere) {
      Frame& frame = tags_.frame(subject.frame);
      frame.meta = entry.meta;
      frame.entry = nowhere;
    }
    counts_.miss_cycles.sample(owner_.now_cycle() - entry.since);
    mshrs_.release(subject.entry);
  }
}

void CoherentLines::execute(const Action& action, Subject& subject, Presented& presented) {
  switch (action.kind) {
    case ActionKind::park:
      if (subject.entry == nowhere) throw base::ModelError("an access is parked at a line without a miss register");
      mshrs_.park(subject.entry, *presented.message, owner_.now_cycle(), owner_.now_ps());
      presented.kept = true;
      break;
    case ActionKind::replay:
      if (subject.entry == nowhere) break;
      for (auto parked = mshrs_.take_parked(subject.entry); parked.message != nullptr;
           parked = mshrs_.take_parked(subject.entry))
        replays_.push_back(parked);
      break;
    case ActionKind::answer_parked: {
      if (subject.entry == nowhere) break;
      if (presented.incoming == nullptr) {  // a message without bytes says that those of the line are current
        if (subject.frame == nowhere)
          throw base::ModelError("accesses are answered with the bytes of a line that is not here");
        presented.incoming = &tags_.data(subject.frame);
      }
      const std::uint64_t until = action.time == 0 ? ~std::uint64_t{0} : action.time;
      for (auto parked = mshrs_.take_parked(subject.entry, until); parked.message != nullptr;
           parked = mshrs_.take_parked(subject.entry, until))
        owner_.answer_parked(*parked.message, parked.since, presented);
      break;
    }
    case ActionKind::wake_at:
      if (subject.entry != nowhere) mshrs_[subject.entry].timed = true;
      owner_.execute(action, subject, presented);
      break;
    case ActionKind::deliver_parked:
      if (subject.entry == nowhere) break;
      for (auto parked = mshrs_.take_parked(subject.entry); parked.message != nullptr;
           parked = mshrs_.take_parked(subject.entry)) {
        Presented reply = presented;
        reply.message = parked.message;
        Action deliver = action;
        deliver.kind = ActionKind::deliver;
        owner_.execute(deliver, subject, reply);
      }
      break;
    case ActionKind::fill:
      fill(subject, presented);
      break;
    case ActionKind::invalidate:
      invalidate(subject);
      break;
    default:
      owner_.execute(action, subject, presented);
      break;
  }
}

void CoherentLines::fill(const Subject& subject, const Presented& presented) {
  if (subject.frame == nowhere) return;
  if (presented.incoming == nullptr) throw base::ModelError("a line is filled, but no bytes came");
  counts_.fills.add();
  Frame& frame = tags_.frame(subject.frame);
  base::LineData& data = tags_.data(subject.frame);
  if (frame.dirty.empty()) {
    data = *presented.incoming;
  } else {
    const base::LineData written = data;
    data = *presented.incoming;
    frame.dirty.merge(data, written);
  }
  frame.valid = base::ByteMask::all(line_bytes_);
}

void CoherentLines::invalidate(Subject& subject) {
  if (subject.frame == nowhere) return;
  if (subject.entry != nowhere) {
    MissRegister& entry = mshrs_[subject.entry];
    entry.data = tags_.data(subject.frame);
    entry.valid = tags_.frame(subject.frame).valid;
    entry.dirty = tags_.frame(subject.frame).dirty;
    mshrs_.lose_frame(subject.entry);
  }
  tags_.release(subject.frame);
  subject.frame = nowhere;
}

void CoherentLines::flush_all() {
  const auto flush = [this](base::LineAddress line) {
    Presented presented;
    presented.stimulus.source = Stimulus::Source::flush;
    presented.line = line;
    if (present(presented) != Refusal::none)
      throw base::ModelError(fmt::format("protocol `{}`: a flush of line {:#x} had to wait",
                                         machine_->table().vocabulary().protocol, line.value()));
  };
  for (Index frame = 0; frame < tags_.size(); ++frame) {
    if (tags_.used(frame)) flush(tags_.line(frame));
  }
  for (Index entry = 0; entry < mshrs_.capacity(); ++entry) {
    if (mshrs_.used(entry) && mshrs_[entry].frame == nowhere) flush(mshrs_[entry].line);
  }
}

std::vector<std::string> CoherentLines::describe() const {
  return describe(true);
}

std::vector<std::string> CoherentLines::left_over() const {
  return describe(false);
}

std::vector<std::string> CoherentLines::describe(bool timed) const {
  std::vector<std::string> lines;
  const auto& states = machine_->table().vocabulary().states;
  for (Index i = 0; i < mshrs_.capacity(); ++i) {
    if (!mshrs_.used(i)) continue;
    const MissRegister& entry = mshrs_[i];
    if (!timed && entry.timed && entry.parked == 0) continue;
    lines.push_back(fmt::format("line {:#x} in {} since cycle {}, {} accesses wait", entry.line.value(),
                                states[entry.meta.state].name, entry.since, entry.parked));
  }
  if (!replays_.empty())
    lines.push_back(fmt::format("line {:#x} is back: {} accesses are to be presented again",
                                replays_.front().message->line.value(), replays_.size()));
  return lines;
}

}  // namespace syncline::models
