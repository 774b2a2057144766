#include "models/cache/coherent_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "base/error.h"
#include "base/taps.h"

namespace syncline::models {

using protocols::Action;
using protocols::ActionKind;
using protocols::LineMeta;
using protocols::Needs;
using protocols::Stimulus;
using protocols::Transition;

const char* name(StallReason stall) {
  static constexpr const char* names[] = {"none",        "protocol",    "recycled",           "mshr_full",
                                          "merges_full", "no_frame",    "no_directory_entry", "handles_full",
                                          "output_full", "memory_full", "line_locked",        "locks_full"};
  static_assert(std::size(names) == static_cast<std::size_t>(StallReason::count_));
  return names[static_cast<std::size_t>(stall)];
}

const SharedValueNames& stall_reason_names() {
  static const SharedValueNames names = [] {
    auto made = std::make_shared<ValueNames>();
    made->name = "stall_cause";
    for (std::uint64_t reason = 0; reason < static_cast<std::uint64_t>(StallReason::count_); ++reason)
      made->values.emplace_back(reason, name(static_cast<StallReason>(reason)));
    return made;
  }();
  return names;
}

namespace {
/// Of a directory whose entries have the metadata of their lines, too.
std::uint32_t lines_of_entry(const CoherentLines::Geometry& geometry) {
  return geometry.directory && !geometry.directory->of_sharers ? geometry.directory->lines : 1;
}
}  // namespace

CoherentLines::CoherentLines(Owner& owner, const Geometry& geometry,
                             std::vector<std::unique_ptr<protocols::Machine>> machines, base::Random random)
    : owner_(owner),
      followed_(owner.follows()),
      line_bytes_(geometry.line_bytes),
      node_number_(geometry.node),
      machines_(std::move(machines)),
      tags_(geometry.sets, geometry.ways, geometry.replacement, random),
      entry_lines_(lines_of_entry(geometry)),
      entry_bits_(~(std::uint64_t{entry_lines_} * geometry.line_bytes - 1)),
      mshrs_(geometry.mshr_entries, geometry.mshr_merges),
      replays_(machines_.size()),
      locks_(geometry.locks) {
  for (Lock& lock : locks_) lock.waiting.set_capacity(geometry.mshr_merges);
  if (!geometry.directory) return;
  geometry.directory->check();
  entry_shift_ = static_cast<unsigned>(__builtin_ctz(entry_lines_));
  check_regions(geometry.directory->lines);
  if (geometry.directory->of_sharers)
    sharers_.emplace(*geometry.directory, geometry.line_bytes, geometry.replacement, random);
  else
    directory_.emplace(geometry.directory->sets, geometry.directory->ways, geometry.replacement, random,
                       TagArray::Holds::metadata_only);
}

/// An entry is of neighbours in the address space, for it is addresses that programs place beside each other; so they
/// must all be this cache's.
void CoherentLines::check_regions(std::uint32_t lines) const {
  const std::uint64_t first = owner_.line_number(base::LineAddress(0));
  for (std::uint32_t i = 1; i < lines; ++i) {
    if (owner_.line_number(line_of_entry(base::LineAddress(0), i)) == first + i) continue;
    throw base::ModelError(
        fmt::format("protocol `{}`: an entry of the directory is of {} lines, which do not lie in one memory: the "
                    "interleaving's chunk must be {} bytes or more",
                    machine().table().vocabulary().protocol, lines, lines * line_bytes_));
  }
}

void CoherentLines::prefetch(base::LineAddress line) const {
  const std::uint32_t set = tags_.set_of(owner_.line_number(line));
  const Index frame = tags_.find(set, line);
  if (frame == nowhere) return tags_.prefetch(set);
  tags_.prefetch_frame(frame);
  tags_.prefetch_data(frame);
}

Lookup CoherentLines::locate(base::LineAddress line) const {
  Lookup lookup;
  lookup.line = line;
  lookup.number = owner_.line_number(line);
  lookup.role = role_of(line);
  lookup.frame = tags_.find(tags_.set_of(lookup.number), line);
  if (lookup.frame != nowhere) tags_.prefetch_data(lookup.frame);
  if (directory_) lookup.directory_entry = directory_->find(entry_set(lookup.number), first_of_entry(line));
  if (sharers_) lookup.directory_entry = sharers_->find(lookup.number, line);
  const Index place = place_of(lookup);
  lookup.mshr = place != nowhere ? mshrs_.find(keeper().frame(place).entry, line) : mshrs_.find_placeless(line);
  if (entry_lines_ != 1 && lookup.mshr != nowhere) lookup.line = mshrs_[lookup.mshr].line;
  return lookup;
}

LineMeta& CoherentLines::meta_of(const Lookup& lookup, LineMeta& scratch) {
  const Index place = place_of(lookup);
  LineMeta& meta = lookup.mshr != nowhere ? mshrs_[lookup.mshr].meta
                   : place != nowhere     ? keeper().frame(place).meta
                                          : scratch;
  if (!sharers_) return meta;
  if (lookup.directory_entry != nowhere)
    meta.sharers = sharers_->sharers(lookup.directory_entry);
  else
    meta.sharers.clear();
  return meta;
}

std::uint8_t CoherentLines::state_of(base::LineAddress line) const {
  const Lookup lookup = locate(line);
  if (lookup.mshr != nowhere) return mshrs_[lookup.mshr].meta.state;
  const Index place = place_of(lookup);
  return place != nowhere ? keeper().frame(place).meta.state : 0;
}

void CoherentLines::complete_facts(const Lookup& lookup, Request& request) const {
  Stimulus& s = request.stimulus;
  s.line = request.line.value();
  s.node = node_number_;
  s.time = owner_.now_ps();
  base::ByteMask held;
  s.dirty = false;
  s.wants_dirty = true;
  if (lookup.frame != nowhere) {
    const Frame& frame = tags_.frame(lookup.frame);
    held = frame.valid;
    s.dirty = !frame.dirty.empty();
    s.wants_dirty = request.wanted.contains(frame.dirty);
  }
  s.covered = held.contains(request.wanted);
  held |= request.wanted;
  s.completes = held.contains(base::ByteMask::all(line_bytes_));
}

const Transition& CoherentLines::preview(Request& request) {
  const Lookup lookup = locate(request.line);
  complete_facts(lookup, request);
  LineMeta scratch;
  return decide(lookup, request, meta_of(lookup, scratch));
}

const Transition& CoherentLines::decide(const Lookup& lookup, const Request& request, const LineMeta& meta) const {
  try {
    return machine_of(lookup).decide(request.stimulus, meta, node_);
  } catch (const base::ModelError& error) {
    throw base::ModelError(error.what() + owner_.history(request.line));
  }
}

StallReason CoherentLines::present(Request& request) {
  if (is_locked(request.line) && !request.of_node) return StallReason::line_locked;
  Lookup lookup = lookup_of(request);
  complete_facts(lookup, request);
  LineMeta scratch;
  const Transition& t = decide(lookup, request, meta_of(lookup, scratch));
  if (t.only_waits()) {
    if (t.row.actions.size() > 1) perform(t, lookup, request);
    if ((t.needs & Needs::recycles) != 0) return StallReason::recycled;
    request.retry_ps = machine_of(lookup).wait_ends(request.stimulus, meta_of(lookup, scratch), node_);
    return StallReason::protocol;
  }
  if (!t.next_is_stable && lookup.mshr == nowhere && registers_full(lookup)) return StallReason::mshr_full;
  if (t.needs != 0) {
    if ((t.needs & Needs::parking) != 0 && lookup.mshr != nowhere) {
      if (!mshrs_.room_to_park(lookup.mshr)) return StallReason::merges_full;
    }
    StallReason stall = make_room(lookup, t);
    if (stall == StallReason::none) stall = owner_.stall_reason(t, lookup, request);
    if (stall != StallReason::none) return stall;
    // A victim may have been a line of the same entry, and have changed what is known of both.
    if (entry_lines_ != 1 && &decide(lookup, request, meta_of(lookup, scratch)) != &t) return present(request);
    claim(lookup, t);
  }
  perform(t, lookup, request);
  return StallReason::none;
}

void CoherentLines::perform(const Transition& transition, Lookup& lookup, Request& request) {
  LineMeta scratch;
  if (!transition.next_is_stable && lookup.mshr == nowhere) {
    const LineMeta before = meta_of(lookup, scratch);
    const Index place = place_of(lookup);
    lookup.mshr = mshrs_.allocate(lookup.line, place, owner_.now_cycle());
    mshrs_[lookup.mshr].meta = before;
    if (place != nowhere) mshrs_.link(lookup.mshr, keeper().frame(place).entry);
    if (request.stimulus.source == Stimulus::Source::access || request.message != nullptr) counts_.misses.add();
  } else if (lookup.mshr != nowhere && (transition.needs & Needs::parking) != 0) {
    // What parks may be a reply, too: it waits for acknowledgements.
    if (request.message != nullptr && is_request(request.message->message_class)) counts_.merges.add();
  }
  if (request.message != nullptr) {
    if (lookup.frame != nowhere) tags_.touch(lookup.frame);
    if (lookup.directory_entry != nowhere) (sharers_ ? sharers_->tags() : *directory_).touch(lookup.directory_entry);
  }

  protocols::ActionList& actions = actions_[depth_++];
  actions.clear();
  LineMeta& meta = meta_of(lookup, scratch);
  machine_of(lookup).perform(transition, request.stimulus, meta, node_, actions);
  if (sharers_) keep_sharers(meta, lookup);
  if (base::has_taps && followed_ && transition.row.state != transition.row.next)
    owner_.state_changed(lookup.line, transition.row.state, transition.row.next, request);
  if (entry_lines_ != 1 && lookup.directory_entry != nowhere) share(meta, lookup);
  for (const Action& action : actions) {
    execute(action, lookup, request);
    if (request.held) {
      lock(transition, lookup, request, &action + 1);
      break;
    }
  }
  --depth_;
  if (!request.held) settle(transition, lookup);
}

/// A line that has become stable needs no miss register.
void CoherentLines::settle(const Transition& transition, const Lookup& lookup) {
  if (!transition.next_is_stable || lookup.mshr == nowhere) return;
  MissRegister& entry = mshrs_[lookup.mshr];
  const Index place = place_of(lookup);
  if (place != nowhere) {
    Frame& frame = keeper().frame(place);
    frame.meta = entry.meta;
    mshrs_.unlink(lookup.mshr, frame.entry);
  }
  counts_.miss_cycles.sample(owner_.now_cycle() - entry.since);
  mshrs_.release(lookup.mshr);
}

void CoherentLines::execute(const Action& action, Lookup& lookup, Request& request) {
  switch (action.kind) {
    case ActionKind::park:
      if (lookup.mshr == nowhere) throw base::ModelError("an access is parked at a line without a miss register");
      mshrs_.park(lookup.mshr, *request.message, owner_.now_cycle(), owner_.now_ps());
      request.kept = true;
      if (base::has_taps && followed_) owner_.parked(*request.message);
      break;
    case ActionKind::replay:
      if (lookup.mshr != nowhere) replay(lookup, request);
      break;
    case ActionKind::answer_parked:
    case ActionKind::answer_first: {
      if (lookup.mshr == nowhere) break;
      if (request.incoming == nullptr) {  // a message without bytes says that those of the line are current
        if (lookup.frame == nowhere)
          throw base::ModelError("accesses are answered with the bytes of a line that is not here");
        request.incoming = &tags_.data(lookup.frame);
      }
      const std::uint64_t until = action.time == 0 ? ~std::uint64_t{0} : action.time;
      for (auto parked = mshrs_.take_parked(lookup.mshr, until); parked.message != nullptr;
           parked = mshrs_.take_parked(lookup.mshr, until)) {
        owner_.answer_parked(*parked.message, parked.since, request);
        if (action.kind == ActionKind::answer_first) break;
      }
      break;
    }
    case ActionKind::wake_at:
      if (lookup.mshr != nowhere) mshrs_[lookup.mshr].timed = true;
      set_timer(action.time, lookup.line);
      break;
    case ActionKind::deliver_parked:
      if (lookup.mshr == nowhere) break;
      for (auto parked = mshrs_.take_parked(lookup.mshr); parked.message != nullptr;
           parked = mshrs_.take_parked(lookup.mshr)) {
        Request reply = request;
        reply.message = parked.message;
        Action deliver = action;
        deliver.kind = ActionKind::deliver;
        owner_.execute(deliver, lookup, reply);
      }
      break;
    case ActionKind::send:
      if (action.of_entry)
        send_of_entry(action, lookup, request);
      else
        owner_.execute(action, lookup, request);
      break;
    case ActionKind::fill:
      fill(lookup, request);
      break;
    case ActionKind::flush_lines:
      flush_all(action.role);
      break;
    case ActionKind::invalidate:
      invalidate(lookup);
      break;
    case ActionKind::free_directory_entry:
      free_directory_entry(lookup);
      break;
    default:
      owner_.execute(action, lookup, request);
      break;
  }
}

/// Of one line, what is parked now has been presented since others began to wait for their turn, and so is older: a
/// warp's loads of one line must not pass each other when the first one has to ask twice. Lines take turns.
void CoherentLines::replay(const Lookup& lookup, const Request& request) {
  Replays& replays = replays_[lookup.role];
  const std::size_t waiting = replays.size();
  const Index entry = lookup.mshr;
  for (auto parked = mshrs_.take_parked(entry); parked.message != nullptr; parked = mshrs_.take_parked(entry)) {
    replays.push_back(parked);
    if (base::has_taps && followed_) owner_.replayed(*parked.message, request);
  }
  put_before_younger(replays, waiting);
}

/// Those behind the first `waiting`, which are of one line or of one entry that has left, go before the others of it.
void CoherentLines::put_before_younger(Replays& replays, std::size_t waiting) {
  const auto newest = replays.begin() + static_cast<std::ptrdiff_t>(waiting);
  if (newest == replays.end()) return;
  const auto younger = std::find_if(replays.begin(), newest, [&](const MshrTable::Parked& replay) {
    return first_of_entry(replay.message->line) == first_of_entry(newest->message->line);
  });
  std::rotate(younger, newest, replays.end());
}

bool CoherentLines::replays_wait(base::LineAddress line) const {
  const Replays& replays = replays_[role_of(line)];
  return !replays.empty() && std::any_of(replays.begin(), replays.end(), [line](const MshrTable::Parked& replay) {
    return replay.message->line == line;
  });
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
    Request timer;
    timer.stimulus.source = Stimulus::Source::timer;
    timer.line = timers_.front().second;
    const StallReason stall = present(timer);
    if (stall == StallReason::line_locked)
      locks_[lock_of(timer.line)].timed = true;
    else if (stall != StallReason::none)
      break;
    changed = true;
    std::pop_heap(timers_.begin(), timers_.end(), std::greater<>());
    timers_.pop_back();
  }
  return timers_.empty() ? protocols::Machine::never : timers_.front().first;
}

