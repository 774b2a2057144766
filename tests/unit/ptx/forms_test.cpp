#include "isa/ptx/forms.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> read_lines(const std::string& file) {
  std::ifstream in(std::string(SYNCLINE_SOURCE_DIR) + "/tests/data/ptx/" + file);
  EXPECT_TRUE(in) << file;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  return lines;
}

/// Every full form counted over some hundreds of real programs, each once, with operands.
TEST(Forms, AcceptEveryFormOfRealPrograms) {
  const auto lines = read_lines("legal_instructions.txt");
  ASSERT_GT(lines.size(), 800u);
  for (const std::string& line : lines) {
    try {
      const auto module = test::parse_kernel(line);
      EXPECT_EQ(module->find_function("k")->instructions.size(), 2u) << line;
    } catch (const base::UserError& error) {
      ADD_FAILURE() << line << "\n" << error.what();
    }
  }
}

/// Lines that an assembler refuses, each with a piece of the message that it must get.
TEST(Forms, RefuseIllegalForms) {
  const auto lines = read_lines("illegal_instructions.txt");
  ASSERT_GT(lines.size(), 60u);
  for (const std::string& line : lines) {
    const std::size_t bar = line.find(" ## ");
    ASSERT_NE(bar, std::string::npos) << line;
    const std::string message = test::kernel_error(line.substr(0, bar));
    EXPECT_THAT(message, HasSubstr(line.substr(bar + 4))) << line;
    EXPECT_THAT(message, HasSubstr("test.ptx:20:")) << line;
  }
}

TEST(Forms, ModifierOrderDoesNotMatter) {
  const auto a = test::parse_kernel(
      "setp.lt.ftz.f32 %p1, %f1, %f2; vote.sync.ballot.b32 %b1, %p1, -1; ld.volatile.global.u32 %u1, [%q1];");
  const auto b = test::parse_kernel(
      "setp.ftz.lt.f32 %p1, %f1, %f2; vote.ballot.sync.b32 %b1, %p1, -1; ld.global.volatile.u32 %u1, [%q1];");
  const auto& left = a->find_function("k")->instructions;
  const auto& right = b->find_function("k")->instructions;
  ASSERT_EQ(left.size(), right.size());
  for (std::size_t i = 0; i < left.size(); ++i) EXPECT_TRUE(left[i].mods == right[i].mods) << i;
}

TEST(Forms, ModifiersAreFilledIn) {
  const auto module = test::parse_kernel(
      "atom.acquire.gpu.global.cas.b32 %b1, [%q1], %b2, %b3;"
      "cvt.rzi.ftz.sat.s32.f32 %s1, %f1; setp.ltu.or.f64 %p1|%p2, %d1, %d2, !%p3; bar.red.popc.u32 %u1, 0, 64, %p1;"
      "ld.global.L1::no_allocate.L2::128B.v4.f32 {%f1,%f2,%f3,%f4}, [%q1+16]; mad.lo.cc.u32 %u1, %u2, %u3, %u4;"
      "vabsdiff4.u32.s32.u32.add %u1, %u2.b3210, %u3, %u4; membar.gl; prmt.b32.f4e %b1, %b2, %b3, %b4;");
  const auto& code = module->find_function("k")->instructions;
  EXPECT_EQ(code[0].mods.semantics, Semantics::acquire);
  EXPECT_EQ(code[0].mods.scope, Scope::gpu);
  EXPECT_EQ(code[0].mods.space, Space::global);
  EXPECT_EQ(code[0].mods.atomic, AtomicOp::cas);
  EXPECT_EQ(code[1].mods.type, Type::s32);
  EXPECT_EQ(code[1].mods.source_type, Type::f32);
  EXPECT_EQ(code[1].mods.rounding, Rounding::rzi);
  EXPECT_TRUE(code[1].mods.ftz && code[1].mods.sat);
  EXPECT_EQ(code[2].mods.compare, Compare::ltu);
  EXPECT_EQ(code[2].mods.bool_op, BoolOp::or_);
  EXPECT_EQ(code[2].operands[0].kind, OperandKind::pair);
  EXPECT_TRUE(code[2].operands[3].negated);
  EXPECT_EQ(code[3].mods.barrier, BarrierMode::red_popc);
  EXPECT_EQ(code[4].mods.vector, 4u);
  EXPECT_EQ(code[4].operands[1].offset, 16);
  EXPECT_TRUE(code[5].mods.cc);
  EXPECT_EQ(code[5].mods.part, MulPart::lo);
  EXPECT_TRUE(code[6].mods.accumulate);
  EXPECT_EQ(code[6].mods.source_type, Type::s32);
  EXPECT_EQ(code[6].mods.third_type, Type::u32);
  EXPECT_EQ(code[6].operands[1].bits, 0x3210u);
  EXPECT_EQ(code[7].mods.scope, Scope::gpu);
  EXPECT_EQ(code[8].mods.prmt, PrmtMode::f4e);
}

TEST(Forms, CachePolicyIsReadAndDropped) {
  const auto module = test::parse_kernel("ld.global.L2::cache_hint.f32 %f1, [%q1], %q2;");
  EXPECT_EQ(test::first_instruction(*module).operands.size(), 2u);
  EXPECT_THAT(test::kernel_error("ld.global.L2::cache_hint.f32 %f1, [%q1];"), HasSubstr("cache policy: "));
}

TEST(Forms, EveryOpcodeHasForms) {
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count_); ++i)
    EXPECT_FALSE(forms_of(static_cast<Opcode>(i)).empty()) << name(static_cast<Opcode>(i));
}

}  // namespace
}  // namespace syncline::isa
