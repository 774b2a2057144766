// Data races in the shared memory of one CTA: accesses of different warps to a word, one of them a write, with no
// barrier in between. Whole CTAs are taken to meet at each barrier, so races across barriers of some warps are missed.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/memory_access.h"

namespace syncline::models {

class SharedRaces {
 public:
  /// Another CTA starts.
  void clear() { words_.clear(); }
  /// A barrier opened.
  void barrier() { ++interval_; }
  /// An access of warp `warp` of the CTA; true when it races with an earlier one. Reductions that nobody reads the
  /// result of take effect in any order, and do not race with each other.
  bool access(unsigned warp, const isa::MemoryAccess& access);

 private:
  enum class Kind : std::uint8_t { none, read, write, reduction };
  struct Word {
    std::uint64_t interval = 0;
    std::uint16_t warp = 0;
    bool several = false;  ///< warps
    Kind kind = Kind::none;
  };
  std::vector<Word> words_;
  std::uint64_t interval_ = 1;
};

}  // namespace syncline::models
