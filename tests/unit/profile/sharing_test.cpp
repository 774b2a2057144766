// What CTAs share, of kernels whose accesses can be counted by hand.
#include "tests/unit/profile/profile_fixture.h"

namespace syncline::platform {
namespace {

using tests::ProfileTest;

/// Lines private, shared read-only, shared read-write.
std::array<std::uint64_t, 3> lines_of(const LineTotals& lines) {
  return {lines.lines(LineSharing::private_), lines.lines(LineSharing::read_only),
          lines.lines(LineSharing::read_write)};
}

/// Loads, stores, atomics.
std::array<std::uint64_t, 3> accesses_of(const LineTotals& lines, LineSharing sharing) {
  return lines.accesses(sharing).by_use;
}

using Three = std::array<std::uint64_t, 3>;

/// %d1: the thread's word of line `%c` (own) or of line 0 (common).
const char* const own =
    "  mul.wide.u32 %d1, %c, 128; mul.wide.u32 %d2, %t, 4; add.s64 %d1, %d1, %d2; add.s64 %d1, %d1, %at;\n";
const char* const common = "  mul.wide.u32 %d1, %t, 4; add.s64 %d1, %d1, %at;\n";
/// Words of line 0, 16 to each CTA.
const char* const halves =
    "  mul.wide.u32 %d1, %c, 64; mul.wide.u32 %d2, %t, 4; add.s64 %d1, %d1, %d2; add.s64 %d1, %d1, %at;\n";

class SharingTest : public ProfileTest {};

TEST_F(SharingTest, LinesOfTheirOwn) {
  run(own + std::string("  ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1;"), 3, 32);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(lines_of(lines), (Three{3, 0, 0}));
  EXPECT_EQ(accesses_of(lines, LineSharing::private_), (Three{3, 3, 0}));
  EXPECT_EQ(lines.accesses().all(), 6U);
  EXPECT_EQ(lines.touches(), 3U) << "each line by one CTA";
  EXPECT_EQ(lines.shared_uses(), 0U);
  EXPECT_EQ(lines.most_sharers(), 0U);
}

TEST_F(SharingTest, ALineThatAllRead) {
  run(common + std::string("  ld.global.u32 %r1, [%d1];"), 2, 32);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(lines_of(lines), (Three{0, 1, 0}));
  EXPECT_EQ(accesses_of(lines, LineSharing::read_only), (Three{2, 0, 0}));
  EXPECT_EQ(lines.lines().all, 1U);
  EXPECT_EQ(lines.lines().written, 0U);
  EXPECT_EQ(lines.bytes().read, 128U);
  EXPECT_EQ(lines.sharers(), 2U);
  EXPECT_EQ(lines.lines_with_shared_bytes(), 0U) << "nobody writes them";
}

TEST_F(SharingTest, ALineThatAllReadAndOneStoresTo) {
  run(common + std::string("  ld.global.u32 %r1, [%d1]; setp.eq.u32 %p1, %c, 1; @%p1 st.global.u32 [%d1], %r1;"), 3,
      32);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(lines_of(lines), (Three{0, 0, 1}));
  EXPECT_EQ(accesses_of(lines, LineSharing::read_write), (Three{3, 1, 0}));
  EXPECT_EQ(lines.lines_with_shared_bytes(), 1U);
  EXPECT_EQ(lines.lines_of_several_writers(), 0U);
  EXPECT_EQ(lines.most_sharers(), 3U);
  EXPECT_EQ(total().mix.without_lanes(), 2U) << "the stores of the other two";
}

TEST_F(SharingTest, NeighboursThatMeetInALineOnly) {
  run(halves + std::string("  st.global.u32 [%d1], %t;"), 2, 16);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(lines_of(lines), (Three{0, 0, 1}));
  EXPECT_EQ(lines.lines_with_shared_bytes(), 0U);
  EXPECT_EQ(lines.lines_of_several_writers(), 1U);
  EXPECT_EQ(lines.bytes().written, 128U);
}

TEST_F(SharingTest, ABytesReaderAndItsWriterNeedNotBeTheFirstThatComes) {
  // CTA 0 reads the first half, CTA 1 writes the second, CTA 2 reads it.
  run(std::string("  min.u32 %r1, %c, 1; mul.wide.u32 %d1, %r1, 64; mul.wide.u32 %d2, %t, 4;\n"
                  "  add.s64 %d1, %d1, %d2; add.s64 %d1, %d1, %at; setp.eq.u32 %p1, %c, 1;\n"
                  "  @%p1 st.global.u32 [%d1], %t; @!%p1 ld.global.u32 %r2, [%d1];"),
      3, 16);
  EXPECT_EQ(total().lines.lines_with_shared_bytes(), 1U);
  EXPECT_EQ(total().lines.sharers(), 3U);
}

/// CTA `cta` executes one instruction on words of line 0: "ld 8" word 8, "st 0..31" a word of each lane.
std::string of_cta(unsigned cta, const std::string& what) {
  const bool all = what.find("..") != std::string::npos;
  const std::string at = all ? "[%d1]" : "[%at+" + std::to_string(4 * std::stoi(what.substr(3))) + "]";
  return "  setp.eq.u32 %p1, %c, " + std::to_string(cta) + "; @%p1 " +
         (what.rfind("ld", 0) == 0 ? "ld.global.u32 %r1, " + at : "st.global.u32 " + at + ", %t") + ";\n";
}

TEST_F(SharingTest, ACtaSharesNoByteWithItself) {
  run(halves + std::string("  st.global.u32 [%d1], %t; ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %t;"), 2, 16);
  EXPECT_EQ(lines_of(total().lines), (Three{0, 0, 1}));
  EXPECT_EQ(total().lines.lines_with_shared_bytes(), 0U);
}

TEST_F(SharingTest, AByteThatIsSharedAndAnotherThatIsWritten) {
  run(common + of_cta(0, "ld 0") + of_cta(1, "ld 0") + of_cta(1, "st 8"), 2, 32);
  EXPECT_EQ(lines_of(total().lines), (Three{0, 0, 1}));
  EXPECT_EQ(total().lines.lines_with_shared_bytes(), 0U);
}

TEST_F(SharingTest, AnAccessOfBytesOfWhichSomeAreSharedAlready) {
  run(common + of_cta(0, "ld 0") + of_cta(0, "st 8") + of_cta(1, "ld 0") + of_cta(1, "ld 0..31"), 2, 32);
  EXPECT_EQ(total().lines.lines_with_shared_bytes(), 1U) << "word 8";
}

TEST_F(SharingTest, WhatOneLaunchDidALaterOneDoesNotUndo) {
  const std::string body = common + std::string("  ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1;");
  for (const unsigned ctas : {3U, 2U, 1U}) run(body, ctas, 32);
  run(common + std::string("  st.global.u32 [%d1], %t;"), 1, 32);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(lines_of(lines), (Three{0, 0, 1}));
  EXPECT_EQ(lines.lines_with_shared_bytes(), 1U);
  EXPECT_EQ(lines.lines_of_several_writers(), 1U);
  EXPECT_EQ(lines.lines_handed_on(), 1U);
  EXPECT_EQ(lines.most_sharers(), 3U);
  EXPECT_EQ(lines.sharers(), 5U) << "three and two";
  EXPECT_EQ(lines.shared_uses(), 2U);
  EXPECT_EQ(lines.touches(), 7U);
}

TEST_F(SharingTest, AtomicsReadAndWrite) {
  run("  atom.global.add.u32 %r1, [%at], 1; red.global.add.u32 [%at+4], 1;", 2, 32);
  const LineTotals& lines = total().lines;
  EXPECT_EQ(accesses_of(lines, LineSharing::read_write), (Three{0, 0, 4}));
  EXPECT_EQ(lines.lines_with_shared_bytes(), 1U);
  EXPECT_EQ(lines.lines_of_several_writers(), 1U);
  EXPECT_EQ(lines.bytes().both, 8U);
  EXPECT_EQ(lines.bytes().all, 8U);
}

TEST_F(SharingTest, CtasThatTakeTurnsAreCountedOnce) {
  // Each CTA waits for the other, so that both are under way; each comes back to the line.
  run("  setp.ne.u32 %p1, %t, 0; @%p1 bra DONE;\n  atom.global.add.u32 %r1, [%at], 1;\n"
      "WAIT: ld.volatile.global.u32 %r2, [%at]; setp.lt.u32 %p2, %r2, 2; @%p2 bra WAIT;\n"
      "  ld.volatile.global.u32 %r2, [%at];\nDONE:",
      2, 32);
  EXPECT_EQ(total().lines.sharers(), 2U);
  EXPECT_EQ(total().lines.touches(), 2U);
  EXPECT_EQ(total().lines.shared_uses(), 1U);
}

TEST_F(SharingTest, LaunchesDoNotShareWithEachOther) {
  const std::string body = common + std::string("  ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1;");
  run(body, 1, 32);
  EXPECT_EQ(total().lines.lines_handed_on(), 0U);
  run(body, 1, 32);
  EXPECT_EQ(lines_of(total().lines), (Three{1, 0, 0}));
  EXPECT_EQ(total().lines.lines_handed_on(), 1U) << "the second reads what the first stored";
}

TEST_F(SharingTest, WhatALaunchOverwritesIsNotHandedOn) {
  run(common + std::string("  st.global.u32 [%d1], %t;"), 1, 32);
  run(common + std::string("  st.global.u32 [%d1], %t; ld.global.u32 %r1, [%d1];"), 1, 32);
  EXPECT_EQ(total().lines.lines_handed_on(), 0U);
  run("  ld.global.u32 %r1, [%at+128];", 1, 32);
  EXPECT_EQ(total().lines.lines_handed_on(), 0U) << "another line";
}

TEST_F(SharingTest, OfAllLaunchesTheStrongestSharingCounts) {
  const KernelHandle read = load(kernel(common + std::string("  ld.global.u32 %r1, [%d1];")));
  launch(read, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(lines_of(total().lines), (Three{1, 0, 0}));
  launch(read, {2, 1, 1}, {32, 1, 1});
  EXPECT_EQ(lines_of(total().lines), (Three{0, 1, 0}));
  launch(read, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(lines_of(total().lines), (Three{0, 1, 0}));
  EXPECT_EQ(accesses_of(total().lines, LineSharing::private_), (Three{2, 0, 0})) << "by how the launch shared it";
  EXPECT_EQ(accesses_of(total().lines, LineSharing::read_only), (Three{2, 0, 0}));
}

TEST_F(SharingTest, CtasAreToldApartInAllDimensions) {
  const KernelHandle read = load(kernel(common + std::string("  ld.global.u32 %r1, [%d1];")));
  launch(read, {2, 3, 2}, {32, 1, 1});
  EXPECT_EQ(total().lines.most_sharers(), 12U);
}

TEST_F(SharingTest, PrefetchesTouchNothing) {
  run("  prefetch.global.L1 [%at];", 2, 32);
  EXPECT_EQ(total().lines.lines().all, 0U);
  EXPECT_EQ(total().mix.of(InstructionKind::prefetch).warp, 2U);
  EXPECT_EQ(total().mix.accesses(isa::Semantics::weak), 0U);
  EXPECT_EQ(total().global[0].instructions, 0U);
}

class SmallLinesTest : public ProfileTest {
 protected:
  static ProfiledMachine machine() {
    ProfiledMachine small = tests::small_machine();
    small.line_bytes = 32;
    return small;
  }
  SmallLinesTest() : ProfileTest(machine()) {}
};

TEST_F(SmallLinesTest, LinesAreThoseOfTheMachine) {
  run(halves + std::string("  st.global.u32 [%d1], %t;"), 2, 16);
  EXPECT_EQ(lines_of(total().lines), (Three{4, 0, 0})) << "no line of 32 bytes is stored to by both";
  EXPECT_EQ(total().global[1].lines, 4U);
}

class SegmentsTest : public ProfileTest {
 protected:
  static ProfiledMachine machine() {
    ProfiledMachine small = tests::small_machine();
    small.coalescer.segment_bytes = 32;
    return small;
  }
  SegmentsTest() : ProfileTest(machine()) {}
};

TEST_F(SegmentsTest, AccessesAreThoseOfTheCoalescer) {
  run(common + std::string("  ld.global.u32 %r1, [%d1];"), 1, 32);
  EXPECT_EQ(total().lines.lines().all, 1U);
  EXPECT_EQ(total().lines.accesses().all(), 4U) << "a line in segments of 32 bytes";
}

}  // namespace
}  // namespace syncline::platform
