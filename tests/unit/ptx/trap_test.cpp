// Things that real files contain and that are easy to miss, each with its own test.
#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::header;

const Function& k(const Module& module) {
  return *module.find_function("k");
}

TEST(Trap, CallOverSeveralLinesInScopesThatRepeatNames) {
  const auto module = test::parse(header() + R"(
.func (.param .b32 func_retval0) f(.param .b32 a, .param .b64 b);
.visible .entry k()
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  { // callseq 0, 0
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  st.param.b32 [param0+0], %r1;
  .param .b64 param1;
  st.param.b64 [param1+0], %rd1;
  .param .b32 retval0;
  call.uni (retval0),
  f,
  (
  param0,
  param1
  );
  ld.param.b32 %r2, [retval0+0];
  } // callseq 0
  {
  .reg .b32 temp_param_reg;
  .param .b32 param0;
  .param .b64 param1;
  .param .b32 retval0;
  call.uni (retval0), f, (param0, param1);
  ld.param.b32 %r3, [retval0];
  }
  ret;
})");
  const Function& f = k(*module);
  ASSERT_EQ(f.variables.size(), 6u);
  const Instruction& first = f.instructions[2];
  const Instruction& second = f.instructions[4];
  ASSERT_EQ(first.opcode, Opcode::call);
  ASSERT_EQ(second.opcode, Opcode::call);
  EXPECT_EQ(first.operands[2].elements[0].symbol.index, 0u);
  EXPECT_EQ(second.operands[2].elements[0].symbol.index, 3u);
  EXPECT_NE(f.variables[0].name, f.variables[3].name);
}

TEST(Trap, LocalDepotIsUsedThroughGenericAddresses) {
  const auto module = test::parse(header() + R"(
.visible .entry k()
{
  .local .align 8 .b8 __local_depot0[16];
  .reg .b64 %SP;
  .reg .b64 %SPL;
  .reg .b32 %r<2>;
  mov.u64 %SPL, __local_depot0;
  cvta.local.u64 %SP, %SPL;
  st.u32 [%SP+4], %r1;
  ret;
})");
  EXPECT_EQ(k(*module).instructions[0].operands[1].kind, OperandKind::symbol);
  EXPECT_EQ(k(*module).instructions[1].mods.space, Space::local);
  EXPECT_EQ(k(*module).instructions[2].mods.space, Space::none);
}

TEST(Trap, AddressOfAKernelParameter) {
  const auto module = test::parse_kernel("mov.b64 %q1, p0; ld.param.u64 %q2, [%q1+8];");
  EXPECT_EQ(k(*module).instructions[0].operands[1].symbol.kind, SymbolKind::parameter);
  EXPECT_EQ(k(*module).instructions[1].operands[1].offset, 8);
}

TEST(Trap, StructsAndNarrowParameters) {
  const auto module = test::parse(header() +
                                  ".entry k(.param .align 8 .b8 s[56], .param .u8 a, .param .s8 b, .param .u16 c)\n"
                                  "{ .reg .b16 %rs<4>; .reg .b64 %rd1; ld.param.s8 %rs1, [b]; ld.param.u8 %rs2, [a]; "
                                  "ld.param.u64 %rd1, [s+48]; ret; }");
  EXPECT_EQ(k(*module).params[0].bytes, 56u);
  EXPECT_EQ(k(*module).params[3].offset, 58u);
  EXPECT_EQ(k(*module).instructions[0].mods.type, Type::s8);
}

TEST(Trap, PacksUnpacksAndSinks) {
  const auto module = test::parse_kernel(
      "mov.b64 {%b1,%b2}, %q1; mov.b32 {%h1,%h2}, %b1; mov.b64 %q1, {%b1,%b2}; mov.b64 {_,%b3}, %q1;"
      "mov.b64 {%h1,%h2,%h3,%h4}, %d1; mov.b64 %d1, {%f1,%f2}; mov.b128 %x1, {%q1,%q2};");
  EXPECT_EQ(k(*module).instructions[0].operands[0].kind, OperandKind::vector);
  EXPECT_EQ(k(*module).instructions[3].operands[0].elements[0].kind, OperandKind::sink);
}

TEST(Trap, TablesOfAddressesAndFunctions) {
  const auto module = test::parse(
      header() +
      ".func _Z4faddff() { ret; }\n.func _Z4fmulff() { ret; }\n.const .align 4 .b8 ctab[16];\n"
      ".global .align 8 .u64 tab[3] = {_Z4faddff, _Z4fmulff, 0};\n.global .align 8 .u64 p[1] = {generic(ctab)};");
  EXPECT_EQ(module->find_variable("tab")->relocations.size(), 2u);
  EXPECT_TRUE(module->find_variable("p")->relocations[0].generic);
}

TEST(Trap, ImmediatesOfEverySpelling) {
  const auto module = test::parse_kernel(
      "mov.f32 %f1, 0f3F800000; mov.f64 %d1, 0d3FF0000000000000; mov.u32 %u1, -1; mov.b32 %b1, 0xFFFFFFFF; mov.u32 "
      "%u1, WARP_SZ;"
      "mov.pred %p1, -1; mov.b32 %b1, 0f40000000;");
  const auto& code = k(*module).instructions;
  EXPECT_EQ(code[0].operands[1].bits, 0x3F800000u);
  EXPECT_EQ(code[1].operands[1].bits, 0x3FF0000000000000u);
  EXPECT_EQ(code[2].operands[1].bits, 0xFFFFFFFFu);
  EXPECT_EQ(code[3].operands[1].bits, 0xFFFFFFFFu);
  EXPECT_EQ(code[4].operands[1].bits, 32u);
  EXPECT_EQ(code[5].operands[1].bits, 1u);
  EXPECT_EQ(code[6].operands[1].bits, 0x40000000u);
}

