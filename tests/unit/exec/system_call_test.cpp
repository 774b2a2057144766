// vprintf, malloc, free and __assertfail from device code.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::HasSubstr;

const char* const declarations = R"(
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 fn, .param .b64 c);
.global .align 1 .b8 format[27] = {116, 61, 37, 100, 32, 120, 61, 37, 46, 50, 102, 32, 37, 115,
  37, 99, 32, 37, 108, 108, 117, 37, 37, 10, 0};
.global .align 1 .b8 word[4] = {97, 98, 99, 0};
)";

TEST(SystemCall, PrintfFormatsLikeC) {
  const std::string ptx = kernel_of(R"(
  .local .align 8 .b8 buffer[40];
  mov.u64 %d1, buffer;
  cvta.local.u64 %d1, %d1;
  st.u32 [%d1], %t;
  mov.f64 %dd, 0d3FF8000000000000;
  st.f64 [%d1+8], %dd;
  mov.u64 %d2, word;
  cvta.global.u64 %d2, %d2;
  st.u64 [%d1+16], %d2;
  mov.u32 %r1, 33;
  st.u32 [%d1+24], %r1;
  mov.u64 %d3, 12345678901;
  st.u64 [%d1+32], %d3;
  mov.u64 %d4, format;
  cvta.global.u64 %d4, %d4;
  { .param .b64 f; .param .b64 a; .param .b32 r;
  st.param.b64 [f], %d4;
  st.param.b64 [a], %d1;
  call (r), vprintf, (f, a);
  ld.param.b32 %r0, [r]; }
)",
                                    declarations);
  std::string text = ptx;
  text.replace(text.find(".reg .pred"), 10, ".reg .f64 %dd; .reg .pred");
  Machine machine(text);
  const std::uint64_t out = machine.allocate(8);
  machine.run("k", {1, 1, 1}, {2, 1, 1}, out);
  EXPECT_EQ(machine.printed, "t=0 x=1.50 abc! 12345678901%\nt=1 x=1.50 abc! 12345678901%\n");
  EXPECT_THAT(machine.download<std::uint32_t>(out, 2), testing::Each(29u));
}

TEST(SystemCall, MallocAndFree) {
  const std::string body = R"(
  { .param .b64 n; .param .b64 r;
  st.param.b64 [n], 64;
  call (r), malloc, (n);
  ld.param.b64 %d1, [r]; }
  st.u32 [%d1], %t;
  ld.u32 %r0, [%d1];
  add.u64 %d1, %d1, SHIFT;
  { .param .b64 p;
  st.param.b64 [p], %d1;
  call free, (p); }
  { .param .b64 n; .param .b64 r;
  st.param.b64 [n], 1000000;
  call (r), malloc, (n);
  ld.param.b64 %d2, [r]; }
  setp.ne.u64 %p1, %d2, 0;
  @%p1 mov.u32 %r0, 77;
)";
  std::string good = body, bad = body;
  good.replace(good.find("SHIFT"), 5, "0");
  bad.replace(bad.find("SHIFT"), 5, "8");
  const auto got = results_of(good, 32, declarations);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], t);
  EXPECT_THAT(error_of([&] { results_of(bad, 32, declarations); }), HasSubstr("where no malloc result begins"));
}

TEST(SystemCall, FailedAssertionIsAFault) {
  EXPECT_THAT(
      error_of([] {
        results_of(R"(
  setp.ne.u32 %p1, %t, 3;
  @%p1 bra STORE;
  mov.u64 %d1, word;
  cvta.global.u64 %d1, %d1;
  { .param .b64 m; .param .b64 f; .param .b32 l; .param .b64 fn; .param .b64 c;
  st.param.b64 [m], %d1; st.param.b64 [f], %d1; st.param.b32 [l], 42; st.param.b64 [fn], %d1; st.param.b64 [c], 1;
  call __assertfail, (m, f, l, fn, c); }
)",
                   32, declarations);
      }),
      HasSubstr("assertion `abc` failed at abc:42 in `abc` by thread (3, 0, 0) (warp 0, lane 3) of CTA (0, 0, 0)"));
}