void CoherentLines::fill(const Lookup& lookup, const Request& request) {
  if (lookup.frame == nowhere) return;
  if (request.incoming == nullptr) throw base::ModelError("a line is filled, but no bytes came");
  counts_.fills.add();
  Frame& frame = tags_.frame(lookup.frame);
  base::LineData& data = tags_.data(lookup.frame);
  if (frame.dirty.empty()) {
    data = *request.incoming;
  } else {
    const base::LineData written = data;
    data = *request.incoming;
    frame.dirty.merge(data, written);
  }
  frame.valid = base::ByteMask::all(line_bytes_);
  owner_.filled(lookup, request);
}

base::ModelError CoherentLines::broken_rule(const Lookup& lookup, const char* what) const {
  return base::ModelError(
      fmt::format("protocol `{}`: line {:#x} {}", machine().table().vocabulary().protocol, lookup.line.value(), what) +
      owner_.history(lookup.line));
}

void CoherentLines::flush_all(const protocols::Role* role) {
  unsigned concerned = 0;  // bit n: the n-th machine
  for (std::size_t place = 0; place < machines_.size(); ++place) {
    if (role == nullptr || machines_[place]->table().vocabulary().machine == role->name) concerned |= 1U << place;
  }
  const auto flush_one = [&](base::LineAddress line) {
    if ((concerned >> role_of(line) & 1U) == 0) return;
    if (is_locked(line))
      locks_[lock_of(line)].flushed = true;
    else
      flush(line);
  };
  for (Index place = 0; place < keeper().size(); ++place) {
    for (std::uint32_t i = 0; i < entry_lines_ && keeper().used(place); ++i)
      flush_one(line_of_entry(keeper().line(place), i));
  }
  for (Index entry = 0; entry < mshrs_.capacity(); ++entry) {
    if (mshrs_.used(entry) && mshrs_[entry].place == nowhere) flush_one(mshrs_[entry].line);
  }
}