TEST(Trap, LegacyToolchains) {
  const auto module = load_module_file(std::string(SYNCLINE_SOURCE_DIR) + "/tests/data/ptx/legacy_1_4.ptx");
  const Function& kernel = *module->find_function("_Z6reducePiS_j");
  EXPECT_TRUE(kernel.is_entry);
  EXPECT_EQ(kernel.params[0].name, "__cudaparm__Z6reducePiS_j_in");
  EXPECT_EQ(kernel.instructions.back().opcode, Opcode::exit_);
  EXPECT_EQ(module->sm, 10u);
  bool narrow = false;
  for (const Instruction& instruction : kernel.instructions)
    for (const Operand& operand : instruction.operands)
      narrow = narrow || (operand.kind == OperandKind::special && instruction.mods.source_type == Type::u16);
  EXPECT_TRUE(narrow) << "cvt.u32.u16 of %tid.x";
}

TEST(Trap, OpenClKernelsNeedNoCvta) {
  const auto module = test::parse(header() +
                                  ".entry k(.param .u64 .ptr .global .align 4 out)\n"
                                  "{ .reg .b64 %rd1; .reg .b32 %r1; ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; "
                                  "st.global.u32 [%rd1], %r1; ret; }");
  EXPECT_EQ(k(*module).params[0].pointer_space, Space::global);
}

TEST(Trap, ConversionsOfEveryCorner) {
  const auto module = test::parse_kernel(
      "cvt.rzi.s32.f32 %s1, %f1; cvt.rni.u64.f64 %q1, %d1; cvt.sat.f32.f32 %f1, %f2; cvt.rmi.f32.f32 %f1, %f2; "
      "cvt.ftz.f64.f32 %d1, %f1;"
      "cvt.s64.s8 %q1, %u1; cvt.u8.u32 %h1, %u1; cvt.rn.f16.f32 %h1, %f1; cvt.f32.f16 %f1, %h1; cvt.rpi.ftz.f32.f32 "
      "%f1, %f2;");
  EXPECT_EQ(k(*module).instructions[3].mods.rounding, Rounding::rmi);
  EXPECT_EQ(k(*module).instructions[3].mods.source_type, Type::f32);
}

TEST(Trap, FastMathForms) {
  const auto module = test::parse_kernel(
      "fma.rn.ftz.f32 %f1, %f2, %f3, %f4; div.approx.ftz.f32 %f1, %f2, %f3; ex2.approx.ftz.f32 %f1, %f2; "
      "sqrt.approx.ftz.f32 %f1, %f2;"
      "rcp.approx.ftz.f64 %d1, %d2; fma.rm.f32 %f1, %f2, %f3, %f4;");
  EXPECT_TRUE(k(*module).instructions[4].mods.approx && k(*module).instructions[4].mods.ftz);
}

TEST(Trap, BarriersOnDivergentPathsAreLegalText) {
  const auto module =
      test::parse_kernel("@%p1 bra other; bar.sync 0; bra.uni join; other: bar.sync 0; join: barrier.sync 0;");
  EXPECT_EQ(k(*module).instructions[1].mods.barrier, BarrierMode::sync);
}

TEST(Trap, SpinLockWithPlainRelease) {
  const auto module = test::parse_kernel(
      "again: atom.global.cas.b32 %b1, [%q1], 0, 1; setp.ne.s32 %p1, %b1, 0; @%p1 bra again; st.global.u32 [%q1], 0;");
  EXPECT_EQ(k(*module).instructions[3].mods.semantics, Semantics::none);
}

TEST(Trap, BothSpellingsOfVote) {
  const auto module = test::parse_kernel("vote.sync.ballot.b32 %b1, %p1, -1; vote.ballot.sync.b32 %b1, %p1, -1;");
  EXPECT_TRUE(k(*module).instructions[0].mods == k(*module).instructions[1].mods);
}

TEST(Trap, InlineAssemblyScratchRegisters) {
  const auto module = test::parse_kernel(
      "// begin inline asm\n{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %b1, 1, 0, -1; @p add.s32 r0, r0, "
      "%b1; mov.s32 %b2, r0;}\n"
      "{ .reg .s32 r0; .reg .pred p; shfl.sync.up.b32 r0|p, %b2, 2, 0, -1; @p add.s32 r0, r0, %b2; mov.s32 %b3, r0;}");
  EXPECT_EQ(k(*module).instructions.size(), 7u);
  EXPECT_NE(k(*module).instructions[1].guard.reg, k(*module).instructions[4].guard.reg);
}

TEST(Trap, ThirtyTwoBitPointersInModuleVariables) {
  const auto module = test::parse(
      ".version 2.3\n.target sm_20\n.address_size 32\n.const .u32 errd;\n.global .u32 x;\n.global .u32 p = x;\n"
      ".entry k() { .reg .u32 %r<3>; ld.const.u32 %r1, [errd]; ld.global.u32 %r2, [%r1+4]; ret; }");
  EXPECT_EQ(module->find_variable("p")->relocations[0].size, 4);
}

}  // namespace
}  // namespace syncline::isa
