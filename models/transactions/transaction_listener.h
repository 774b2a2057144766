// What transactions do to memory, told while it happens, for observers that judge whether they could have run one after
// the other. Whoever executes transactions tells it: the cores' part, and the blocks at which reads and writes take
// effect. Nothing of a machine depends on it.
//
//   if (TransactionListener* const judge = context().transactions_of(place)) attempt = judge->begun(warp, lane);
//   ... judge->asked(ticket, attempt, word) ... judge->performed(ticket) ... judge->value(attempt, word, 7)
//   ... judge->wrote(attempt, word, 8) ... judge->committed(attempt), judge->ended(attempt)
#pragma once

#include <cstdint>

#include "models/sm/seams/warp_events.h"

namespace syncline::models {

/// One for each GPU (PlatformContext::transactions_of). The order of the calls is the order of what they tell: each is
/// made in the turn in which memory is read or written. Words are those of device memory, in units of 4 bytes: byte
/// address / 4, or of shared memory, as `shared_word` has them; in masks of their bytes, bit n is byte n of the word,
/// which is the n-th of its value from the right.
///
/// ModelError for what does not fit to what was told before, as a number that was never given out, and for what breaks
/// a promise of transactional memory.
class TransactionListener {
 public:
  /// One attempt of one lane to execute a transaction; another number each time, never 0.
  using Attempt = std::uint64_t;
  /// What a block and a core call something that is under way between them, a message for instance. It may be used
  /// again when it is over.
  using Ticket = std::uint64_t;
  using Word = std::uint64_t;
  static constexpr std::uint8_t whole = 0xf;  ///< mask of all bytes of a word

  virtual ~TransactionListener() = default;

  /// The number of a word of shared memory, its byte address there / 4, in the warp's CTA.
  virtual Word shared_word(const WarpIdentity& warp, std::uint32_t word) const = 0;

  /// The attempt of a lane that is neither decided nor aborted. ModelError: there is none.
  virtual Attempt running(unsigned sm, unsigned slot, unsigned lane) const = 0;

  /// A lane begins its transaction, or begins it again.
  virtual Attempt begun(const WarpIdentity& warp, unsigned lane) = 0;

  /// It reads a word now: it will get what memory holds at this moment. A word may be read several times; each counts.
  /// What it takes from its own log is not told.
  virtual void read(Attempt attempt, Word word) = 0;
  /// The same for a read whose moment another block knows: it will take effect with what else was asked under the
  /// ticket.
  virtual void asked(Ticket ticket, Attempt attempt, Word word) = 0;
  /// All that was asked under the ticket, if anything was, is read now, and what was to be written is.
  virtual void performed(Ticket ticket) = 0;
  /// Nothing of it will be read.
  virtual void dropped(Ticket ticket) = 0;
  /// What the lane got for a read of the word that took effect, of which it has not been told yet; of several in any
  /// order. `bytes`: those that came from memory.
  virtual void value(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes = whole) = 0;

  /// What it got for reads of the word counts no more: it is read once more, and compared, or the attempt aborts.
  virtual void again(Attempt attempt, Word word) = 0;

  /// Memory holds these bytes of the word for it from now on. Before it is decided whether it commits, too, where a
  /// machine writes at once.
  virtual void wrote(Attempt attempt, Word word, std::uint32_t value, std::uint8_t bytes = whole) = 0;
  /// The same for a write whose moment another block knows: it takes effect when the ticket is performed.
  virtual void will_write(Ticket ticket, Attempt attempt, Word word, std::uint32_t value,
                          std::uint8_t bytes = whole) = 0;
  /// It has written to the word, and nobody tells what: an atomic operation.
  virtual void changed(Attempt attempt, Word word) = 0;

  /// It is decided that it commits: it reads nothing any more. Its writes may still come.
  virtual void committed(Attempt attempt) = 0;
  /// Of one that has committed: all its writes have been told.
  virtual void ended(Attempt attempt) = 0;
  /// Nothing comes of it any more. What it has asked for may still be performed or dropped.
  virtual void aborted(Attempt attempt) = 0;
};

}  // namespace syncline::models
