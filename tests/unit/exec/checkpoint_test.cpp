// Lanes that are brought back to the beginning of a region from outside, as a transactional memory does it: the SIMT
// stack's retry entry and transaction entry.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "isa/exec/warp.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// One warp of a kernel (kernel_of). In it `nanosleep` stands before the beginning of a region and `brkpt` at its end.
struct Transaction {
  Transaction(const std::string& text, const std::string& mechanism, const std::string& before = "")
      : machine(kernel_of(text, before)), warp({mechanism}) {
    grid.program = machine.program("k");
    grid.block = {32, 1, 1};
    grid.parameters.assign(8, 0);
    warp.launch(grid, {0, 0, 0}, 0, 32);
  }
  /// Executes until an instruction of `kind` has been executed by somebody.
  isa::Step until(isa::StepKind kind) {
    for (;;) {
      const isa::Step step = warp.execute(access, host);
      if (step.kind == isa::StepKind::memory) stored(step);
      if (step.kind == kind || warp.finished() || warp.blocked()) return step;
    }
  }
  void stored(const isa::Step& step) {
    base::for_each_lane(step.lanes,
                        [&](unsigned lane) { std::memcpy(&result[lane], access.data.data() + 4 * lane, 4); });
  }
  /// To the first instruction of a region.
  void begin() {
    until(isa::StepKind::sleep);
    warp.checkpoint();
  }
  /// All lanes that still run in the region leave it.
  void end() {
    while (!warp.blocked() && !warp.finished()) {
      const isa::Step step = until(isa::StepKind::breakpoint);
      if (step.kind != isa::StepKind::breakpoint) return;
      warp.commit(step.lanes);
    }
  }
  void finish() {
    while (!warp.finished()) until(isa::StepKind::exited);
  }
  Machine machine;
  isa::GridContext grid;
  isa::Warp warp;
  isa::MemoryAccess access;
  Clockless host;
  std::vector<std::uint32_t> result = std::vector<std::uint32_t>(32);
};

/// Registers of every width of which the region reads what it has written itself, predicates too.
constexpr const char* region_of_two_sides = R"(
  mov.u32 %r1, 0;
  cvt.u64.u32 %d3, %t;
  cvt.u16.u32 %s3, %t;
  setp.eq.u32 %p2, %t, %t;
  .reg .b128 %x0;
  .reg .b64 %low, %high;
  mov.b128 %x0, {%d3, %d3};
  nanosleep.u32 1;
  add.u32 %r1, %r1, 1;
  add.u64 %d3, %d3, 1;
  add.u16 %s3, %s3, 1;
  mov.b128 {%low, %high}, %x0;
  add.u64 %high, %high, 1;
  mov.b128 %x0, {%low, %high};
  @!%p2 add.u32 %r1, %r1, 1000;
  setp.ne.u32 %p2, %t, %t;
  and.b32 %r2, %t, 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra EVEN;
  add.u32 %r0, %r1, 100;
  bra JOIN;
EVEN:
  add.u32 %r0, %r1, 200;
JOIN:
  brkpt;
  activemask.b32 %r4;
  popc.b32 %r4, %r4;
  mad.lo.u32 %r0, %r4, 10000, %r0;
  cvt.u32.u64 %r3, %d3;
  cvt.u32.u16 %r5, %s3;
  add.u32 %r3, %r3, %r5;
  sub.u32 %r3, %r3, %t;
  sub.u32 %r3, %r3, %t;
  sub.u32 %r3, %r3, 1;
  mov.b128 {%low, %high}, %x0;
  sub.u64 %high, %high, %low;
  cvt.u32.u64 %r5, %high;
  mul.lo.u32 %r3, %r3, %r5;
  mad.lo.u32 %r0, %r3, 1000000, %r0;
)";

std::uint32_t expected(unsigned lane) {
  return 1000000 + 32 * 10000 + (lane % 2 == 0 ? 201 : 101);
}

