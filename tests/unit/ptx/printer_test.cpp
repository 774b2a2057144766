#include <gmock/gmock.h>

#include <fstream>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

std::string printed(const std::string& text) {
  const auto module = test::parse_kernel(text);
  return to_string(*module, *module->find_function("k"), test::first_instruction(*module));
}

/// Text that is canonical already comes back as it is.
TEST(Printer, CanonicalInstructions) {
  for (const char* text : {"@!%p1 add.s32 %s1, %s2, 3;",
                           "setp.lt.and.ftz.f32 %p1|%p2, %f1, 0f3F800000, !%p3;",
                           "ld.global.nc.v2.f32 {%f1, %f2}, [%q1+-4];",
                           "atom.acq_rel.sys.shared.cas.b32 %b1, [svar+4], 1, 2;",
                           "mov.b64 {%b1, _}, %q1;",
                           "mov.u32 %u1, %ntid.y;",
                           "mov.u32 %u1, %envreg7;",
                           "mov.u64 %q1, gvar+8;",
                           "bra.uni done;",
                           "call.uni (%b1), callee, (5);",
                           "bar.red.popc.u32 %u1, 0, 64, !%p1;",
                           "shfl.sync.bfly.b32 %b1|%p1, %b2, 16, 31, -1;",
                           "cvta.to.global.u64 %q1, %q2;",
                           "membar.gl;",
                           "fence.sc.sys;",
                           "vabsdiff4.u32.s32.u32.add %u1, %u2.b3210, %u3, %u4;",
                           "vadd.u32.u32.s32.sat %u1, %u2.b1, %u3.h0;",
                           "mov.f64 %d1, 0d3FF0000000000000;",
                           "lop3.b32 %b1, %b2, %b3, %b4, 150;",
                           "mad.wide.u32 %q1, %u1, -1, %q2;",
                           "match.all.sync.b32 %b1|%p1, %b2, -1;",
                           "prefetch.global.L2 [%q1];",
                           "barrier.sync.aligned 0;",
                           "discard.global.L2 [%q1], 128;",
                           "fence.proxy.alias;",
                           "ld.mmio.relaxed.sys.global.u32 %u1, [%q1];",
                           "ret;"}) {
    std::string want(text);
    for (const char* minus : {", -1,", ", -1;"})
      if (const std::size_t at = want.find(minus); at != std::string::npos) want.replace(at + 2, 2, "4294967295");
    EXPECT_EQ(printed(text), want);
  }
}

void expect_round_trip(const Module& module, const std::string& what) {
  const std::string text = to_string(module);
  try {
    const auto again = parse_module(text, "printed.ptx");
    EXPECT_EQ(to_string(*again), text) << what;
    ASSERT_EQ(again->functions.size(), module.functions.size()) << what;
    for (const Function& f : module.functions) {
      const Function& g = *again->find_function(f.name);
      ASSERT_EQ(f.instructions.size(), g.instructions.size()) << what;
      for (std::size_t i = 0; i < f.instructions.size(); ++i) {
        EXPECT_EQ(f.instructions[i].opcode, g.instructions[i].opcode);
        EXPECT_TRUE(f.instructions[i].mods == g.instructions[i].mods) << to_string(module, f, f.instructions[i]);
      }
    }
  } catch (const base::UserError& error) {
    ADD_FAILURE() << what << "\n" << error.what() << "\n" << text;
  }
}

TEST(Printer, EveryLegalInstructionComesBack) {
  std::ifstream in(std::string(SYNCLINE_SOURCE_DIR) + "/tests/data/ptx/legal_instructions.txt");
  std::string body;
  for (std::string line; std::getline(in, line);)
    if (line[0] != '#') body += line + "\n";
  const auto module = test::parse_kernel(body);
  ASSERT_GT(module->find_function("k")->instructions.size(), 800u);
  expect_round_trip(*module, "legal_instructions.txt");
}

TEST(Printer, ModulesComeBack) {
  expect_round_trip(*load_module_file(std::string(SYNCLINE_SOURCE_DIR) + "/tests/data/ptx/legacy_1_4.ptx"),
                    "legacy_1_4.ptx");
  expect_round_trip(*test::parse(test::header() + R"(
.file 1 "a.cu"
.func (.param .b32 r) f(.param .align 8 .b8 a[12]) { .loc 1 2 3
  ret; }
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.global .align 8 .u64 tab[3] = {f, generic(x)+8, 7};
.global .v4 .f32 x[2] = {{1.0, 2.0}, {0f3F800000}};
.global .u8 bytes[2] = {0xFF(x), 0xFF00(generic(x))};
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u32 n)
.maxntid 128
.minnctapersm 2
{
  .pragma "nounroll";
  .reg .b64 %rd<4>; .reg .b32 %r<4>; .reg .pred p1; .reg .v4 .f32 v;
  .local .align 8 .b8 depot[16];
proto: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[12]);
  { .param .b32 r; .param .align 8 .b8 a[12]; call (r), %rd1, (a), proto; call (r), f, (a); }
  { .reg .b32 t; .param .b32 r; mov.b32 t, 5; in: @p1 bra in; }
table: .branchtargets L0, L1;
  brx.idx %r1, table;
L0: ld.global.v4.f32 v, [%rd1];
L1: mov.f32 v.x, v.y;
  ret;
})"),
                    "module");
}

}  // namespace
}  // namespace syncline::isa
