#include "platform/report/contention.h"

#include <gmock/gmock.h>

#include "a_launch.h"

namespace syncline::platform {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Two SMs of one warp slot each run a kernel of one instruction.
class ContentionTest : public testing::Test {
 protected:
  ContentionTest() {
    contention.start(2, [this] { return now; });
    contention.launch_began(*launch);
  }
  static models::WarpIdentity warp(std::uint16_t sm) {
    models::WarpIdentity identity;
    identity.sm = base::SmId(sm);
    identity.grid = base::GridId(0);
    return identity;
  }
  /// An access of the lanes 0 and 1.
  static isa::MemoryAccess access(isa::AccessKind kind, std::uint64_t first, std::uint64_t second) {
    isa::MemoryAccess access;
    access.kind = kind;
    access.space = isa::Space::global;
    access.lanes = 3;
    access.address[0] = first;
    access.address[1] = second;
    return access;
  }
  void access_for(std::uint16_t sm, const isa::MemoryAccess& access, base::Cycle cycles) {
    const models::WarpMemory memory{access, 0, 1, ++order};
    contention.memory_started(warp(sm), memory);
    now += cycles;
    contention.memory_answered(warp(sm), memory);
  }

  base::Cycle now = 0;
  std::uint64_t order = 0;
  std::shared_ptr<const models::GridLaunch> launch = a_launch(0, "work");
  Contention contention{128};
};

TEST_F(ContentionTest, LinesAreThoseForWhichWarpsWaitedLongest) {
  access_for(0, access(isa::AccessKind::load, 0x1000, 0x1004), 30);       // one line
  access_for(1, access(isa::AccessKind::reduction, 0x1080, 0x1100), 50);  // two
  access_for(0, access(isa::AccessKind::store, 0x1104, 0x117c), 5);
  isa::MemoryAccess elsewhere = access(isa::AccessKind::load, 0x1000, 0x1000);
  elsewhere.space = isa::Space::local;
  access_for(0, elsewhere, 1000);

  const std::vector<LineWaits> lines = contention.lines(10);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].line, 0x1100U);
  EXPECT_EQ(lines[0].waited, 55U);
  EXPECT_EQ(lines[0].longest, 50U);
  EXPECT_EQ(lines[0].atomics, 1U);
  EXPECT_EQ(lines[0].stores, 1U);
  EXPECT_THAT(lines[0].waited_by, ElementsAre(5, 50));
  EXPECT_THAT(lines[0].waiting_at, ElementsAre(Pair(0, 55)));
  EXPECT_EQ(lines[1].line, 0x1080U);
  EXPECT_EQ(lines[2].line, 0x1000U);
  EXPECT_EQ(lines[2].loads, 1U);
  EXPECT_EQ(contention.lines(1).size(), 1U);
  EXPECT_EQ(contention.instructions(10).at(0).memory_cycles, 30U + 50 + 5 + 1000);
}

TEST_F(ContentionTest, AWarpStandsFromOneIssueToTheNext) {
  const isa::Op& op = launch->context.program->op(0);
  contention.warp_started(warp(0));
  now = 10;
  contention.warp_started(warp(1));
  contention.issued(warp(0), op, 7);  // it stood 9 cycles
  now = 11;
  contention.issued(warp(0), op, 1);  // at once
  contention.issued(warp(1), op, 1);
  now = 20;
  contention.issued(warp(1), op, 1);  // 8 more

  const std::vector<InstructionUse> uses = contention.instructions(10);
  ASSERT_EQ(uses.size(), 1U);
  EXPECT_EQ(uses[0].issued, 4U);
  EXPECT_EQ(uses[0].threads, 6U);
  EXPECT_EQ(uses[0].stood, 9U + 8);
  EXPECT_EQ(uses[0].place.program->location(op), "nothing.ptx:4");
}

}  // namespace
}  // namespace syncline::platform