TEST(IpdomRegion, AbortedLanesBeginAgainWithTheirRegisters) {
  Transaction t(region_of_two_sides, "ipdom");
  t.begin();
  // Lanes of both sides, while one side runs and the other waits.
  while (t.warp.active() == 0xFFFFFFFF) t.warp.execute(t.access, t.host);
  t.warp.abort(0x0000F00F);
  EXPECT_EQ(t.warp.aborted(), 0xF00FU);
  EXPECT_EQ(t.warp.alive(), 0xFFFFFFFFU);
  EXPECT_EQ(t.warp.active() & 0xF00FU, 0U);
  t.end();
  EXPECT_TRUE(t.warp.blocked()) << "those that left it wait for the others";
  t.warp.restore();
  EXPECT_EQ(t.warp.active(), 0xF00FU);
  EXPECT_EQ(t.warp.aborted(), 0U);
  t.end();
  t.finish();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(t.result[lane], expected(lane)) << lane;
}

TEST(IpdomRegion, MayBeginAgainOften) {
  Transaction t(region_of_two_sides, "ipdom");
  t.begin();
  for (unsigned n = 0; n < 5; ++n) {
    for (unsigned steps = 0; steps < 3 + n; ++steps) t.warp.execute(t.access, t.host);
    t.warp.abort(~base::LaneMask{0});
    EXPECT_TRUE(t.warp.blocked());
    EXPECT_EQ(t.warp.aborted(), 0xFFFFFFFFU);
    t.warp.restore();
    EXPECT_EQ(t.warp.active(), 0xFFFFFFFFU);
  }
  t.end();
  t.finish();
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(t.result[lane], expected(lane)) << lane;
}

TEST(IpdomRegion, IsLeftInDivergentCode) {
  // Only lanes below 10 enter it; lanes of one side of a branch in it are aborted and meet all others behind.
  Transaction t(R"(
  setp.ge.u32 %p1, %t, 10;
  @%p1 bra JOIN;
  nanosleep.u32 1;
  setp.ge.u32 %p2, %t, 5;
  @%p2 bra UPPER;
  add.u32 %r0, %r0, 1;
UPPER:
  add.u32 %r0, %r0, 10;
  brkpt;
  add.u32 %r0, %r0, 100;
JOIN:
  activemask.b32 %r4;
  popc.b32 %r4, %r4;
  mad.lo.u32 %r0, %r4, 1000, %r0;
)",
                "ipdom");
  t.begin();
  t.warp.execute(t.access, t.host);
  t.warp.execute(t.access, t.host);
  EXPECT_EQ(t.warp.active(), 0x1FU);
  t.warp.abort(0x3);
  t.end();
  EXPECT_TRUE(t.warp.blocked());
  t.warp.restore();
  t.end();
  t.finish();
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(t.result[lane], 32000U + (lane < 5 ? 111 : lane < 10 ? 110 : 0)) << lane;
}

TEST(IpdomRegion, Nests) {
  Transaction t(R"(
  nanosleep.u32 1;
  add.u32 %r0, %r0, 1;
  nanosleep.u32 1;
  add.u32 %r0, %r0, 10;
  brkpt;
  add.u32 %r0, %r0, 100;
  brkpt;
)",
                "ipdom");
  t.begin();
  t.begin();
  t.warp.execute(t.access, t.host);
  t.warp.abort(0xFF);
  EXPECT_EQ(t.warp.aborted(), 0xFFU);
  t.end();
  t.warp.restore();
  const isa::Step inner = t.until(isa::StepKind::breakpoint);
  EXPECT_EQ(inner.lanes, 0xFFU);
  t.warp.commit(inner.lanes);
  EXPECT_EQ(t.warp.active(), 0xFFFFFFFFU) << "in the outer region again";
  t.warp.abort(0xF0);
  EXPECT_EQ(t.warp.aborted(), 0xF0U) << "back to the beginning of the outer one";
  t.end();
  t.warp.restore();
  EXPECT_EQ(t.warp.active(), 0xF0U);
  t.begin();
  t.end();
  t.end();
  t.finish();
  EXPECT_THAT(t.result, Each(111U));
}

struct Region : ::testing::TestWithParam<const char*> {};

