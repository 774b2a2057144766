// Where lines lie in frames, directory and miss registers: room is made, claimed and given up.
#include "models/cache/coherent_lines.h"

#include <cstdint>
#include <utility>

namespace syncline::models {

using protocols::Action;
using protocols::LineMeta;
using protocols::Needs;
using protocols::NodeSet;
using protocols::Stimulus;
using protocols::Transition;

StallReason CoherentLines::make_room(const Lookup& lookup, const Transition& transition) {
  const bool wants_directory_entry =
      (transition.needs & Needs::directory_entry) != 0 && lookup.directory_entry == nowhere;
  const bool wants_frame = (transition.needs & Needs::frame) != 0 && lookup.frame == nowhere;
  if (!wants_directory_entry && !wants_frame) return StallReason::none;
  StallReason stall = StallReason::none;
  if (wants_directory_entry) {
    if (sharers_)
      stall = make_room(sharers_->tags(), sharers_->set_of(lookup.number));
    else if (directory_)
      stall = make_room(*directory_, entry_set(lookup.number));
    else
      throw broken_rule(lookup, "needs an entry in a directory, and the home has none");
  }
  // After the directory's victim, which may have had a frame here.
  if (stall == StallReason::none && wants_frame && !keeps_frames(lookup)) return StallReason::no_frame;
  if (stall == StallReason::none && wants_frame) stall = make_room(tags_, tags_.set_of(lookup.number));
  if (stall != StallReason::none) return stall;
  const bool victims_took_the_last = !transition.next_is_stable && lookup.mshr == nowhere && registers_full(lookup);
  return victims_took_the_last ? StallReason::mshr_full : StallReason::none;
}

/// Whether a frame for the line leaves one in its set that is neither on its way nor awaited, for each earlier role.
bool CoherentLines::keeps_frames(const Lookup& lookup) const {
  if (lookup.role == 0) return true;
  const std::uint32_t ways = tags_.ways();
  const Index first = tags_.set_of(lookup.number) * ways;
  std::uint32_t under_way = 0;
  for (Index frame = first; frame < first + ways; ++frame) {
    if (!tags_.used(frame)) continue;
    const base::LineAddress other = tags_.line(frame);
    if (role_of(other) >= lookup.role && (tags_.frame(frame).entry != nowhere || replays_wait(other))) ++under_way;
  }
  return under_way + lookup.role < ways;
}

/// Where lines of several roles come by several networks, one that has come would else go for another one before those
/// who wait for it are presented, and again, without end.
bool CoherentLines::keeps_awaited(base::LineAddress line) const {
  return machines_.size() > 1 && replays_wait(line);
}

StallReason CoherentLines::make_room(TagArray& array, std::uint32_t set) {
  if (array.find_free(set) != nowhere) return StallReason::none;
  const bool of_frames = &array == &tags_;
  StallReason reason = of_frames ? StallReason::no_frame : StallReason::no_directory_entry;
  for (std::uint32_t rank = 0; rank < array.ways(); ++rank) {
    const base::LineAddress victim = array.line(array.victim(set, rank));
    if (of_frames && keeps_awaited(victim)) continue;
    const StallReason stall = of_frames ? replace(victim, Stimulus::Source::replacement) : replace_entry(victim);
    if (stall == StallReason::line_locked || stall == StallReason::protocol) continue;
    if (stall == StallReason::mshr_full) {
      reason = stall;
      continue;
    }
    if (stall != StallReason::none) return stall;
    if (array.find_free(set) != nowhere) return StallReason::none;
  }
  return reason;
}

/// Asks for what the line occupies. StallReason::protocol: it does not leave now.
StallReason CoherentLines::replace(base::LineAddress line, Stimulus::Source source) {
  if (is_locked(line)) return StallReason::line_locked;
  Lookup victim = locate(line);
  Request replacement;
  replacement.stimulus.source = source;
  replacement.line = line;
  complete_facts(victim, replacement);
  LineMeta scratch;
  const bool of_entry = source == Stimulus::Source::directory_replacement;
  if (of_entry)
    replacement.stimulus.entry_lines = static_cast<std::uint16_t>(sharers_ ? sharers_->lines() : entry_lines_);
  const Transition& t = decide(victim, replacement, meta_of(victim, scratch));
  if (t.only_waits()) return StallReason::protocol;
  if (!t.next_is_stable && victim.mshr == nowhere && registers_full(victim)) return StallReason::mshr_full;
  const StallReason stall = owner_.stall_reason(t, victim, replacement);
  if (stall != StallReason::none) return stall;
  (of_entry ? counts_.directory_evictions : counts_.evictions).add();
  perform(t, victim, replacement);
  return StallReason::none;
}

/// What an entry knows of several lines goes at once: none of them may be on its way, all frames but one leave first,
/// and then one transition, of the line that has the last frame, is that of all.
StallReason CoherentLines::replace_entry(base::LineAddress first) {
  if (sharers_) return replace_sharers(first);
  if (entry_lines_ == 1) return replace(first, Stimulus::Source::directory_replacement);
  base::LineAddress last = first;
  for (std::uint32_t i = 0; i < entry_lines_; ++i) {
    const Lookup lookup = locate(line_of_entry(first, i));
    if (is_locked(lookup.line)) return StallReason::line_locked;
    if (lookup.mshr != nowhere) return StallReason::protocol;
    if (lookup.frame != nowhere) last = lookup.line;
  }
  for (std::uint32_t i = 0; i < entry_lines_; ++i) {
    const base::LineAddress line = line_of_entry(first, i);
    if (line == last || locate(line).frame == nowhere) continue;
    const StallReason stall = replace(line, Stimulus::Source::replacement);
    if (stall != StallReason::none) return stall;
    if (locate(line).mshr != nowhere) return StallReason::protocol;
  }
  return replace(last, Stimulus::Source::directory_replacement);
}

/// It concerns no line's data or register: one is told for all. What a locked line has begun may have to free the
/// entry.
StallReason CoherentLines::replace_sharers(base::LineAddress first) {
  for (std::uint32_t i = 0; i < sharers_->lines(); ++i) {
    if (is_locked(sharers_->line(first, i))) return StallReason::line_locked;
  }
  return replace(first, Stimulus::Source::directory_replacement);
}

void CoherentLines::claim(Lookup& lookup, const Transition& transition) {
  const bool listed = (transition.needs & Needs::directory_entry) != 0 && lookup.directory_entry == nowhere;
  if (listed && sharers_) {
    lookup.directory_entry = sharers_->claim(lookup.number, lookup.line);
  } else if (listed) {
    lookup.directory_entry = directory_->find_free(entry_set(lookup.number));
    directory_->claim(lookup.directory_entry, first_of_entry(lookup.line));
    find_registers(lookup);
  }
  if ((transition.needs & Needs::frame) != 0 && lookup.frame == nowhere) {
    if (directory_ && lookup.directory_entry == nowhere) throw broken_rule(lookup, "gets a frame without being listed");
    lookup.frame = tags_.find_free(tags_.set_of(lookup.number));
    tags_.claim(lookup.frame, lookup.line);
    if (!directory_ && lookup.mshr != nowhere) give_place(lookup.mshr, lookup.frame);
  }
}

void CoherentLines::give_place(Index entry, Index place) {
  mshrs_.gain_place(entry, place);
  mshrs_.link(entry, keeper().frame(place).entry);
}

/// A new entry is where the registers of its lines belong that had no place.
void CoherentLines::find_registers(const Lookup& lookup) {
  if (entry_lines_ == 1) {
    if (lookup.mshr != nowhere) give_place(lookup.mshr, lookup.directory_entry);
    return;
  }
  LineMeta& meta = directory_->frame(lookup.directory_entry).meta;
  for (Index entry = mshrs_.find_placeless(lookup.line, entry_bits_); entry != nowhere;
       entry = mshrs_.find_placeless(lookup.line, entry_bits_)) {
    if (mshrs_[entry].told_by != ~std::uint64_t{0})
      throw broken_rule(lookup, "is listed anew while its old entry is still leaving");
    give_place(entry, lookup.directory_entry);
    mshrs_[entry].meta.sharers.for_each([&](unsigned node) { meta.sharers.insert(node); });
  }
  share(meta, lookup);
}

/// Who has copies of an entry's lines is the same in its own metadata and in those of its lines that are on their way.
void CoherentLines::share(const LineMeta& changed, const Lookup& lookup) {
  Frame& entry = directory_->frame(lookup.directory_entry);
  const NodeSet sharers = changed.sharers;
  const std::uint16_t owner = changed.owner;
  entry.meta.sharers = sharers;
  entry.meta.owner = owner;
  for (Index one = entry.entry; one != nowhere; one = mshrs_[one].next) {
    mshrs_[one].meta.sharers = sharers;
    mshrs_[one].meta.owner = owner;
  }
}

void CoherentLines::keep_sharers(const LineMeta& changed, const Lookup& lookup) {
  if (lookup.directory_entry != nowhere)
    sharers_->sharers(lookup.directory_entry) = changed.sharers;
  else if (!changed.sharers.empty())
    throw broken_rule(lookup, "has sharers, and no entry in the directory that tells of them");
}

/// `send` about all lines of the entry. To L1s one message for each, so that these do not have to know of entries; to
/// other modules one from the first on, which says how many.
void CoherentLines::send_of_entry(const Action& action, Lookup& lookup, Request& request) {
  const base::LineAddress line = request.line;
  const base::LineAddress first = sharers_ ? sharers_->first(line) : first_of_entry(line);
  const std::uint32_t messages = sharers_ ? 1 : entry_lines_;
  for (std::uint32_t i = 0; i < messages; ++i) {
    request.line = line_of_entry(first, i);
    owner_.execute(action, lookup, request);
  }
  request.line = line;
}

void CoherentLines::invalidate(Lookup& lookup) {
  if (lookup.frame == nowhere) return;
  if (lookup.mshr != nowhere) {
    MissRegister& entry = mshrs_[lookup.mshr];
    entry.data = tags_.data(lookup.frame);
    entry.valid = tags_.frame(lookup.frame).valid;
    entry.dirty = tags_.frame(lookup.frame).dirty;
    if (!directory_) mshrs_.lose_place(lookup.mshr);
  }
  tags_.release(lookup.frame);
  lookup.frame = nowhere;
}

void CoherentLines::free_directory_entry(Lookup& lookup) {
  if (sharers_) {
    // While the line was locked another one of the entry may have got sharers, or have freed it.
    lookup.directory_entry = sharers_->find(lookup.number, lookup.line);
    if (lookup.directory_entry != nowhere && sharers_->sharers(lookup.directory_entry).empty())
      sharers_->release(std::exchange(lookup.directory_entry, nowhere));
    return;
  }
  if (lookup.directory_entry == nowhere) return;
  if (lookup.frame != nowhere) throw broken_rule(lookup, "leaves the directory while its data is here");
  Frame& entry = directory_->frame(lookup.directory_entry);
  if (entry_lines_ != 1) {
    for (std::uint32_t i = 0; i < entry_lines_; ++i) {
      const base::LineAddress line = line_of_entry(directory_->line(lookup.directory_entry), i);
      if (tags_.find(tags_.set_of(owner_.line_number(line)), line) != nowhere)
        throw broken_rule(lookup, "leaves the directory while data of its entry is here");
    }
    const bool others = lookup.mshr == nowhere ? entry.entry != nowhere
                                               : entry.entry != lookup.mshr || mshrs_[lookup.mshr].next != nowhere;
    if (others) throw broken_rule(lookup, "leaves the directory while a line of its entry is on its way");
    // From now on the register is that of all lines: nobody may get one before those with copies have been told.
    if (lookup.mshr != nowhere) mshrs_[lookup.mshr].told_by = entry_bits_;
  }
  if (lookup.mshr != nowhere) mshrs_.lose_place(lookup.mshr);
  directory_->release(lookup.directory_entry);
  lookup.directory_entry = nowhere;
}

}  // namespace syncline::models
