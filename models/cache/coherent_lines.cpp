#include "models/cache/coherent_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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
  static constexpr const char* names[] = {"none",     "protocol",   "recycled",     "mshr_full",   "merges_full",
                                          "no_frame", "no_listing", "handles_full", "output_full", "memory_full"};
  static_assert(std::size(names) == static_cast<std::size_t>(Refusal::count_));
  return names[static_cast<std::size_t>(refusal)];
}

CoherentLines::CoherentLines(Owner& owner, const Geometry& geometry, std::unique_ptr<protocols::Machine> machine,
                             base::Random random)
    : owner_(owner),
      line_bytes_(geometry.line_bytes),
      node_number_(geometry.node),
      machine_(std::move(machine)),
      tags_(geometry.sets, geometry.ways, geometry.replacement, random),
      mshrs_(geometry.mshr_entries, geometry.mshr_merges),
      replays_(std::size_t{geometry.mshr_entries} * geometry.mshr_merges) {
  if (geometry.directory)
    directory_.emplace(geometry.directory->sets, geometry.directory->ways, geometry.replacement, random,
                       TagArray::Holds::metadata_only);
}

void CoherentLines::expect(base::LineAddress line) const {
  const std::uint32_t set = tags_.set_of(owner_.line_number(line));
  const Index frame = tags_.find(set, line);
  if (frame == nowhere) return tags_.expect(set);
  tags_.expect_frame(frame);
  tags_.expect_data(frame);
}

Subject CoherentLines::locate(base::LineAddress line) const {
  Subject subject;
  subject.line = line;
  subject.number = owner_.line_number(line);
  subject.frame = tags_.find(tags_.set_of(subject.number), line);
  if (subject.frame != nowhere) tags_.expect_data(subject.frame);
  if (directory_) subject.listing = directory_->find(directory_->set_of(subject.number), line);
  const Index place = place_of(subject);
  subject.entry = place != nowhere ? keeper().frame(place).entry : mshrs_.find_placeless(line);
  return subject;
}

LineMeta& CoherentLines::meta_of(const Subject& subject, LineMeta& scratch) {
  if (subject.entry != nowhere) return mshrs_[subject.entry].meta;
  const Index place = place_of(subject);
  return place != nowhere ? keeper().frame(place).meta : scratch;
}

std::uint8_t CoherentLines::state_of(base::LineAddress line) const {
  const Subject subject = locate(line);
  if (subject.entry != nowhere) return mshrs_[subject.entry].meta.state;
  const Index place = place_of(subject);
  return place != nowhere ? keeper().frame(place).meta.state : 0;
}

void CoherentLines::complete_facts(const Subject& subject, Presented& presented) const {
  Stimulus& s = presented.stimulus;
  s.line = presented.line.value();
  s.node = node_number_;
  s.time = owner_.now_ps();
  base::ByteMask held;
  s.dirty = false;
  s.wants_dirty = true;
  if (subject.frame != nowhere) {
    const Frame& frame = tags_.frame(subject.frame);
    held = frame.valid;
    s.dirty = !frame.dirty.empty();
    s.wants_dirty = presented.wanted.contains(frame.dirty);
  }
  s.covered = held.contains(presented.wanted);
  held |= presented.wanted;
  s.completes = held.contains(base::ByteMask::all(line_bytes_));
}

const Transition& CoherentLines::preview(Presented& presented) {
  const Subject subject = locate(presented.line);
  complete_facts(subject, presented);
  LineMeta scratch;
  return decide(presented, meta_of(subject, scratch));
}

const Transition& CoherentLines::decide(const Presented& presented, const LineMeta& meta) const {
  try {
    return machine_->decide(presented.stimulus, meta, node_);
  } catch (const base::ModelError& error) {
    throw base::ModelError(error.what() + owner_.history(presented.line));
  }
}

Refusal CoherentLines::present(Presented& presented) {
  Subject subject = subject_of(presented);
  complete_facts(subject, presented);
  LineMeta scratch;
  const Transition& t = decide(presented, meta_of(subject, scratch));
  if (t.only_waits()) {
    if (t.row.actions.size() > 1) perform(t, subject, presented);
    if ((t.needs & Needs::recycles) != 0) return Refusal::recycled;
    presented.retry_ps = machine_->wait_ends(presented.stimulus, meta_of(subject, scratch), node_);
    return Refusal::protocol;
  }
  if (!t.next_is_stable && subject.entry == nowhere && mshrs_.full()) return Refusal::mshr_full;
  if (t.needs != 0) {
    if ((t.needs & Needs::parking) != 0 && subject.entry != nowhere) {
      if (!mshrs_.room_to_park(subject.entry)) return Refusal::merges_full;
    }
    Refusal refusal = make_room(subject, t);
    if (refusal == Refusal::none) refusal = owner_.refuses(t);
    if (refusal != Refusal::none) return refusal;
    claim(subject, t);
  }
  perform(t, subject, presented);
  return Refusal::none;
}