TEST_P(Region, LanesOfTheOuterOneAreAbortedWhileOthersRunInTheInnerOne) {
  Transaction t(R"(
  nanosleep.u32 1;
  add.u32 %r0, %r0, 1;
  setp.ge.u32 %p1, %t, 8;
  @%p1 bra HIGH;
  nanosleep.u32 1;
  add.u32 %r0, %r0, 10;
  brkpt;
HIGH:
  add.u32 %r0, %r0, 100;
  brkpt;
)",
                GetParam());
  t.begin();
  t.begin();
  ASSERT_EQ(t.warp.active(), 0xFFU);
  t.warp.abort(0xF00);  // they wait for those of the inner region
  EXPECT_EQ(t.warp.aborted(), 0xF00U);
  EXPECT_EQ(t.warp.active(), 0xFFU);
  const isa::Step inner = t.until(isa::StepKind::breakpoint);
  t.warp.abort(0x3);  // have not left it yet
  EXPECT_EQ(t.warp.aborted(), 0xF03U);
  t.warp.commit(inner.lanes & ~base::LaneMask{0x3});
  for (unsigned n = 0; !t.warp.finished(); ++n) {
    ASSERT_LT(n, 1000U);
    if (t.warp.blocked()) t.warp.restore();
    const isa::Step step = t.warp.execute(t.access, t.host);
    if (step.kind == isa::StepKind::memory) t.stored(step);
    if (step.kind == isa::StepKind::sleep) t.warp.checkpoint();
    if (step.kind == isa::StepKind::breakpoint) t.warp.commit(step.lanes);
  }
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(t.result[lane], lane < 8 ? 111U : 101U) << lane;
}

TEST_P(Region, EndsWithItsLanes) {
  Transaction t(R"(
  setp.ge.u32 %p1, %t, 8;
  @%p1 bra HIGH;
  nanosleep.u32 1;
  exit;
HIGH:
  mov.u32 %r0, 5;
)",
                GetParam());
  t.begin();
  EXPECT_TRUE(t.warp.in_region());
  while (t.warp.active() == 0xFF) t.warp.execute(t.access, t.host);
  EXPECT_FALSE(t.warp.in_region());
  EXPECT_EQ(t.warp.aborted(), 0U);
  t.finish();
  EXPECT_EQ(t.result[8], 5U);
}

/// A generic access to several spaces is served space by space.
TEST_P(Region, LanesAreAbortedWithinAnInstruction) {
  constexpr const char* body = R"(
  .shared .align 4 .b32 words[32];
  mov.u32 %r1, 0;
  nanosleep.u32 1;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %t, 16;
  mov.u64 %d1, words;
  cvta.shared.u64 %d2, %d1;
  selp.b64 %d3, %d2, %out, %p1;
  cvt.u64.u32 %d1, %t;
  shl.b64 %d1, %d1, 2;
  add.u64 %d3, %d3, %d1;
  st.u32 [%d3], %t;
  add.u32 %r1, %r1, 10;
  brkpt;
  mov.u32 %r0, %r1;
)";
  for (const base::LaneMask gone : {0xFFFF0000U, 0x0000FFFFU, 0x00FF00FFU, 0xFFFFFFFFU}) {
    Transaction t(body, GetParam());
    t.begin();
    isa::Step step;
    while (!(step = t.warp.execute(t.access, t.host)).more) continue;
    EXPECT_THAT(error_of([&] { t.warp.checkpoint(); }), HasSubstr("within an instruction: "));
    EXPECT_THAT(error_of([&] { t.warp.commit(step.lanes); }), HasSubstr("within an instruction: "));
    t.warp.abort(gone);
    EXPECT_EQ(t.warp.aborted(), gone);
    if (const base::LaneMask rest = 0xFFFF0000U & ~gone; rest != 0 && rest != 0xFFFF0000U) {
      step = t.warp.execute(t.access, t.host);
      EXPECT_EQ(step.lanes, rest);
      EXPECT_FALSE(step.more);
    }
    unsigned stores = 0;
    for (unsigned n = 0; !t.warp.finished(); ++n) {
      ASSERT_LT(n, 1000U);
      if (t.warp.blocked()) t.warp.restore();
      step = t.warp.execute(t.access, t.host);
      if (step.kind == isa::StepKind::memory) t.stored(step);
      if (step.kind == isa::StepKind::memory && t.access.op->memory->space == isa::Space::generic) ++stores;
      if (step.kind == isa::StepKind::breakpoint) t.warp.commit(step.lanes);
    }
    EXPECT_EQ(stores, gone == 0xFFFF0000U || gone == 0x0000FFFFU ? 1U + (gone == 0x0000FFFFU) : 2U) << gone;
    EXPECT_THAT(t.result, Each(11U)) << gone;
  }
}

