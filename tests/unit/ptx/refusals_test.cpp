// All that a file asks for and does not get is told in one go.
#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::error_of;
using test::header;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Refusals, AreToldWithTheMistakeThatEndsTheReading) {
  EXPECT_EQ(error_of(header() + R"(.entry k() {
  .reg .b32 r; .reg .f32 f;
  wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {r}, [r];
  mov.b32 r, 1;
  tex.1d.v4.f32.s32 {f, f, f, f}, [t, {r}];
  @p tex.1d.v4.f32.s32 {f, f, f, f}, [t, {r}];
  fma.u32 r, r, r, r;
})"),
            "test.ptx:6:3: error: opcode `wmma` is not supported yet: matrix instructions are not supported yet; use "
            "`fma` or `dp4a`\n"
            "  2 statements of this file do not run here:\n"
            "  line 6: `wmma.load.a.sync.aligned.row.m16n16k16.global.f16`\n"
            "  line 8: `tex.1d.v4.f32.s32`: textures are not supported yet; read the data by `ld.global.nc`\n"
            "  the text was read up to line 9: `p` is not declared; did you mean `r`?");
}

TEST(Refusals, AreListedWithTheirFirstLines) {
  EXPECT_EQ(error_of(header() + R"(.entry k() {
  .reg .b32 r; .reg .f32 f; .reg .pred p;
  tex.1d.v4.f32.s32 {f, f, f, f}, [t, {r}];
  @p tex.1d.v4.f32.s32 {f, f, f, f}, [t, {r}];
  fma.u32 r, r, r, r;
  min.NaN.f32 f, f, f;
}
.func g() { .reg .f32 f; .reg .b32 r;
  min.NaN.f32 f, f, f;
  ads.u32 r, r, r;
  add.s32.foo r, r, r;
  wmma.mma.sync r
}
.func h() { .reg .b32 r;
  mma.sync r, {r, r}
})"),
            "test.ptx:6:3: error: opcode `tex` is not supported yet: textures are not supported yet; read the data by "
            "`ld.global.nc`\n"
            "  9 statements of this file do not run here:\n"
            "  line 6: `tex.1d.v4.f32.s32` (2 times)\n"
            "  line 8: `fma.u32`: there is no such form; the nearest forms are fma(.rn|.rz|.rm|.rp){.ftz}{.sat}.f32, "
            "fma(.rn|.rz|.rm|.rp){.ftz}.f32x2, fma(.rn|.rz|.rm|.rp).f64\n"
            "  line 9: `min.NaN.f32` (2 times): needs sm_80 or higher, the module declares .target sm_70\n"
            "  line 13: `ads.u32`: unknown opcode `ads`; did you mean `abs`?\n"
            "  line 14: `add.s32.foo`: unknown or unsupported modifier `.foo`; the nearest forms are "
            "add(.u16|.u32|.u64|.s16|.s32|.s64|.u16x2|.s16x2|.u8x4|.s8x4), "
            "add.sat(.u32|.s32|.u16x2|.s16x2|.u8x4|.s8x4), add.cc(.u32|.s32|.u64|.s64)\n"
            "  line 15: `wmma.mma.sync`: matrix instructions are not supported yet; use `fma` or `dp4a`\n"
            "  line 18: `mma.sync`: matrix instructions are not supported yet; use `fma` or `dp4a`");
}

TEST(Refusals, OneAloneIsOneLine) {
  EXPECT_EQ(test::kernel_error("min.NaN.f16 %h1, %h1, %h1, 5;\n").find('\n'), std::string::npos);
  EXPECT_THAT(test::kernel_error("wgmma.fence.sync.aligned;"), Not(HasSubstr("\n")));
}

/// Names of what cannot be declared stay known, so that nothing is told that follows from it.
TEST(Refusals, DeclarationsToo) {
  const std::string error = error_of(header() + R"(.global .texref image = { addr_mode_0 = wrap, filter_mode = linear };
.global .samplerref how;
.tex .u32 old;
.visible .entry k(.param .u64 .surfref target, .param .texref other) .reqnctapercluster 2, 1 .explicitcluster .maxntid 32
{
  .reg .u64 r;
  mov.u64 r, image;
  mov.u64 r, old;
  ld.param.u64 r, [other];
  suld.b.2d.b32.trap r, [target, {r, r}];
})");
  EXPECT_THAT(error, HasSubstr("test.ptx:4:9: error: `.texref`: textures and surfaces are not supported yet\n"
                               "  8 statements of this file do not run here:\n"
                               "  line 4: `.texref` (2 times)\n"
                               "  line 5: `.samplerref`: textures and surfaces are not supported yet\n"
                               "  line 6: `.tex`: textures and surfaces are not supported yet\n"
                               "  line 7: `.surfref`: textures and surfaces are not supported yet\n"
                               "  line 7: `.reqnctapercluster`: thread block clusters are not supported yet\n"
                               "  line 7: `.explicitcluster`: thread block clusters are not supported yet\n"
                               "  line 13: `suld.b.2d.b32.trap`: surfaces are not supported yet"));
  EXPECT_THAT(error, Not(HasSubstr("read up to")));
}

TEST(Refusals, AnotherMistakeBeforeThemComesAlone) {
  EXPECT_EQ(test::kernel_error("mov.u32 %u1, %u99;\nmma.sync;"), "test.ptx:20:14: error: `%u99` is not declared");
}

TEST(Refusals, ManyKindsAreCounted) {
  std::string body;
  for (int n = 0; n < 100; ++n) body += "mma.sync.m" + std::to_string(n) + ";\n";
  EXPECT_THAT(test::kernel_error(body), AllOf(HasSubstr("100 statements"), HasSubstr("line 59: `mma.sync.m39`"),
                                              HasSubstr("... and 60 more"), Not(HasSubstr("`mma.sync.m40`"))));
  for (int n = 100; n < 5000; ++n) body += "mma.sync.m" + std::to_string(n) + ";\n";
  EXPECT_THAT(test::kernel_error(body + "mov.u32 %u99, 1;"),
              AllOf(HasSubstr("1040 statements"), HasSubstr("... and 1000 more; the rest was not read"),
                    Not(HasSubstr("read up to"))));
}

}  // namespace
}  // namespace syncline::isa