void CoherentLines::flush(base::LineAddress line) {
  Request request;
  request.stimulus.source = Stimulus::Source::flush;
  request.line = line;
  if (present(request) != StallReason::none)
    throw base::ModelError(fmt::format("protocol `{}`: a flush of line {:#x} had to wait",
                                       machine().table().vocabulary().protocol, line.value()));
}

std::string CoherentLines::row_prefix(const protocols::Vocabulary& words) const {
  std::string prefix = "row_";
  if (machines_.size() == 1) return prefix;
  for (const char letter : words.machine)
    prefix += letter == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return prefix + "_";
}

std::vector<std::string> CoherentLines::describe() const {
  return describe(true);
}

std::vector<std::string> CoherentLines::left_over() const {
  return describe(false);
}

std::vector<std::string> CoherentLines::describe(bool timed) const {
  std::vector<std::string> lines;
  for (Index i = 0; i < mshrs_.capacity(); ++i) {
    if (!mshrs_.used(i)) continue;
    const MissRegister& entry = mshrs_[i];
    if (!timed && entry.timed && entry.parked == 0) continue;
    lines.push_back(fmt::format("line {:#x} in {} since cycle {}, {} accesses wait", entry.line.value(),
                                machine_of(entry.line).table().vocabulary().states[entry.meta.state].name, entry.since,
                                entry.parked));
  }
  for (const Lock& lock : locks_) {
    if (lock.used)
      lines.push_back(fmt::format("line {:#x} is locked since cycle {}, {} accesses wait", lock.line.value(),
                                  lock.since, lock.waiting.size()));
  }
  for (const Replays& replays : replays_) {
    if (!replays.empty())
      lines.push_back(fmt::format("line {:#x} is back: {} accesses are to be presented again",
                                  replays.front().message->line.value(), replays.size()));
  }
  return lines;
}

}  // namespace syncline::models
