// The profile as text and as JSON.
#include <gmock/gmock.h>

#include <sstream>

#include "platform/profile/profile_report.h"
#include "platform/profile/text_table.h"
#include "tests/unit/profile/profile_fixture.h"

namespace syncline::platform {
namespace {

using testing::HasSubstr;
using testing::Not;
using tests::ProfileTest;

TEST(TextTable, ColumnsAreAsWideAsTheyMustBe) {
  TextTable table({"kernel", "n", "lines"});
  table.add({"a", "12345", ""});
  table.add({"longest", "1", "2"});
  EXPECT_EQ(table.text(),
            "  kernel       n  lines\n"
            "  a        12345\n"
            "  longest      1      2\n");
}

TEST(TextTable, NumbersInSixCharacters) {
  EXPECT_EQ(short_number(0), "0");
  EXPECT_EQ(short_number(99'999), "99999");
  EXPECT_EQ(short_number(100'000), "100.0k");
  EXPECT_EQ(short_number(999'949), "999.9k");
  EXPECT_EQ(short_number(999'950), "1.000M");
  EXPECT_EQ(short_number(12'345'678), "12.35M");
  EXPECT_EQ(short_number(9'999'600'000), "10.00G");
  EXPECT_EQ(short_number(~std::uint64_t{0}), "18.45E");
}

TEST(TextTable, SharesAndMeans) {
  EXPECT_EQ(percent(1, 0), "-");
  EXPECT_EQ(percent(0, 5), "0");
  EXPECT_EQ(percent(1, 3000), "<0.1");
  EXPECT_EQ(percent(1, 3), "33.3");
  EXPECT_EQ(percent(3, 3), "100.0");
  EXPECT_EQ(mean(0, 0), "-");
  EXPECT_EQ(mean(7, 2), "3.5");
  EXPECT_EQ(mean(1e6, 1), "1.000M");
  EXPECT_EQ(mean(9999.96, 1), "10000");
}

TEST(TextTable, NamesAndLines) {
  EXPECT_EQ(short_name("abcd", 4), "abcd");
  EXPECT_EQ(short_name("abcde", 4), "abc~");
  EXPECT_EQ(wrapped("one two  three", 7), "one two\nthree\n");
  EXPECT_EQ(wrapped("", 7), "");
}

class ReportTest : public ProfileTest {
 protected:
  std::string text() const { return profile_text(profile()); }
  /// The line of a table that has the caption.
  static std::string row_below(const std::string& text, const std::string& caption, const std::string& kernel) {
    std::istringstream in(text.substr(text.find(caption)));
    std::string line;
    while (std::getline(in, line) && line.rfind("  " + kernel + " ", 0) != 0) continue;
    std::istringstream words(line);
    std::string all, word;
    while (words >> word) all += (all.empty() ? "" : " ") + word;
    return all;
  }
};

TEST_F(ReportTest, NothingWasLaunched) {
  EXPECT_EQ(text(), "no kernel was launched\n");
  EXPECT_EQ(profile_json(profile()).at("total").at("launches"), 0);
}

TEST_F(ReportTest, OneKernelHasNoSum) {
  run("  ld.global.u32 %r1, [%at];", 2, 32);
  EXPECT_THAT(text(), Not(HasSubstr("total")));
}

TEST_F(ReportTest, TheTablesOfAKernel) {
  // Two CTAs; both load word 0 of the common line, and one of them stores to it.
  run("  ld.global.u32 %r1, [%at]; setp.eq.u32 %p1, %c, 0; @%p1 st.global.u32 [%at], %t; bar.sync 0;\n"
      "  @%p1 bra END; add.u32 %r1, %t, 1;\nEND:",
      2, 32);
  const std::string all = text();
  EXPECT_THAT(all, HasSubstr("small: 2 SMs of 4 warps, 32 lanes a warp, lines of 128 bytes\n"));
  // launches, extents, grid, block, registers, shared, local
  EXPECT_THAT(row_below(all, "launches:", "k"), testing::MatchesRegex("k 1 1 2 32 [0-9]+ 0 0"));
  // CTAs, warps, at once, fill, limited by, mean, longest, busy: 9 instructions, and 10 of the CTA that does not jump
  EXPECT_EQ(row_below(all, "warps:", "k"), "k 2 2 2 25.0 the grid 9.5 10.0 1.9");
  // lines, read, written, both, bytes, read, written, both, handed on
  EXPECT_EQ(row_below(all, "footprint:", "k"), "k 1 1 1 1 4 4 4 4 0");
  // private, ro, rw, same byte, writers, CTAs, most, reuse
  EXPECT_EQ(row_below(all, "sharing:", "k"), "k 0 0 1 1 0 2.0 2 1.5");
  // accesses, loads, stores, atomics, ro, rw, of rw
  EXPECT_EQ(row_below(all, "line accesses,", "k"), "k 3 66.7 33.3 0 0 100.0 66.7 33.3 0");
  // lanes and lines of loads, stores, atomics; most, strong, nc
  EXPECT_EQ(row_below(all, "instructions that access", "k"), "k 32.0 1.0 32.0 1.0 - - 1 0 0");
  // instructions, lanes (a store and a branch without any), load, store, ..., param, fence, barrier
  EXPECT_EQ(row_below(all, "instructions: of warps", "k"), "k 19 28.6 10.5 10.5 0 0 0 0 10.5 0 10.5");
  // branch, diverge, call, lanes, int
  EXPECT_EQ(row_below(all, "the other instructions", "k"), "k 10.5 0 10.5 0 36.8 0 0 0 0 0 0 0");
}

TEST_F(ReportTest, NoLineIsLongerThanAPage) {
  const std::string name = "a_kernel_whose_name_is_longer_than_any_that_one_would_like_to_see_in_a_table";
  const std::string body =
      "  mul.wide.u32 %d1, %t, 128; add.s64 %d1, %d1, %at; ld.volatile.global.u32 %r1, [%d1]; st.global.u32 [%at], "
      "%t;\n"
      "  atom.global.add.u32 %r1, [%d1], 1; div.rn.f32 %f1, %f2, %f3; div.u32 %r1, %t, 3; sin.approx.f32 %f1, %f2;\n"
      "  add.f32 %f1, %f1, %f2; add.f64 %e1, %e2, %e3; setp.lt.u32 %p1, %t, 3; bar.sync 0; @%p1 bra END; membar.gl;\n"
      "  .shared .b8 s[512]; st.shared.u32 [s], %t; .local .b8 l[512]; st.local.u32 [l+500], %t;\nEND:";
  const KernelHandle handle = load(kernel(body, name), name);
  for (unsigned n = 0; n < 3; ++n) launch(handle, {100, 7, 1}, {16, 8, 1});
  run(body, 1234, 32);
  EXPECT_THAT(text(), HasSubstr("a_kernel_whose_n~"));
  std::istringstream in(text());
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(ReportTest, JsonHasTheWholeNameAndAllKinds) {
  run("  ld.global.u32 %r1, [%at]; atom.acquire.gpu.global.add.u32 %r1, [%at], 1;", 2, 32);
  const nlohmann::ordered_json json = profile_json(profile());
  const auto& k = json.at("kernels").at(0);
  EXPECT_EQ(k.at("kernel"), "k");
  EXPECT_EQ(k.at("shapes").at(0).at("grid"), (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(k.at("shapes").at(0).at("limited_by"), "the grid");
  EXPECT_EQ(k.at("shapes").at(0).at("an_sm_is_limited_by"), "warps");
  EXPECT_EQ(k.at("instructions").size(), instruction_kinds);
  EXPECT_EQ(k.at("instructions").at("global_load").at("thread"), 64);
  EXPECT_EQ(k.at("sharing").at("read_write").at("atomics"), 2);
  EXPECT_EQ(k.at("sharing").at("read_write").at("loads"), 2);
  EXPECT_EQ(k.at("footprint").at("bytes").at("both"), 4);
  EXPECT_EQ(k.at("global_accesses").at("ordering").at("atomics").at("acquire"), 2);
  EXPECT_EQ(k.at("warp_instructions"), json.at("total").at("warp_instructions"));
  EXPECT_EQ(json.at("machine").at("warp_contexts"), 8);
}

}  // namespace
}  // namespace syncline::platform
