// Random loads, stores and atomics of several warps on several SMs, free of data races, against a reference.
//
// The run is a series of episodes with a grid boundary between them. In an episode each word of memory belongs to one
// warp (which alone reads and writes it), or to everybody for reading, or to everybody for atomics. Words of one line
// have different owners, so lines are shared falsely all the time. A warp has several accesses under way at once: each
// load is checked against the value that the program order of its warp gives, whatever the caches do.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/block/block.h"
#include "tests/unit/caches/memory_system.h"
#include "tests/unit/caches/test_core.h"

namespace syncline::tests {

struct TesterSpec {
  unsigned warps = 3;          ///< of each SM
  unsigned lines = 12;         ///< shared by all
  unsigned private_lines = 2;  ///< of each warp, accessed as local memory
  unsigned in_flight = 4;      ///< accesses of a warp
  unsigned accesses = 150;     ///< of a warp in an episode
  unsigned episodes = 4;
  std::uint64_t max_pause_ps = 20'000;
  /// One of so many loads says that nobody writes its line, although somebody may; 0: none. Only coherent policies bear
  /// it.
  unsigned read_only_loads = 0;
  unsigned flushes = 0;  ///< before one of so many accesses the L1 is told that a grid begins; 0: only between episodes
};

class RandomTester : public sc_core::sc_module {
 public:
  RandomTester(const sc_core::sc_module_name& name, models::PlatformContext& context, MemorySystem& system,
               const TesterSpec& spec, std::uint64_t seed);

  /// Runs all episodes; failures are GoogleTest's. False when the machine stopped making progress.
  bool run();

  std::uint64_t loads = 0, stores = 0, atomics = 0;

 private:
  static constexpr unsigned words_per_line = 32;
  enum class Use { owned, read_only, atomic };
  struct Word {
    Use use = Use::read_only;
    unsigned owner = 0;       ///< warp of the machine
    std::uint32_t value = 0;  ///< what a load of the owner, or of anybody when read-only, must return now
    std::uint32_t atomic_sum = 0;
  };
  struct Warp {
    TestCore* core = nullptr;
    unsigned slot = 0;
    unsigned in_flight = 0;
    unsigned left = 0;
  };

  void deal_words();
  void begin_grid();
  void begin_grid(TestCore& core);
  void issue();
  void issue_one(unsigned warp);
  void load(unsigned warp, unsigned line);
  void store(unsigned warp, unsigned line);
  void atomic(unsigned warp, unsigned line);
  void final_check();
  bool wait_until_idle();
  bool is_private(unsigned line) const { return line >= spec_.lines; }
  models::L1Kind kind(unsigned line) const { return is_private(line) ? models::L1Kind::local : models::L1Kind::global; }
  std::uint64_t address(unsigned line) const { return 0x1000 + std::uint64_t{line} * 128; }
  unsigned pick_line(unsigned warp);
  Word& word(unsigned line, unsigned index) { return words_[line * words_per_line + index]; }

  MemorySystem& system_;
  const TesterSpec spec_;
  base::Random random_;
  std::vector<std::unique_ptr<TestCore>> cores_;
  std::vector<Warp> warps_;
  std::vector<Word> words_;
  sc_core::sc_event issue_event_{"next_access"};
};

}  // namespace syncline::tests
