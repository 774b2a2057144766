#include <gmock/gmock.h>

#include <set>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::kernel_error;
using ::testing::HasSubstr;

const Function& k(const Module& module) {
  return *module.find_function("k");
}

TEST(Registers, RangesAndSingleNames) {
  const auto module =
      test::parse(test::header() + ".entry k() { .reg .b32 %r<3>, q; .reg .pred p, %p<2>; mov.b32 q, %r2; ret; }");
  ASSERT_EQ(k(*module).registers.size(), 7u);
  EXPECT_EQ(k(*module).registers[2].name, "%r2");
  EXPECT_EQ(k(*module).registers[3].name, "q");
  EXPECT_EQ(k(*module).registers[6].type, Type::pred);
  EXPECT_EQ(k(*module).instructions[0].operands[1].index, 2u);
}

TEST(Registers, VectorsAreScalarsInARow) {
  const auto module =
      test::parse_kernel(".reg .v4 .f32 v; ld.global.v4.f32 v, [%q1]; mov.f32 %f1, v.y; mov.f32 %f1, v.b;");
  const auto& code = k(*module).instructions;
  ASSERT_EQ(code[0].operands[0].elements.size(), 4u);
  const std::uint32_t first = code[0].operands[0].elements[0].index;
  EXPECT_EQ(code[1].operands[1].index, first + 1);
  EXPECT_EQ(code[2].operands[1].index, first + 2);
  EXPECT_THAT(kernel_error(".reg .v2 .f32 v; mov.f32 %f1, v.z;"), HasSubstr("`v` has no component `.z`"));
}

TEST(Registers, Mistakes) {
  EXPECT_THAT(kernel_error("mov.u32 %u1, %u9;"),
              HasSubstr("test.ptx:20:14: error: `%u9` is not declared; did you mean"));
  EXPECT_THAT(kernel_error("mov.u32 %u1, %u01;"), HasSubstr("`%u01` is not declared"));
  EXPECT_THAT(kernel_error(".reg .b32 %b5;"), HasSubstr("`%b5` is declared twice in this scope"));
  EXPECT_THAT(kernel_error(".reg .b32 %b<3>;"), HasSubstr("the registers `%b`<...> are declared twice"));
  EXPECT_THAT(kernel_error(".reg .b32 a1; .reg .b32 a<3>;"), HasSubstr("`a1` is declared twice"));
  EXPECT_THAT(kernel_error(".reg .b32 x<-1>;"), HasSubstr("a number of registers cannot be negative"));
  EXPECT_THAT(kernel_error(".reg .b32 x<99999999>;"), HasSubstr("more than 1048576 registers"));
  EXPECT_THAT(kernel_error(".reg .v4 .b32 x<999999>;"), HasSubstr("more than 1048576 registers"));
  EXPECT_THAT(kernel_error(".reg .v2 .b32 x<4>; mov.b32 x4.x, 1;"), HasSubstr("`x4` is not declared"));
  EXPECT_THAT(kernel_error(".reg .v2 .b32 x<4>; mov.b32 x3.z, 1;"), HasSubstr("`x3` has no component `.z`"));
  EXPECT_THAT(kernel_error(".reg .b32 x[4];"), HasSubstr("expected `;` after the declaration of registers, found `[`"));
  EXPECT_THAT(kernel_error(".reg x;"), HasSubstr("expected a type"));
}

TEST(Registers, RangesOfVectors) {
  const auto module = test::parse_kernel(".reg .v4 .f32 v<3>;\nld.global.v4.f32 v2, [%q1];\nadd.f32 v0.w, v2.x, v1.y;");
  const auto& registers = k(*module).registers;
  const auto& code = k(*module).instructions;
  ASSERT_EQ(code[0].operands[0].elements.size(), 4u);
  EXPECT_EQ(registers[code[0].operands[0].elements[3].index].name, "v2$w");
  EXPECT_EQ(registers[code[1].operands[0].index].name, "v0$w");
  EXPECT_EQ(registers[code[1].operands[2].index].name, "v1$y");
  EXPECT_EQ(registers[code[1].operands[2].index].type, Type::f32);
}

