// What a faulty program gets: an error that names kernel, line, CTA, warp, lane and address, or who waits where.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class FaultTest : public SmMachine {
 protected:
  static std::string kernel(const std::string& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n"
           ".visible .entry k(.param .u64 p) {\n"
           ".reg .pred %p<4>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .shared .align 4 .b8 box[64]; .local .align 4 .b8 "
           "mine[16];\n"
           "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n" +
           body + "\nret;\n}\n";
  }
  std::string fault(const std::string& body, std::uint64_t argument, unsigned threads = 64) {
    build();
    return fault_of(kernel(body), {"k", {3}, {threads}, {argument}});
  }
};

TEST_F(FaultTest, OutOfBoundsNamesTheThreadAndTheAllocation) {
  const auto p = allocate(40 * 4);
  EXPECT_THAT(
      fault("st.global.u32 [%rd3], %r1;", p),
      AllOf(HasSubstr("out-of-bounds"), HasSubstr("kernel `k`"), HasSubstr("test.ptx:7"), HasSubstr("warp 1, lane 8"),
            HasSubstr("CTA (0, 0, 0)"), HasSubstr("0x100000a0"), HasSubstr("allocation at 0x10000000")));
}

TEST_F(FaultTest, MisalignedGlobalAddress) {
  const auto p = allocate(1024);
  EXPECT_THAT(fault("ld.global.u32 %r2, [%rd3+2];", p), AllOf(HasSubstr("misaligned"), HasSubstr("lane 0")));
}

/// The valid access before leaves a region to compare with; the ends of the accesses behind it wrap to 0 or more.
class BelowZeroTest : public FaultTest, public testing::WithParamInterface<const char*> {};

TEST_P(BelowZeroTest, IsOutOfBounds) {
  const auto p = allocate(1024);
  EXPECT_THAT(fault("ld.global.u32 %r2, [%rd3]; mov.u64 %rd4, -16; mov.u64 %rd5, -4; setp.eq.u32 %p1, %r1, 5;\n"
                    "selp.b64 %rd6, %rd5, %rd3, %p1;\n" +
                        std::string(GetParam()),
                    p),
              AllOf(HasSubstr("out-of-bounds"), HasSubstr("kernel `k`"), HasSubstr("0xfffffffffffffff")));
}

INSTANTIATE_TEST_SUITE_P(Accesses, BelowZeroTest,
                         testing::Values("st.global.u32 [%rd5], %r1;", "ld.global.u32 %r3, [%rd5];",
                                         "ld.u32 %r3, [%rd5];", "atom.global.add.u32 %r3, [%rd5], 1;",
                                         "st.global.v4.u32 [%rd4], {%r1, %r1, %r1, %r1};", "st.global.u32 [%rd6], %r1;",
                                         "ld.const.u32 %r3, [%rd5];"));

TEST_F(FaultTest, PrefetchOfNothingIsDropped) {
  const auto p = allocate(1024);
  build();
  execute(kernel("mov.u64 %rd4, -4; prefetch.global.L1 [%rd4]; mov.u64 %rd4, 64; prefetch.L2 [%rd4];\n"
                 "setp.eq.u32 %p1, %r1, 0; selp.b64 %rd5, %rd3, -4, %p1; prefetch.global.L1 [%rd5];"),
          {"k", {1}, {64}, {p}});
  std::vector<std::uint64_t> lines;
  for (const auto& fake : l1s)
    for (const FakeL1::Seen& seen : fake->seen)
      if (seen.kind == models::L1Kind::prefetch) lines.push_back(seen.line);
  EXPECT_THAT(lines, testing::ElementsAre(p));
}

TEST_F(FaultTest, SharedMemoryBehindTheCta) {
  EXPECT_THAT(fault("shl.b32 %r2, %r1, 2; mov.u32 %r3, box; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;", 0),
              AllOf(HasSubstr("shared"), HasSubstr("lane 16"), HasSubstr("0x40")));
}

TEST_F(FaultTest, LocalMemoryBehindTheThread) {
  EXPECT_THAT(fault("mov.u64 %rd4, mine; st.local.u32 [%rd4+4096], %r1;", 0),
              AllOf(HasSubstr("local"), HasSubstr("lane 0")));
}

TEST_F(FaultTest, LocalMemoryBehindWhatTheKernelDeclares) {
  // A thread has what its kernel declares, not all that the SM keeps for a thread.
  EXPECT_THAT(fault("mov.u64 %rd4, mine; st.local.u32 [%rd4+16], %r1;", 0),
              AllOf(HasSubstr("local"), HasSubstr("lane 0")));
}

TEST_F(FaultTest, Trap) {
  EXPECT_THAT(fault("trap;", 0), AllOf(HasSubstr("trap"), HasSubstr("CTA (0, 0, 0)")));
}

TEST_F(FaultTest, BarrierThatHalfOfTheWarpsNeverReach) {
  const std::string message = fault("setp.gt.u32 %p1, %r1, 31; @%p1 bra on; bar.sync 1; on: bar.sync 2;", 0);
  EXPECT_THAT(message, AllOf(HasSubstr("barrier deadlock"), HasSubstr("CTA (0, 0, 0)"), HasSubstr("kernel `k`"),
                             HasSubstr("barrier 1"), HasSubstr("barrier 2"), HasSubstr("PC"), HasSubstr("0xffffffff")));
}

TEST_F(FaultTest, BarrierUnderDivergenceOfOneWarp) {
  EXPECT_THAT(fault("setp.gt.u32 %p1, %r1, 3; @%p1 bra on; bar.sync 0; on: bar.sync 1;", 0, 32),
              HasSubstr("barrier deadlock"));
}

TEST_F(FaultTest, BarrierWithDifferentCounts) {
  EXPECT_THAT(fault("setp.gt.u32 %p1, %r1, 31; @%p1 bra on; bar.sync 1, 64; bra end; on: bar.sync 1, 96; end:", 0),
              HasSubstr("barrier 1"));
}

TEST_F(FaultTest, ACtaThatNeverFitsIsAUserError) {
  build();
  EXPECT_THROW(start(kernel("bar.sync 0;"), {"k", {1}, {2048}, {0}}), base::UserError);
  EXPECT_THROW(start(kernel("bar.sync 0;"), {"k", {0}, {32}, {0}}), base::UserError);
}

}  // namespace
}  // namespace syncline::tests
