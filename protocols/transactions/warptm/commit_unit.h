// The commit unit of a memory partition: validates the logs of transactions and writes what commits, both in the order
// of commit IDs.
//
// It is a ring of entries, one for each ID from the oldest that is not retired on. Four pointers pass over it: hazard
// detection, pass, commit, retire. The host hands over packets and outcomes in any order of IDs; reads memory for
// `next_read` and writes for `next_write`, each in the order in which it is told; and otherwise calls `detect`, `pass`,
// `next_write` and `retire` as often as it has time for, until they do nothing.
#pragma once

#include <deque>
#include <optional>

#include "protocols/transactions/warptm/entry_machine.h"
#include "protocols/transactions/warptm/spec.h"
#include "protocols/transactions/warptm/writer_history.h"

namespace syncline::protocols::warptm {

class CommitUnit {
 public:
  /// The turn to write: IDs one after the other, or whoever is ready. The latter is a fault, for a checker to find.
  enum class Turn : std::uint8_t { by_ticket, when_ready };

  /// `machine` outlives it and may be shared.
  CommitUnit(const WarptmSpec& spec, EntryMachine& machine, Turn turn = Turn::by_ticket)
      : machine_(&machine), turn_(turn), coalesces_(spec.coalescing), capacity_(spec.ring_entries), history_(spec) {}

  /// ModelError: the ID has no room (Tickets), is retired, or its log is complete.
  void receive(const Packet& packet);

  /// A word that memory is to be asked for.
  struct Read {
    Ticket ticket = 0;
    LoggedWord expected;
  };
  bool has_read() const { return !to_read_.empty(); }
  const Read& front_read() const { return to_read_.front(); }
  Read next_read();
  /// What memory held when it was asked, at the earliest after `next_read`. Returns whether it is what was expected.
  bool answer(const Read& read, std::uint32_t value);

  struct Detected {
    std::uint32_t reads = 0, writes = 0;  ///< words that were looked up and noted
    bool hazard = false;
  };
  /// Hazard detection of the next ID, if its log is complete.
  std::optional<Detected> detect();

  struct Passed {
    std::optional<Reply> reply;  ///< to its core; nothing: it validates once more
  };
  /// The pass pointer's turn, if it has one.
  std::optional<Passed> pass();
  /// ModelError: it holds none of that ID.
  const Entry& entry(Ticket ticket) const { return const_cast<CommitUnit*>(this)->known(ticket); }

  /// What the core makes of the replies of all partitions. ModelError: it was not asked.
  void decide(const Outcome& outcome);

  /// Words of one ID, with `coalescing` all those of 32 bytes.
  struct Write {
    Ticket ticket = 0;
    Warp warp = 0;
    std::vector<LoggedWord> words;
  };
  bool has_write() const { return writer() != 0; }
  /// The next words that memory is to be told. ModelError: there are none.
  Write next_write();
  /// Memory has written them. True: the core of `write` is to hear that all of the ID's words are in memory.
  bool acknowledge(const Write& write);

  /// The retire pointer moves on, if it can.
  bool retire();
  /// All IDs before this one are retired.
  Ticket retired() const { return retired_; }

  /// Whether somebody who may have passed is yet to write the word, as far as is known (TcdRule::pending).
  bool awaits_write(std::uint64_t word) const { return history_.last(word) >= retired_; }
  bool empty() const { return ring_.empty(); }
  std::size_t size() const { return ring_.size(); }
  const WriterHistory& history() const { return history_; }

  /// IDs before this one are all the same to the unit from now on.
  Ticket oldest_that_matters() const;
  void encode(Encoder& to) const;

 private:
  Entry* at(Ticket ticket) { return ticket < retired_ + ring_.size() ? &ring_[ticket - retired_] : nullptr; }
  Entry& known(Ticket ticket);
  EntryMachine::Stimulus stimulus(Event event, Ticket ticket) const { return {event, ticket, retired_}; }
  void ask(Ticket ticket, const std::vector<LoggedWord>& reads);
  void look_up(Ticket ticket, Entry& entry);
  /// Whose turn it is to write, and who is ready; 0: nobody.
  Ticket writer() const;

  EntryMachine* machine_;
  Turn turn_;
  bool coalesces_;
  std::size_t capacity_;
  WriterHistory history_;
  std::deque<Entry> ring_;  ///< from `retired_` on
  Ticket retired_ = first_ticket, to_detect_ = first_ticket, to_pass_ = first_ticket, to_write_ = first_ticket;
  std::deque<Read> to_read_;
};

}  // namespace syncline::protocols::warptm