TEST(Registers, OutsideFunctions) {
  const std::string old = ".version 2.3\n.target sm_20\n";
  const auto module = test::parse(old +
                                  ".reg .u32 a<2>, b; .reg .v2 .f32 v; .reg .pred p;\n"
                                  ".func f() { @p add.u32 b, a1, b; mov.f32 v.y, 0f00000000; ret; }\n"
                                  ".entry k() { .reg .u32 b; mov.u32 b, a0; { .reg .pred p; @p exit; } exit; }");
  ASSERT_EQ(module->registers.size(), 6u);
  EXPECT_EQ(module->registers[4].name, "v$y");
  const Function& f = *module->find_function("f");
  const auto shared = [](const Function& function, const Operand& operand) {
    return function.registers[operand.index].shared;
  };
  EXPECT_EQ(shared(f, f.instructions[0].operands[0]), 2u);
  EXPECT_EQ(shared(f, f.instructions[0].operands[1]), 1u);
  EXPECT_EQ(f.registers[f.instructions[0].guard.reg].shared, 5u);
  EXPECT_EQ(shared(f, f.instructions[1].operands[0]), 4u);
  // A function's own register hides it.
  const Function& kernel = k(*module);
  EXPECT_EQ(shared(kernel, kernel.instructions[0].operands[0]), no_index);
  EXPECT_EQ(shared(kernel, kernel.instructions[0].operands[1]), 0u);
  EXPECT_EQ(kernel.registers[kernel.instructions[1].guard.reg].shared, no_index);

  EXPECT_EQ(test::error_of(".version 3.0\n.target sm_20\n.reg .u32 x;"),
            "test.ptx:3:1: error: registers are declared inside functions: outside, in PTX ISA before 3.0 only");
  EXPECT_THAT(test::error_of(old + ".reg .u32 x, x;"), HasSubstr("`x` is declared twice in this module"));
  EXPECT_THAT(test::error_of(old + ".global .u32 x; .reg .u32 x;"), HasSubstr("`x` is declared twice in this module"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x; .global .u32 x;"), HasSubstr("`x` is declared twice in this module"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x; .func x() { ret; }"), HasSubstr("`x` is a variable already"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x<70000>;"), HasSubstr("more than 65536 registers outside functions"));
  EXPECT_THAT(test::error_of(old + ".reg .v8 .u32 x;"), HasSubstr("a vector register has 2 or 4 elements"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x\n.global .u32 y;"),
              HasSubstr("expected `;` after the declaration of registers"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x; .global .u32 y = x;"),
              HasSubstr("`x` in an initial value is not declared at module scope"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 counter; .func f() { mov.u32 countr, 1; ret; }"),
              HasSubstr("did you mean `counter`?"));
  EXPECT_THAT(test::error_of(old + ".reg .u32 x; .func f() { @x ret; }"),
              HasSubstr("expected a predicate register, but `x` is of type .u32"));
}

TEST(Scopes, SiblingsMayRepeatNames) {
  const auto module = test::parse_kernel(
      "{ .reg .b32 t; mov.b32 t, 1; } { .reg .b64 t; mov.b64 t, 2; { .reg .f32 t; mov.f32 t, 0f00000000; } mov.b64 t, "
      "3; }");
  const auto& code = k(*module).instructions;
  EXPECT_NE(code[0].operands[0].index, code[1].operands[0].index);
  EXPECT_EQ(code[1].operands[0].index, code[3].operands[0].index);
  std::set<std::string> names;
  for (const Register& reg : k(*module).registers) EXPECT_TRUE(names.insert(reg.name).second) << reg.name;
}

TEST(Scopes, EndTheirNames) {
  EXPECT_THAT(kernel_error("{ .reg .b32 t; }\nmov.b32 t, 1;"), HasSubstr("test.ptx:21:9: error: `t` is not declared"));
  EXPECT_THAT(
      kernel_error("{ inner: }\nbra inner;"),
      HasSubstr("there is no label `inner` that can be seen from here; one of this name stands in a block of its "
                "own"));
  EXPECT_THAT(kernel_error("{"), HasSubstr("the file ends inside function `k`: expected `}` for the `{` in line 9"));
  EXPECT_THAT(kernel_error("}"), HasSubstr("expected a directive at module scope"));
  EXPECT_THAT(kernel_error(std::string(300, '{')), HasSubstr("more than 256 nested scopes"));
}

TEST(Labels, ForwardBackwardAndInScopes) {
  const auto module =
      test::parse_kernel("top: bra end; { bra top; inner: @%p1 bra inner; bra end; } { inner: bra inner; } end:");
  const Function& f = k(*module);
  const auto target = [&](std::size_t i) { return f.labels[f.instructions[i].operands[0].index].instruction; };
  EXPECT_EQ(target(0), 5u);
  EXPECT_EQ(target(1), 0u);
  EXPECT_EQ(target(2), 2u);
  EXPECT_EQ(target(3), 5u);
  EXPECT_EQ(target(4), 4u);
  EXPECT_TRUE(f.instructions[2].guard);
}

TEST(Labels, MayEndTheBody) {
  const auto module = test::parse(test::header() + ".entry k() { .reg .pred p; @p bra out; ret; out: }");
  EXPECT_EQ(k(*module).labels[0].instruction, 2u);
}

TEST(Labels, Mistakes) {
  EXPECT_THAT(
      kernel_error("bra dome;"),
      HasSubstr("test.ptx:20:5: error: there is no label `dome` that can be seen from here; did you mean `done`?"));
  EXPECT_THAT(kernel_error("a: a: ret;"), HasSubstr("the label `a` is defined twice in this scope"));
  EXPECT_THAT(kernel_error("bra 5;"), HasSubstr("expected a label, found `5`"));
  EXPECT_THAT(kernel_error("t: .branchtargets done; bra t;"),
              HasSubstr("expected a label, but `t` is a `.branchtargets` table"));
  EXPECT_THAT(kernel_error("brx.idx %u1, done;"),
              HasSubstr("expected a `.branchtargets` table, but `done` is a label"));
  EXPECT_THAT(kernel_error("brx.idx %u1, nowhere;"), HasSubstr("there is no target list `nowhere`"));
  EXPECT_THAT(kernel_error(".branchtargets done;"), HasSubstr("expected a label and `:` before `.branchtargets`"));
}

TEST(BranchTables, AreResolved) {
  const auto module = test::parse_kernel("t: .branchtargets a, done, a; brx.idx %u1, t; a: ret;");
  const Function& f = k(*module);
  ASSERT_EQ(f.branch_tables.size(), 1u);
  EXPECT_EQ(f.instructions[0].operands[1].kind, OperandKind::branch_table);
  EXPECT_EQ(f.labels[f.branch_tables[0].labels[0]].name, "a");
  EXPECT_EQ(f.branch_tables[0].labels[0], f.branch_tables[0].labels[2]);
  EXPECT_EQ(f.labels[f.branch_tables[0].labels[1]].instruction, 2u);
}

TEST(Guards, PredicatesWithNegation) {
  const auto module = test::parse_kernel("@%p1 ret; @!%p2 ret; ret;");
  const auto& code = k(*module).instructions;
  EXPECT_FALSE(code[0].guard.negated);
  EXPECT_TRUE(code[1].guard.negated);
  EXPECT_FALSE(code[2].guard);
  EXPECT_THAT(kernel_error("@%b1 ret;"), HasSubstr("expected a predicate register, but `%b1` is of type .b32"));
  EXPECT_THAT(kernel_error("@5 ret;"), HasSubstr("expected a predicate register behind `@`, found `5`"));
  EXPECT_THAT(kernel_error("@%p1 ;"), HasSubstr("expected an instruction behind the guard, found `;`"));
  EXPECT_THAT(kernel_error("@slot ret;"), HasSubstr("`slot` is not a register"));
}

TEST(Operands, AddressesOfEveryKind) {
  const auto module = test::parse_kernel(
      "ld.global.u32 %u1, [%q1]; ld.global.u32 %u1, [%q1+8]; ld.global.u32 %u1, [%q1+-4]; ld.global.u32 %u1, "
      "[%q1-4+2*2];"
      "ld.global.u32 %u1, [gvar+12]; ld.global.u32 %u1, [gvar[3]]; ld.shared.u32 %u1, [%u2+4]; ld.local.u32 %u1, [16];"
      "mov.u64 %q1, gvar+4; mov.u64 %q1, gvar[2];");
  const auto& code = k(*module).instructions;
  EXPECT_EQ(code[0].operands[1].offset, 0);
  EXPECT_EQ(code[1].operands[1].offset, 8);
  EXPECT_EQ(code[2].operands[1].offset, -4);
  EXPECT_EQ(code[3].operands[1].offset, 0);
  EXPECT_EQ(code[4].operands[1].symbol.kind, SymbolKind::module_variable);
  EXPECT_EQ(code[4].operands[1].offset, 12);
  EXPECT_EQ(code[5].operands[1].offset, 12);
  EXPECT_EQ(code[7].operands[1].offset, 16);
  EXPECT_EQ(code[7].operands[1].index, no_index);
  EXPECT_EQ(code[8].operands[1].offset, 4);
  EXPECT_EQ(code[9].operands[1].offset, 8);
}

TEST(Operands, ElementsAsAddresses) {
  const auto module = test::parse_kernel(
      "ld.global.u32 %u1, gvar[3]; st.global.u32 gvar[1], %u1; atom.global.add.u32 %u1, gvar[2], 1;"
      "red.shared.add.u32 svar[0], 1; prefetch.global.L1 gvar[15]; ld.shared.v2.u32 {%u1, %u2}, svar[2];");
  const std::vector<std::pair<std::size_t, std::int64_t>> where = {{1, 12}, {0, 4}, {1, 8}, {0, 0}, {0, 60}, {1, 8}};
  for (std::size_t n = 0; n < where.size(); ++n) {
    const Operand& operand = k(*module).instructions[n].operands[where[n].first];
    EXPECT_EQ(operand.kind, OperandKind::address) << n;
    EXPECT_EQ(operand.symbol.kind, SymbolKind::module_variable) << n;
    EXPECT_EQ(operand.offset, where[n].second) << n;
  }
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, gvar;"), HasSubstr("expected an address in `[ ]`, found `gvar`"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, gvar+4;"), HasSubstr("expected an address in `[ ]`, found `gvar+4`"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, gvar[%u2];"), HasSubstr("expected the index of the element"));
  EXPECT_THAT(kernel_error("ld.shared.u32 %u1, gvar[0];"), HasSubstr("`gvar` is in .global space"));
}

TEST(Operands, OneRegisterInBracesIsTheRegister) {
  const auto module = test::parse_kernel(
      "ld.global.b32 {%u1}, [%q1]; st.global.b32 [%q1], {%u1}; st.global.b32 [%q1], {7}; mov.b32 {%u1}, {%u2};"
      "ldu.global.v2.b32 {%u1, %u2}, [%q1];");
  for (std::size_t n = 0; n < 4; ++n)
    for (const Operand& operand : k(*module).instructions[n].operands)
      EXPECT_NE(operand.kind, OperandKind::vector) << n;
  EXPECT_THAT(kernel_error("add.u32 {%u1}, %u2, %u3;"), HasSubstr("expected a register of type .u32, found `{%u1}`"));
  EXPECT_THAT(kernel_error("ld.global.v2.b32 {%u1}, [%q1];"), HasSubstr("expected a vector of 2 elements"));
  EXPECT_THAT(kernel_error("ld.global.b32 {%u1, %u2}, [%q1];"), HasSubstr("expected a register of type .b32"));
  EXPECT_THAT(kernel_error("mov.b32 {}, %u2;"), HasSubstr("expected an operand, found `}`"));
}

TEST(Operands, SumsThatAreStored) {
  const auto module =
      test::parse_kernel("t: @%p1 st.global.u32 [%q1], %u1 + 4 - 1;\nst.global.v2.u32 [%q1], {%u1, 3};");
  const Function& function = k(*module);
  const Instruction& add = function.instructions[0];
  EXPECT_EQ(add.opcode, Opcode::add);
  EXPECT_EQ(add.mods.type, Type::s32);
  EXPECT_EQ(add.guard.reg, function.instructions[1].guard.reg);
  EXPECT_EQ(add.operands[2].bits, 3u);
  EXPECT_EQ(add.operands[0].index, function.instructions[1].operands[1].index);
  EXPECT_EQ(function.labels[0].instruction, 0u);
  for (const char* text :
       {"st.global.f32 [%q1], %f1+1;", "st.global.b128 [%q1], %x1+1;", "st.global.u32 [%q1], -%u1+1;",
        "st.global.u32 [%q1], _+1;", "st.global.v2.u32 [%q1], {%u1, %u2}+1;"})
    EXPECT_THAT(kernel_error(text),
                HasSubstr("a constant can be added here to an integer register of 16, 32 or 64 bits"))
        << text;
  EXPECT_THAT(kernel_error("st.global.u32 [%q1], %u1+1.5;"), HasSubstr("an offset is an integer constant"));
  EXPECT_THAT(kernel_error("add.u32 %u1, %u2+1, %u3;"), HasSubstr("expected `,` or `;` after the operands of `add`"));
}

TEST(Operands, Mistakes) {
  EXPECT_THAT(kernel_error("mov.u32 %u1 %u2;"),
              HasSubstr("expected `,` or `;` after the operands of `mov`, found `%u2`"));
  EXPECT_THAT(kernel_error("mov.u32 %u1, ;"), HasSubstr("expected an operand, found `;`"));
  EXPECT_THAT(kernel_error("ret }"), HasSubstr("expected an operand, found `}`"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, [%q1;"), HasSubstr("expected `]` after the address, found `;`"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, [%q1+%q2];"), HasSubstr("expected a constant, found `%q2`"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, [%q1+1.5];"), HasSubstr("an offset is an integer constant"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, [%tid.x];"),
              HasSubstr("expected a register or a variable in an address"));
  EXPECT_THAT(kernel_error("ld.global.u32 %u1, [1.5];"), HasSubstr("an address is an integer"));
  EXPECT_THAT(kernel_error("mov.u64 %q1, cvar[1];"), HasSubstr("`cvar` is no array: it cannot have an index"));
  EXPECT_THAT(kernel_error("mov.u64 %q1, gvar[0x7FFFFFFFFFFFFFFF];"), HasSubstr("the index is out of range"));
  EXPECT_THAT(kernel_error("mov.b64 %q1, {{%b1, %b2}};"), HasSubstr("a vector holds registers, constants and `_`"));
  EXPECT_THAT(kernel_error("mov.b64 %q1, {1,2,3,4,5,6,7,8,9};"), HasSubstr("a vector has at most 8 elements"));
  EXPECT_THAT(kernel_error("mov.b64 %q1, {%b1, %b2;"), HasSubstr("expected `}` after the elements of the vector"));
  EXPECT_THAT(kernel_error("vadd.u32.u32.u32 %u1, %u2.b9, %u3;"), HasSubstr("a register has no part `.b9`"));
  EXPECT_THAT(kernel_error("and.pred %p1, !gvar, %p2;"), HasSubstr("`!` in an operand needs a predicate register"));
  std::string many = "add.u32 %u1";
  for (int i = 0; i < 70; ++i) many += ", 1";
  EXPECT_THAT(kernel_error(many + ";"), HasSubstr("too many operands"));
}

TEST(Body, LocalVariables) {
  const auto module = test::parse_kernel(
      ".local .align 16 .b8 depot[24]; .shared .f32 tile[2][4]; .const .u32 table[2] = {1, 2}; mov.u64 %q1, depot;");
  ASSERT_EQ(k(*module).variables.size(), 4u);
  EXPECT_EQ(k(*module).variables[1].space, Space::local);
  EXPECT_EQ(k(*module).variables[1].align, 16u);
  EXPECT_EQ(k(*module).variables[2].bytes, 32u);
  EXPECT_EQ(k(*module).variables[3].init.size(), 8u);
  EXPECT_EQ(k(*module).instructions[0].operands[1].symbol.kind, SymbolKind::function_variable);
  EXPECT_THAT(kernel_error(".shared .b32 x[];"), HasSubstr("`x` has no size"));
  EXPECT_THAT(kernel_error(".local .b32 x; .local .b32 x;"), HasSubstr("`x` is declared twice in this scope"));
  EXPECT_THAT(kernel_error(".unknown 5;"), HasSubstr("unknown directive `.unknown` in a function body"));
}

TEST(Body, ParametersOfFunctionsHaveNoAddresses) {
  const auto function = [](const std::string& body) {
    return ".version 6.0\n.target sm_70\n.address_size 64\n.func f(.param .b32 a)\n{\n.reg .b32 %r<3>;\n" + body +
           "\nret;\n}\n";
  };
  EXPECT_THAT(test::error_of(function("st.param.b32 [100000000], %r1;")),
              HasSubstr("expected the name of a parameter, found the address `[100000000]`"));
  EXPECT_THAT(test::error_of(function("ld.param.b32 %r1, [0];")), HasSubstr("expected the name of a parameter"));
  EXPECT_NE(test::parse(function("ld.param.b32 %r1, [a];")), nullptr);
  EXPECT_NE(test::parse_kernel("ld.param.b32 %b1, [60];"), nullptr);
}

}  // namespace
}  // namespace syncline::isa