TEST(IpdomRegion, ItsRulesAreHeld) {
  Transaction t(region_of_two_sides, "ipdom");
  EXPECT_THAT(error_of([&] { t.warp.abort(1); }), HasSubstr("there is no checkpoint"));
  t.begin();
  t.warp.abort(1);
  EXPECT_THAT(error_of([&] { t.warp.restore(); }), HasSubstr("while others of their region run"));
}

TEST(IpdomRegion, MayBeLeftAtSeveralPlaces) {
  Transaction t(R"(
  setp.ge.u32 %p1, %t, 24;
  @%p1 bra JOIN;
  nanosleep.u32 1;
  and.b32 %r1, %t, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra EVEN;
  brkpt;
  add.u32 %r0, %r0, 100;
  bra JOIN;
EVEN:
  brkpt;
  add.u32 %r0, %r0, 200;
JOIN:
  activemask.b32 %r4;
  popc.b32 %r4, %r4;
  mad.lo.u32 %r0, %r4, 1000, %r0;
)",
                "ipdom");
  t.begin();
  t.warp.abort(0x3);
  t.end();
  EXPECT_TRUE(t.warp.blocked()) << "those that left it wait for the others";
  t.warp.restore();
  EXPECT_EQ(t.warp.active(), 0x3U);
  t.end();
  t.finish();
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(t.result[lane], 32000U + (lane >= 24 ? 0 : lane % 2 == 0 ? 200 : 100)) << lane;
}

TEST_P(Region, LanesGiveWhatTheyGiveUnabortedWhateverIsAborted) {
  // Loops, branches and calls within the region; after every few instructions some lanes are sent back.
  for (unsigned every = 1; every < 12; ++every) {
    Transaction t(R"(
  and.b32 %r1, %t, 3;
  mov.u32 %r3, 0;
  nanosleep.u32 1;
LOOP:
  setp.lt.u32 %p1, %t, 12;
  @%p1 bra LOW;
  add.u32 %r3, %r3, 7;
  bra JOIN;
LOW:
  call (%r2), down, (%r1);
  add.u32 %r3, %r3, %r2;
JOIN:
  sub.s32 %r1, %r1, 1;
  setp.ge.s32 %p2, %r1, 0;
  @%p2 bra LOOP;
  mov.u32 %r0, %r3;
  brkpt;
)",
                  GetParam(), down);
    t.begin();
    unsigned aborts = 0;
    base::LaneMask next = 0x1, inside = 0xFFFFFFFF;
    for (unsigned n = 1; !t.warp.finished(); ++n) {
      if (t.warp.blocked()) t.warp.restore();
      const isa::Step step = t.warp.execute(t.access, t.host);
      if (step.kind == isa::StepKind::memory) t.stored(step);
      if (step.kind == isa::StepKind::breakpoint) {
        t.warp.commit(step.lanes);
        inside &= ~step.lanes;
      }
      if (n % every == 0 && aborts < 40 && inside != 0) {
        ++aborts;
        next = (next << 5 | next >> 27 | 2) & 0xFFFFFFFF;
        t.warp.abort(next & inside);
      }
      ASSERT_LT(n, 100000U);
    }
    EXPECT_GT(aborts, 3U);
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::uint32_t sum = 0;
      for (unsigned i = 0; i <= lane % 4; ++i) sum += lane < 12 ? i * (i + 1) / 2 : 7;
      ASSERT_EQ(t.result[lane], sum) << lane << ", every " << every;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Region, ::testing::Values("ipdom", "its", "tf_stack"));

}  // namespace
}  // namespace syncline::test