Refusal CoherentLines::make_room(const Subject& subject, const Transition& transition) {
  const bool wants_listing = (transition.needs & Needs::listing) != 0 && subject.listing == nowhere;
  const bool wants_frame = (transition.needs & Needs::frame) != 0 && subject.frame == nowhere;
  if (!wants_listing && !wants_frame) return Refusal::none;
  Refusal refusal = Refusal::none;
  if (wants_listing) {
    if (!directory_) throw broken_rule(subject, "needs an entry in a directory, and the home has none");
    refusal = make_room(*directory_, directory_->set_of(subject.number));
  }
  // After the directory's victim, which may have had a frame here.
  if (refusal == Refusal::none && wants_frame) refusal = make_room(tags_, tags_.set_of(subject.number));
  if (refusal != Refusal::none) return refusal;
  const bool victims_took_the_last = !transition.next_is_stable && subject.entry == nowhere && mshrs_.full();
  return victims_took_the_last ? Refusal::mshr_full : Refusal::none;
}

Refusal CoherentLines::make_room(TagArray& array, std::uint32_t set) {
  if (array.find_free(set) != nowhere) return Refusal::none;
  const bool of_frames = &array == &tags_;
  Refusal reason = of_frames ? Refusal::no_frame : Refusal::no_listing;
  for (std::uint32_t rank = 0; rank < array.ways(); ++rank) {
    Subject victim = locate(array.line(array.victim(set, rank)));
    Presented replacement;
    replacement.stimulus.source = of_frames ? Stimulus::Source::replacement : Stimulus::Source::directory_replacement;
    replacement.line = victim.line;
    complete_facts(victim, replacement);
    LineMeta scratch;
    const Transition& t = decide(replacement, meta_of(victim, scratch));
    if (t.only_waits()) continue;
    if (!t.next_is_stable && victim.entry == nowhere && mshrs_.full()) {
      reason = Refusal::mshr_full;
      continue;
    }
    const Refusal refusal = owner_.refuses(t);
    if (refusal != Refusal::none) return refusal;
    (of_frames ? counts_.evictions : counts_.directory_evictions).add();
    perform(t, victim, replacement);
    if (array.find_free(set) != nowhere) return Refusal::none;
  }
  return reason;
}

void CoherentLines::claim(Subject& subject, const Transition& transition) {
  const Index before = place_of(subject);
  if ((transition.needs & Needs::listing) != 0 && subject.listing == nowhere) {
    subject.listing = directory_->find_free(directory_->set_of(subject.number));
    directory_->claim(subject.listing, subject.line);
  }
  if ((transition.needs & Needs::frame) != 0 && subject.frame == nowhere) {
    if (directory_ && subject.listing == nowhere) throw broken_rule(subject, "gets a frame without being listed");
    subject.frame = tags_.find_free(tags_.set_of(subject.number));
    tags_.claim(subject.frame, subject.line);
  }
  const Index place = place_of(subject);
  if (place == before || subject.entry == nowhere) return;
  mshrs_.gain_place(subject.entry, place);
  keeper().frame(place).entry = subject.entry;
}

