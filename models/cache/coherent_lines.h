// The protocol-neutral heart of a cache: presents stimuli to its machine and keeps tags, data and miss registers in
// step with what the machine answers. The L1 and the L2 own one each and add their sockets and timing.
#pragma once

#include <array>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/growing_ring.h"
#include "base/stats.h"
#include "models/block/traced_signal.h"
#include "models/cache/mshr.h"
#include "models/cache/sharer_directory.h"
#include "models/cache/tag_array.h"
#include "models/transport/message.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// Why a stimulus has to wait.
enum class StallReason : std::uint8_t {
  none,
  protocol,
  recycled,  ///< as `protocol`, but what stands behind it need not wait (act::recycle)
  mshr_full,
  merges_full,
  no_frame,
  no_directory_entry,
  handles_full,
  output_full,
  memory_full,  ///< from here: at homes only
  line_locked,  ///< the line is in the midst of a transition (Request::held)
  locks_full,
  count_
};
const char* name(StallReason stall);
/// For waves.
const SharedValueNames& stall_reason_names();

/// The result of a lookup: where this cache has the line that a request is about.
struct Lookup {
  base::LineAddress line;    ///< asked for, or that whose register is of all lines of an entry that is leaving
  std::uint64_t number = 0;  ///< its place among the lines of this cache's memory; chooses its sets
  Index frame = nowhere;
  Index directory_entry = nowhere;  ///< entry in the directory, where there is one
  Index mshr = nowhere;             ///< miss register
  std::uint8_t role = 0;            ///< place of the machine that has the line, among those of this cache

  /// Of an L2 of several modules: another one is the line's home, and what is here is a copy.
  bool is_copy() const { return role != 0; }
};

/// What is presented: the machine's stimulus with the bytes and the message behind it.
struct Request {
  protocols::Stimulus stimulus;
  base::LineAddress line;
  base::ByteMask wanted;                     ///< bytes that the access asks for or brings
  Message* message = nullptr;                ///< the access or message; parked and answered by its owner
  bool of_node = false;                      ///< protocols::MessageKind::of_node
  const base::LineData* incoming = nullptr;  ///< bytes that came, for `fill` and `answer_parked`; null: none did
  std::uint64_t retry_ps =
      protocols::Machine::never;  ///< after StallReason::protocol: when time alone changes the answer
  bool kept = false;              ///< the message was parked, answered or passed on: no longer the presenter's
  /// Set by Owner::execute: what the action began ends later. The line is locked, and the actions behind this one
  /// follow in CoherentLines::resume.
  bool held = false;
};

