// Errors that name what is near, and what is not supported.
#include <gmock/gmock.h>

#include "isa/ptx/unsupported.h"
#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::kernel_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(Message, UnknownOpcodesNameTheNearest) {
  EXPECT_EQ(kernel_error("\n  ad.s32 %s1, %s2, %s3;"),
            "test.ptx:21:3: error: unknown opcode `ad`; did you mean `add`?");
  EXPECT_EQ(kernel_error("xyzzyplugh;"), "test.ptx:20:1: error: unknown opcode `xyzzyplugh`");
}

TEST(Message, UnsupportedOpcodesSaySo) {
  for (const char* text :
       {"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [t, {%f1, %f2}];", "tld4.r.2d.v4.f32.f32 {%f1}, [t];",
        "txq.width.b32 %b1, [t];", "suld.b.2d.b32.trap %b1, [s, {%b1, %b2}];", "sust.b.1d.b32.trap [s, {%b1}], %b2;",
        "sured.b.add.2d.u32.trap [s], %b1;", "suq.width.b32 %b1, [s];",
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%b1}, [%q1];",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1}, {%b1}, {%b2}, {%f2};",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%b1}, [%b2];", "cp.async.cg.shared.global [%b1], [%q1], 16;",
        "mbarrier.init.shared.b64 [%b1], 1;", "mapa.u64 %q1, %q2, %b1;", "wgmma.fence.sync.aligned;",
        "griddepcontrol.wait;", "setmaxnreg.inc.sync.aligned.u32 64;",
        "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%b1], {%b2};", "multimem.ld_reduce.global.add.f32 %f1, [%q1];"}) {
    const std::string opcode(text, std::string(text).find('.'));
    EXPECT_THAT(kernel_error(text),
                AllOf(HasSubstr("test.ptx:20:1: error: opcode `" + opcode + "` is not supported yet: ")))
        << text;
  }
}

TEST(Message, UnsupportedIsDisjointFromSupported) {
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count_); ++i)
    EXPECT_TRUE(unsupported_reason(name(static_cast<Opcode>(i))).empty()) << name(static_cast<Opcode>(i));
}

TEST(Message, MissingFile) {
  EXPECT_THROW(load_module_file("/nonexistent/x.ptx"), base::UserError);
  try {
    load_module_file("/nonexistent/x.ptx");
  } catch (const base::UserError& error) {
    EXPECT_STREQ(error.what(), "/nonexistent/x.ptx: error: the PTX file cannot be read: no such file");
    EXPECT_EQ(error.status(), base::ExitStatus::user_error);
  }
}

TEST(Message, TruncatedAnywhereIsACleanError) {
  const std::string whole = test::kernel(
      "{ .reg .b32 t; @%p1 ld.global.v2.f32 {%f1, _}, [%q1+-4]; }\n t: .branchtargets done; brx.idx %u1, t; call "
      "(%b1), callee, (5);");
  for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
    try {
      test::parse(whole.substr(0, length));
      // What ends between two statements of the module is a module.
      EXPECT_TRUE(whole[length - 1] == ';' || whole[length - 1] == '\n' || length < 80) << length;
    } catch (const base::UserError& error) {
      EXPECT_GT(error.where().line, 0u) << length;
    }
  }
}

}  // namespace
}  // namespace syncline::isa
