// What the banks of shared memory know of the transactions of one work-group, and how they find conflicts ([LocalTM]
// section 2.1, "Conflict detection mechanism", and section 4).
//
// A bank serves one work-item at a time, in three phases: signatures; the owner in shadow memory, where only the
// work-item's own signature has the word; and the broadcast, by which banks forget a work-item that has lost. What is
// read, written, kept and restored is the host's.
#pragma once

#include <cstdint>
#include <vector>

#include "base/lane_mask.h"
#include "protocols/transactions/access.h"
#include "protocols/transactions/encoder.h"
#include "protocols/transactions/local/word_machine.h"

namespace syncline::protocols::local {

using transactions::Access;
using transactions::Encoder;

/// Whom a work-item has lost to, as far as the bank can tell.
struct Opponents {
  base::LaneMask own = 0;  ///< lanes of its own wavefront
  bool elsewhere = false;  ///< of another wavefront
  bool unknown = false;    ///< somebody who has read the word (SMDCD keeps no names)
};

class Detector {
 public:
  /// Of a work-group of `wavefronts` of `lanes` each, on `words` words of shared memory.
  Detector(const LocalTmSpec& spec, WordMachine& machine, unsigned wavefronts, unsigned lanes, Word words);

  struct Answer {
    bool accesses = false;  ///< else it conflicts
    bool backs_up = false;  ///< before the access, what memory holds goes to shadow memory
    bool looks_up = false;  ///< phase 2 was needed, or there is no other
    Opponents lost_to;      ///< of a conflict
  };
  /// Phases 1 and 2.
  Answer access(WorkItem who, Word word, Access access);
  /// Phase 3 in one bank: `who` has lost. Calls `restore(word)` for what it has written there.
  template <class Restore>
  void broadcast(WorkItem who, unsigned bank, Restore&& restore) {
    leave(who, bank, Event::Abort, [&](Word word, const Effect& effect) {
      if (effect.restores) restore(word);
    });
  }
  /// In one bank: `who` has committed.
  void release(WorkItem who, unsigned bank) {
    leave(who, bank, Event::Commit, [](Word, const Effect&) {});
  }
  /// All lanes of the wavefront have been released or broadcast in all banks. `alone`: no other wavefront is in a
  /// transaction, so that nobody is left who could have read a word that is marked as shared.
  void ended(unsigned wavefront, bool alone);

  unsigned bank_of(Word word) const { return word % spec_->banks; }
  /// Whether the bank knows anything of the work-item.
  bool knows(WorkItem who, unsigned bank) const;

  /// Shadow memory has what the word held before its owner wrote it.
  bool has_backup(Word word) const { return shadows_[word].modified; }

  void encode(Encoder& to) const;

 private:
  unsigned wavefront_of(WorkItem who) const { return who / lanes_; }
  unsigned lane_of(WorkItem who) const { return who % lanes_; }
  /// Who has a bit in his signature of a bank, and of who has a word's: lanes by wavefront.
  std::size_t column(unsigned bank, unsigned bit) const { return (std::size_t{bank} * bits_ + bit) * wavefronts_; }
  std::size_t column_of(Word word) const;
  std::uint32_t helper_bit(Word word) const;
  /// The place of the word's helper among those of a wavefront.
  std::size_t helper_of(Word word) const { return spec_->helper_per == HelperPer::bank ? bank_of(word) : 0; }
  /// Some wavefront's helper has the word.
  bool is_written(Word word) const { return !written_.empty() && (written_[helper_of(word)] & helper_bit(word)) != 0; }
  Opponents by_signature(WorkItem who, std::size_t column) const;
  Opponents by_owner(WorkItem who, const Shadow& shadow) const;

  template <class Left>
  void leave(WorkItem who, unsigned bank, Event event, Left&& left) {
    std::vector<Word>& own = owned_[who];
    std::size_t kept = 0;
    for (const Word word : own) {
      if (bank_of(word) != bank) {
        own[kept++] = word;
        continue;
      }
      left(word, machine_->perform({event, who, word, false, false}, shadows_[word]));
      if (shadows_[word].shared) shared_.push_back(word);
    }
    own.resize(kept);
    forget(who, bank);
  }
  /// Its signature of the bank is empty.
  void forget(WorkItem who, unsigned bank);

  const LocalTmSpec* spec_;
  WordMachine* machine_;
  unsigned wavefronts_, lanes_;
  unsigned bits_;                         ///< of signatures; 0: there are none
  std::vector<base::LaneMask> columns_;   ///< by bank, bit of its signatures and wavefront: lanes that have it
  std::vector<std::uint32_t> helpers_;    ///< by wavefront and place
  std::vector<std::uint32_t> written_;    ///< by place: what is in some wavefront's
  std::vector<Shadow> shadows_;           ///< by word
  std::vector<std::vector<Word>> owned_;  ///< by work-item
  std::vector<Word> shared_;              ///< that nobody owns
};

}  // namespace syncline::protocols::local