/// The metadata of a line is in its frame or, in a home with a directory of its own, in its entry there; then the frame
/// may go while the line stays known. A line in a transient state has its metadata in a miss register. What an entry of
/// several lines means is said in docs/architecture.md, "Directories".
///
/// A cache may be different things to different lines, and has a machine for each. Which one a line has never changes.
///
/// A line whose transition waits for what an action began is locked: its metadata is that of the state behind, and
/// nothing is presented to it, nor is it replaced; a flush comes behind. What comes for it may wait there
/// (`wait_for_lock`).
class CoherentLines {
 public:
  /// What only the cache that owns the lines can do.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// Whether there is room for a transition's forwarding, sending and memory needs.
    virtual StallReason stall_reason(const protocols::Transition& transition, const Lookup& lookup,
                                     const Request& request) = 0;
    /// Place of the line's machine among several.
    virtual std::uint8_t role_of(base::LineAddress) const { return 0; }
    /// forward, send, answer, deliver, write, fetch, write_back; and answer_parked, once per access.
    virtual void execute(const protocols::Action& action, const Lookup& lookup, Request& request) = 0;
    virtual void answer_parked(Message& message, base::Cycle since, const Request& request) = 0;
    /// The bytes that came are in the line's frame.
    virtual void filled(const Lookup&, const Request&) {}
    /// The line's place among those of the memory behind this cache, counted without gaps. Asked for within the
    /// constructor if an entry of the directory is of several lines.
    virtual std::uint64_t line_number(base::LineAddress line) const = 0;
    virtual std::uint64_t now_ps() const = 0;
    virtual base::Cycle now_cycle() const = 0;
    /// Whether it wants to hear of the three below. Asked once, within the constructor.
    virtual bool follows() const { return false; }
    virtual void state_changed(base::LineAddress, std::uint8_t /*from*/, std::uint8_t /*to*/, const Request&) {}
    /// An access waits in a miss register.
    virtual void parked(const Message&) {}
    /// It is to be presented again, because of what `request` brings.
    virtual void replayed(const Message&, const Request& /*request*/) {}
    /// What is known of a line's past, for an error message.
    virtual std::string history(base::LineAddress line) const = 0;
    /// `fire_timers` is to be called at that time.
    virtual void wake_at_ps(std::uint64_t ps) = 0;
  };

  struct Geometry {
    std::uint32_t sets, ways, line_bytes, mshr_entries, mshr_merges;
    Replacement replacement;
    std::uint16_t node;  ///< number of this cache among those of its kind
    std::optional<protocols::DirectoryGeometry> directory = std::nullopt;
    std::uint32_t locks = 0;  ///< lines that may be locked at a time
  };

  struct Counts {
    base::Counter evictions, directory_evictions, fills, merges, misses;
    base::Distribution miss_cycles;  ///< life of a miss register
  };

  /// `machines`: one or, where Owner::role_of chooses, several; the first one has what concerns no line.
  CoherentLines(Owner& owner, const Geometry& geometry, std::vector<std::unique_ptr<protocols::Machine>> machines,
                base::Random random);

  /// Presents a stimulus. Anything but StallReason::none: nothing has changed (a victim may have left), try again
  /// later.
  StallReason present(Request& request);
  /// The transition that `present` would take now.
  const protocols::Transition& preview(Request& request);
  /// Presents what `wake_at` asked for and is due. Returns when to call again, in picoseconds: a time that has passed
  /// when one was refused, Machine::never without timers. `changed` becomes true when one was taken.
  std::uint64_t fire_timers(bool& changed);
  /// Presents a flush to every line, or to those that the cache has in that role; rows for it must not need anything.
  void flush_all(const protocols::Role* role = nullptr);
  protocols::FenceOutcome fence(const protocols::Stimulus& stimulus) {
    return machines_.front()->fence(stimulus, node_);
  }

  /// The message, which met StallReason::line_locked, waits at the lock and is presented again when the line is free,
  /// before newer ones. False: it has to wait where it is. There may be no room; and what travels on a higher virtual
  /// network than what locked the line must not stand behind a request.
  bool wait_for_lock(Message& message);
  /// Whether there is room for what the transition that has locked the line has still to do.
  StallReason locked_stall(base::LineAddress line) const;
  /// What Owner::execute began is done: performs the other actions, and frees the line.
  void resume(base::LineAddress line);

  /// Accesses that were parked and are to be presented again before newer ones, oldest first. Who presents one takes it
  /// out before, for to present it may put others in front; one that is refused goes to the front again. Those of
  /// different roles do not wait for each other.
  using Replays = base::GrowingRing<MshrTable::Parked>;
  Replays& replays(std::size_t role = 0) { return replays_[role]; }
  const Replays& replays(std::size_t role = 0) const { return replays_[role]; }
  /// Whether some are of that line.
  bool replays_wait(base::LineAddress line) const;

  Lookup locate(base::LineAddress line) const;
  /// Lets the host fetch what presenting something about `line` will read.
  void prefetch(base::LineAddress line) const;
  std::uint8_t state_of(base::LineAddress line) const;
  /// Lines of an entry of the directory of who has copies.
  std::uint32_t sharer_lines() const { return sharers_->lines(); }
  /// Null: the cache has none.
  const TagArray* directory() const { return directory_ ? &*directory_ : sharers_ ? &sharers_->tags() : nullptr; }
  TagArray& tags() { return tags_; }
  const TagArray& tags() const { return tags_; }
  MshrTable& mshrs() { return mshrs_; }
  const MshrTable& mshrs() const { return mshrs_; }
  const protocols::Machine& machine() const { return *machines_.front(); }
  const protocols::Machine& machine_of(base::LineAddress line) const { return *machines_[role_of(line)]; }
  const std::vector<std::unique_ptr<protocols::Machine>>& machines() const { return machines_; }
  const protocols::NodeMeta& node() const { return node_; }
  const Counts& counts() const { return counts_; }
  /// Calls `add(name, reason, value)` for each row of the table that does something: "row_V_Load_Expired", and behind
  /// that the row's guard; before it the role, if there are several: "row_gpm_I_Gets". `value()` is how often it was
  /// performed.
  template <class Add>
  void rows(Add&& add) const {
    for (const auto& machine : machines_) {
      const protocols::Vocabulary& words = machine->table().vocabulary();
      for (const protocols::Transition& t : machine->table().transitions()) {
        if (t.only_waits()) continue;
        std::string name = row_prefix(words) + std::string(words.states[t.row.state].name) + "_";
        name += words.events[t.row.event].name;
        if (t.row.guard != protocols::Row::no_guard) name += "_" + std::string(words.guards[t.row.guard].name);
        add(name, t.row.why, [&machine, index = t.index] { return static_cast<double>(machine->taken()[index]); });
      }
    }
  }
  /// "line 0x80 in IV since cycle 5, 2 accesses wait", one per miss register in use.
  std::vector<std::string> describe() const;
  /// As `describe`, without the registers that only a timer still needs: at the end of a run they are nobody's loss.
  std::vector<std::string> left_over() const;

 private:
  struct Lock {
    bool used = false;
    base::LineAddress line;
    const protocols::Transition* transition = nullptr;
    Lookup lookup;
    Request request;
    protocols::ActionList rest;  ///< actions behind the one that is waited for
    base::Cycle since = 0;
    std::uint8_t network = 0;  ///< on which what locked the line came
    bool timed = false;        ///< a timer of the line has come meanwhile
    bool flushed = false;      ///< a flush has
    boost::circular_buffer<MshrTable::Parked> waiting;
  };
  void flush(base::LineAddress line);
  std::string row_prefix(const protocols::Vocabulary& words) const;
  std::uint8_t role_of(base::LineAddress line) const { return machines_.size() == 1 ? 0 : owner_.role_of(line); }
  protocols::Machine& machine_of(const Lookup& lookup) { return *machines_[lookup.role]; }
  const protocols::Machine& machine_of(const Lookup& lookup) const { return *machines_[lookup.role]; }
  Index lock_of(base::LineAddress line) const;
  bool is_locked(base::LineAddress line) const { return locked_ != 0 && lock_of(line) != nowhere; }
  void lock(const protocols::Transition& transition, const Lookup& lookup, Request& request,
            const protocols::Action* next);
  void settle(const protocols::Transition& transition, const Lookup& lookup);
  void put_before_younger(Replays& replays, std::size_t waiting);
  /// Where metadata is kept, and the place of a line there.
  TagArray& keeper() { return directory_ ? *directory_ : tags_; }
  const TagArray& keeper() const { return directory_ ? *directory_ : tags_; }
  Index place_of(const Lookup& lookup) const { return directory_ ? lookup.directory_entry : lookup.frame; }
  protocols::LineMeta& meta_of(const Lookup& lookup, protocols::LineMeta& scratch);
  base::LineAddress first_of_entry(base::LineAddress line) const {
    return base::LineAddress(line.value() & entry_bits_);
  }
  base::LineAddress line_of_entry(base::LineAddress first, std::uint32_t place) const {
    return base::LineAddress(first.value() + std::uint64_t{place} * line_bytes_);
  }
  std::uint32_t entry_set(std::uint64_t number) const { return directory_->set_of(number >> entry_shift_); }
  Lookup lookup_of(const Request& request) const { return request.of_node ? Lookup{} : locate(request.line); }
  const protocols::Transition& decide(const Lookup& lookup, const Request& request,
                                      const protocols::LineMeta& meta) const;
  void complete_facts(const Lookup& lookup, Request& request) const;
  StallReason make_room(const Lookup& lookup, const protocols::Transition& transition);
  StallReason make_room(TagArray& array, std::uint32_t set);
  StallReason replace(base::LineAddress line, protocols::Stimulus::Source source);
  StallReason replace_entry(base::LineAddress first);
  StallReason replace_sharers(base::LineAddress first);
  /// A role keeps something for each one before it: to go on, lines of a later role wait for caches that have them in
  /// an earlier one.
  bool registers_full(const Lookup& lookup) const { return mshrs_.free() <= lookup.role; }
  bool keeps_frames(const Lookup& lookup) const;
  bool keeps_awaited(base::LineAddress line) const;
  void claim(Lookup& lookup, const protocols::Transition& transition);
  void give_place(Index entry, Index place);
  void find_registers(const Lookup& lookup);
  void share(const protocols::LineMeta& changed, const Lookup& lookup);
  void send_of_entry(const protocols::Action& action, Lookup& lookup, Request& request);
  void keep_sharers(const protocols::LineMeta& changed, const Lookup& lookup);
  void check_regions(std::uint32_t lines) const;
  void perform(const protocols::Transition& transition, Lookup& lookup, Request& request);
  void execute(const protocols::Action& action, Lookup& lookup, Request& request);
  void replay(const Lookup& lookup, const Request& request);
  void set_timer(std::uint64_t ps, base::LineAddress line);
  std::vector<std::string> describe(bool timed) const;
  void fill(const Lookup& lookup, const Request& request);
  void invalidate(Lookup& lookup);
  void free_directory_entry(Lookup& lookup);
  base::ModelError broken_rule(const Lookup& lookup, const char* what) const;

  Owner& owner_;
  const bool followed_;  ///< Owner::follows
  std::uint32_t line_bytes_;
  std::uint16_t node_number_;
  std::vector<std::unique_ptr<protocols::Machine>> machines_;
  protocols::NodeMeta node_;
  TagArray tags_;
  std::uint32_t entry_lines_;  ///< lines of an entry of the directory
  std::uint64_t entry_bits_;   ///< of an address: what the lines of an entry have in common
  unsigned entry_shift_ = 0;   ///< of a line's number, for the number of its entry
  std::optional<TagArray> directory_;
  std::optional<SharerDirectory> sharers_;  ///< in place of it: that of who has copies alone
  MshrTable mshrs_;
  std::vector<Replays> replays_;                                     ///< by role
  std::vector<std::pair<std::uint64_t, base::LineAddress>> timers_;  ///< (picoseconds, line): a heap, earliest first
  std::array<protocols::ActionList, 2> actions_;  ///< a replacement happens in the midst of its cause
  unsigned depth_ = 0;
  std::vector<Lock> locks_;
  std::uint32_t locked_ = 0;  ///< locks in use
  Counts counts_;
};

}  // namespace syncline::models