void CoherentLines::perform(const Transition& transition, Subject& subject, Presented& presented) {
  LineMeta scratch;
  if (!transition.next_is_stable && subject.entry == nowhere) {
    const LineMeta before = meta_of(subject, scratch);
    const Index place = place_of(subject);
    subject.entry = mshrs_.allocate(subject.line, place, owner_.now_cycle());
    mshrs_[subject.entry].meta = before;
    if (place != nowhere) keeper().frame(place).entry = subject.entry;
    if (presented.stimulus.source == Stimulus::Source::access || presented.message != nullptr) counts_.misses.add();
  } else if (subject.entry != nowhere && (transition.needs & Needs::parking) != 0) {
    counts_.merges.add();
  }
  if (presented.message != nullptr) {
    if (subject.frame != nowhere) tags_.touch(subject.frame);
    if (subject.listing != nowhere) directory_->touch(subject.listing);
  }

  protocols::ActionList& actions = actions_[depth_++];
  actions.clear();
  machine_->perform(transition, presented.stimulus, meta_of(subject, scratch), node_, actions);
  for (const Action& action : actions) execute(action, subject, presented);
  --depth_;

  if (transition.next_is_stable && subject.entry != nowhere) {
    MissRegister& entry = mshrs_[subject.entry];
    const Index place = place_of(subject);
    if (place != nowhere) {
      Frame& frame = keeper().frame(place);
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
      if (subject.entry != nowhere) replay(subject.entry);
      break;
    case ActionKind::answer_parked:
    case ActionKind::answer_first: {
      if (subject.entry == nowhere) break;
      if (presented.incoming == nullptr) {  // a message without bytes says that those of the line are current
        if (subject.frame == nowhere)
          throw base::ModelError("accesses are answered with the bytes of a line that is not here");
        presented.incoming = &tags_.data(subject.frame);
      }
      const std::uint64_t until = action.time == 0 ? ~std::uint64_t{0} : action.time;
      for (auto parked = mshrs_.take_parked(subject.entry, until); parked.message != nullptr;
           parked = mshrs_.take_parked(subject.entry, until)) {
        owner_.answer_parked(*parked.message, parked.since, presented);
        if (action.kind == ActionKind::answer_first) break;
      }
      break;
    }
    case ActionKind::wake_at:
      if (subject.entry != nowhere) mshrs_[subject.entry].timed = true;
      set_timer(action.time, subject.line);
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
    case ActionKind::flush_lines:
      flush_all();
      break;
    case ActionKind::invalidate:
      invalidate(subject);
      break;
    case ActionKind::unlist:
      unlist(subject);
      break;
    default:
      owner_.execute(action, subject, presented);
      break;
  }
}

/// Of one line, what is parked now has been presented since others began to wait for their turn, and so is older: a
/// warp's loads of one line must not pass each other when the first one has to ask twice. Lines take turns.
void CoherentLines::replay(Index entry) {
  const auto waiting = static_cast<std::ptrdiff_t>(replays_.size());
  for (auto parked = mshrs_.take_parked(entry); parked.message != nullptr; parked = mshrs_.take_parked(entry))
    replays_.push_back(parked);
  const auto newest = replays_.begin() + waiting;
  if (newest == replays_.end()) return;
  const auto younger = std::find_if(replays_.begin(), newest, [&](const MshrTable::Parked& replay) {
    return replay.message->line == newest->message->line;
  });
  std::rotate(younger, newest, replays_.end());
}

void CoherentLines::set_timer(std::uint64_t ps, base::LineAddress line) {
  const std::pair timer(ps, line);
  if (std::find(timers_.begin(), timers_.end(), timer) != timers_.end()) return;
  timers_.push_back(timer);
  std::push_heap(timers_.begin(), timers_.end(), std::greater<>());
  owner_.wake_at_ps(ps);
}

std::uint64_t CoherentLines::fire_timers(bool& changed) {
  while (!timers_.empty() && timers_.front().first <= owner_.now_ps()) {
    Presented timer;
    timer.stimulus.source = Stimulus::Source::timer;
    timer.line = timers_.front().second;
    if (present(timer) != Refusal::none) break;
    changed = true;
    std::pop_heap(timers_.begin(), timers_.end(), std::greater<>());
    timers_.pop_back();
  }
  return timers_.empty() ? protocols::Machine::never : timers_.front().first;
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
  owner_.filled(subject, presented);
}

void CoherentLines::invalidate(Subject& subject) {
  if (subject.frame == nowhere) return;
  if (subject.entry != nowhere) {
    MissRegister& entry = mshrs_[subject.entry];
    entry.data = tags_.data(subject.frame);
    entry.valid = tags_.frame(subject.frame).valid;
    entry.dirty = tags_.frame(subject.frame).dirty;
    if (!directory_) mshrs_.lose_place(subject.entry);
  }
  tags_.release(subject.frame);
  subject.frame = nowhere;
}

void CoherentLines::unlist(Subject& subject) {
  if (subject.listing == nowhere) return;
  if (subject.frame != nowhere) throw broken_rule(subject, "leaves the directory while its data is here");
  if (subject.entry != nowhere) mshrs_.lose_place(subject.entry);
  directory_->release(subject.listing);
  subject.listing = nowhere;
}

base::ModelError CoherentLines::broken_rule(const Subject& subject, const char* what) const {
  return base::ModelError(
      fmt::format("protocol `{}`: line {:#x} {}", machine_->table().vocabulary().protocol, subject.line.value(), what) +
      owner_.history(subject.line));
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
  for (Index place = 0; place < keeper().size(); ++place) {
    if (keeper().used(place)) flush(keeper().line(place));
  }
  for (Index entry = 0; entry < mshrs_.capacity(); ++entry) {
    if (mshrs_.used(entry) && mshrs_[entry].place == nowhere) flush(mshrs_[entry].line);
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