TEST(SystemCall, StringsThatCannotBeReadAreFaults) {
  EXPECT_THAT(error_of([] {
                results_of(
                    "  { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], 16; st.param.b64 [a], 0; "
                    "call (r), vprintf, (f, a); }\n",
                    32, declarations);
              }),
              AllOf(HasSubstr("lane 0 passes a printf format at 0x10, which cannot be read (thread (0, 0, 0) "),
                    HasSubstr("in kernel `k`): test.ptx:")));
  EXPECT_THAT(error_of([] {
                results_of(
                    "  mov.u64 %d1, format; cvta.global.u64 %d1, %d1; { .param .b64 f; .param .b64 a; .param .b32 r; "
                    "st.param.b64 [f], %d1; st.param.b64 [a], 0; call (r), vprintf, (f, a); }\n",
                    32, declarations);
              }),
              HasSubstr("lane 0 passes printf arguments at 0x0, which cannot be read"));
}

/// Memory that holds one string behind another, all at their offset.
class Strings final : public isa::LaneMemory {
 public:
  explicit Strings(std::string text) : text_(std::move(text)) {}
  bool read(unsigned, std::uint64_t address, void* to, std::size_t bytes) override {
    if (address + bytes > text_.size()) return false;
    std::memcpy(to, text_.data() + address, bytes);
    return true;
  }

 private:
  std::string text_;
};

/// What vprintf makes of a format with the number 7, or whatever `arguments` holds, behind it.
std::string formatted(std::string format, std::string arguments = {"\7\0\0\0\0\0\0\0", 8}) {
  format += std::string(8 - format.size() % 8, '\0');
  const std::uint64_t behind = format.size();
  Strings memory(format + arguments);
  return isa::format_printf(memory, 0, 0, behind);
}

TEST(SystemCall, WidthsAndPrecisionsOfAPrintfHaveALimit) {
  EXPECT_EQ(formatted("%.3d|"), "007|");
  EXPECT_EQ(formatted("%.3f|", {"\0\0\0\0\0\0\xf8\x3f", 8}), "1.500|");
  EXPECT_EQ(formatted("%1048576d").size(), 1048576u);
  for (const char* format : {"%1048577d", "%.1048577d", "%.1048577f", "%01048577x", "%1048577s"})
    EXPECT_EQ(error_of([&] { formatted(format); }),
              "`" + std::string(format) + "` of a printf makes 1048577 characters, the limit is 1048576");
  EXPECT_THAT(error_of([] { formatted("%.2147483647f"); }), HasSubstr("`%.2147483647f` of a printf makes 2147483647 "));
  EXPECT_THAT(error_of([] { formatted("%" + std::string(5000, '9') + "d"); }), HasSubstr("the limit is 1048576"));
  EXPECT_THAT(error_of([] {
                formatted("%*d", {"\0\0\0\x40\1\0\0\0", 8});
              }),
              HasSubstr("`%1073741824d` of a printf makes 1073741824 characters"));
  EXPECT_THAT(error_of([] {
                formatted("%*d", {"\0\0\0\x80\1\0\0\0", 8});
              }),
              HasSubstr("`%-2147483648d` of a printf makes 2147483648 characters"));
  // The text as a whole: each number alone is within the limit.
  EXPECT_THAT(error_of([] {
                formatted("%600000d%600000d", {"\1\0\0\0\2\0\0\0", 8});
              }),
              HasSubstr("the text of a printf makes 1200000 characters, the limit is 1048576"));
}

TEST(SystemCall, FieldsOfAPrintfHaveALimit) {
  const std::string wide = std::string(declarations) +  // "%9999999d"
                           ".global .align 1 .b8 wide[10] = {37, 57, 57, 57, 57, 57, 57, 57, 100, 0};\n";
  EXPECT_THAT(error_of([&] {
                results_of(
                    "  mov.u64 %d1, wide; cvta.global.u64 %d1, %d1; { .param .b64 f; .param .b64 a; .param .b32 r; "
                    "st.param.b64 [f], %d1; st.param.b64 [a], %d1; call (r), vprintf, (f, a); }\n",
                    32, wide.c_str());
              }),
              HasSubstr("`%9999999d` of a printf makes 9999999 characters, the limit is 1048576"));
}

}  // namespace
}  // namespace syncline::test
