// Regions in programs that enter them again and again: transactions in loops, in both sides of a branch, around calls,
// within each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "isa/exec/warp.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

/// A policy that aborts lanes by chance, and restores them as soon as it may. `nanosleep 1` stands before the beginning
/// of a region, `nanosleep 2` at its end.
class Transactions {
 public:
  Transactions(const std::string& text, const std::string& mechanism, const std::string& before)
      : machine_(kernel_of(text, before)), warp_({mechanism}) {
    grid_.program = machine_.program("k");
    grid_.block = {32, 1, 1};
    grid_.parameters.assign(8, 0);
    warp_.launch(grid_, {0, 0, 0}, 0, 32);
  }
  /// After each instruction lanes are aborted with this chance, up to 60 times.
  void run(unsigned seed, unsigned aborts_in_a_thousand) {
    std::uint32_t chance = seed * 2654435761u + 1;
    const auto draw = [&chance] { return (chance = chance * 1664525u + 1013904223u) >> 8; };
    for (unsigned n = 0; !warp_.finished(); ++n) {
      ASSERT_LT(n, 200000u);
      if (warp_.aborted() != 0) try_to_restore();
      ASSERT_FALSE(warp_.blocked()) << "lanes that nobody can restore";
      const base::LaneMask before = warp_.active();
      const isa::Step step = warp_.execute(access_, host_);
      if (step.kind == isa::StepKind::memory) store(step);
      if (step.kind == isa::StepKind::sleep && step.sleep_ns == 1) {
        ASSERT_EQ(warp_.active() & inside_, 0u) << "lanes of two regions run together";
        inside_ |= warp_.active();
        warp_.checkpoint();
      } else if (step.kind == isa::StepKind::sleep) {
        ASSERT_EQ(step.lanes & ~before, 0u);
        ASSERT_EQ(step.lanes & ~inside_, 0u) << "a lane leaves twice";
        warp_.commit(step.lanes);
        inside_ &= ~step.lanes;
      } else if (inside_ != 0 && aborts_ < 60 && draw() % 1000 < aborts_in_a_thousand) {
        ++aborts_;
        warp_.abort(draw() << 9 ^ draw());
      }
      ASSERT_EQ(warp_.aborted() & ~inside_, 0u);
    }
  }
  unsigned aborts() const { return aborts_; }
  const std::vector<std::uint32_t>& result() const { return result_; }

 private:
  void try_to_restore() {
    try {
      warp_.restore();
    } catch (const base::ModelError&) {
      // Others of the region run.
    }
  }
  void store(const isa::Step& step) {
    base::for_each_lane(step.lanes,
                        [&](unsigned lane) { std::memcpy(&result_[lane], access_.data.data() + 4 * lane, 4); });
  }
  Machine machine_;
  isa::GridContext grid_;
  isa::Warp warp_;
  isa::MemoryAccess access_;
  Clockless host_;
  base::LaneMask inside_ = 0;
  unsigned aborts_ = 0;
  std::vector<std::uint32_t> result_ = std::vector<std::uint32_t>(32);
};

/// Each lane goes round (t & 3) + 2 times, with a region in each round, in which it branches, loops and calls.
constexpr const char* rounds = R"(
  and.b32 %r1, %t, 3;
  add.u32 %r1, %r1, 2;
  mov.u32 %r3, 0;
ROUND:
  nanosleep.u32 1;
  mov.u32 %r4, %r1;
  setp.lt.u32 %p1, %t, 12;
  @%p1 bra LOW;
  add.u32 %r3, %r3, 7;
  bra JOIN;
LOW:
  call (%r2), down, (%r4);
  add.u32 %r3, %r3, %r2;
JOIN:
  sub.u32 %r4, %r4, 1;
  setp.ne.u32 %p2, %r4, 0;
  @%p2 bra JOIN;
  add.u32 %r3, %r3, 100;
  nanosleep.u32 2;
  sub.u32 %r1, %r1, 1;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra ROUND;
  mov.u32 %r0, %r3;
)";

std::uint32_t sum_of_rounds(unsigned lane) {
  std::uint32_t sum = 0;
  for (std::uint32_t n = lane % 4 + 2; n != 0; --n) sum += 100 + (lane < 12 ? n * (n + 1) / 2 : 7);
  return sum;
}

/// Both sides of a branch enter a region of their own, and come together within it.
constexpr const char* two_entries = R"(
  mov.u32 %r3, 0;
  setp.lt.u32 %p1, %t, 12;
  @%p1 bra LOW;
  nanosleep.u32 1;
  add.u32 %r3, %r3, 7;
  bra JOIN;
LOW:
  nanosleep.u32 1;
  add.u32 %r3, %r3, 100;
JOIN:
  add.u32 %r3, %r3, 1000;
  setp.lt.u32 %p2, %t, 6;
  @%p2 add.u32 %r3, %r3, 10000;
  nanosleep.u32 2;
  mov.u32 %r0, %r3;
)";

std::uint32_t sum_of_entries(unsigned lane) {
  return 1000 + (lane < 12 ? 100 : 7) + (lane < 6 ? 10000 : 0);
}

struct ProgramWithRegions {
  const char* name;
  const char* text;
  std::uint32_t (*expected)(unsigned lane);
};

void PrintTo(const ProgramWithRegions& program, std::ostream* out) {
  *out << program.name;
}

struct Regions : ::testing::TestWithParam<std::tuple<ProgramWithRegions, std::string>> {};

TEST_P(Regions, GiveWhatTheyGiveUnaborted) {
  const auto& [program, mechanism] = GetParam();
  unsigned aborts = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Transactions t(program.text, mechanism, down);
    t.run(seed, seed % 3 == 0 ? 0 : 20 * (seed % 7));
    ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    aborts += t.aborts();
    for (unsigned lane = 0; lane < 32; ++lane)
      ASSERT_EQ(t.result()[lane], program.expected(lane)) << lane << ", seed " << seed;
  }
  EXPECT_GT(aborts, 15u);
}

INSTANTIATE_TEST_SUITE_P(Programs, Regions,
                         ::testing::Combine(::testing::Values(ProgramWithRegions{"rounds", rounds, sum_of_rounds},
                                                              ProgramWithRegions{"two_entries", two_entries,
                                                                                 sum_of_entries}),
                                            ::testing::Values("ipdom", "its", "tf_stack")));

}  // namespace
}  // namespace syncline::test
