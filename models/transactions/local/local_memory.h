// The shared memory of a CTA while transactions run on it: whoever accesses a word is checked by the word's bank, what
// memory held before is kept in shadow memory, and copied back for who has lost ([LocalTM] section 2.1).
//
//   LocalMemory memory(keys, machine, warps, lanes, bytes);
//   if (!memory.access(who, words, Access::store)) { ... memory.lost_to() ...; memory.abort(who); }
//   cycles = memory.take_busy();
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "models/transactions/lane_words.h"
#include "models/transactions/local/local_keys.h"
#include "protocols/transactions/local/detector.h"

namespace syncline::models {

class LocalMemory {
 public:
  /// `bytes` are those of the CTA, and outlive this.
  LocalMemory(const protocols::local::LocalTmSpec& machine, const LocalLatencies& latency,
              protocols::local::WordMachine& words, unsigned warps, unsigned lanes, std::vector<std::uint8_t>& bytes);

  /// The banks are asked, word by word. False: one of the words conflicts, and nothing is accessed. What is to be
  /// stored is stored afterwards, by whoever asks.
  bool access(protocols::local::WorkItem who, const LaneWords& words, protocols::local::Access access);
  /// Of the access that conflicted last.
  const protocols::local::Opponents& lost_to() const { return lost_to_; }
  /// `who` has lost: memory holds again what it held before.
  void abort(protocols::local::WorkItem who);
  void commit(protocols::local::WorkItem who);
  /// No lane of the warp is in a transaction any more. `alone`: nor of any other.
  void ended(unsigned warp, bool alone) { detector_.ended(warp, alone); }

  struct Busy {
    base::Cycle cycles = 0;  ///< of the bank that had most to do
    bool looked_up = false;  ///< an owner was read
    unsigned backups = 0, restored = 0, second_looks = 0;
  };
  /// What banks did since the last call.
  Busy take_busy();

 private:
  void copy(protocols::local::Word word, bool back);
  /// Calls `body(bank)` for each bank that `who` has asked, none of which knows of it from then on.
  template <class Body>
  void leave(protocols::local::WorkItem who, Body&& body) {
    base::for_each_lane(std::exchange(asked_[who], 0), body);
  }

  const LocalLatencies& latency_;
  const bool has_signatures_;
  std::vector<std::uint8_t>& bytes_;
  std::vector<std::uint8_t> backups_;
  protocols::local::Detector detector_;
  protocols::local::Opponents lost_to_;
  std::vector<std::uint64_t> asked_;  ///< by work-item: bit n, bank n
  std::vector<base::Cycle> busy_;     ///< by bank
  Busy sum_;
};

}  // namespace syncline::models
