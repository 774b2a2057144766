#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::error_of;
using test::header;
using test::kernel_error;
using ::testing::HasSubstr;

const std::vector<Instruction>& code(const Module& module) {
  return module.find_function("k")->instructions;
}

TEST(Call, EveryDirectForm) {
  const auto module = test::parse(
      header() +
      ".func nothing();\n.func bare;\n.func (.param .b32 r) one(.param .b32 a);\n.func take(.param .b32 a, .param .f64 "
      "b);\n"
      ".entry k() { .reg .b32 %r<3>; .param .b32 p; .param .b32 q;\n"
      "call nothing; call.uni nothing, (); call bare;\n"
      "call (p), one, (q); call (%r1), one, (%r2); call (_), one, (5);\ncall.uni take, (%r1, 1.5);\nret; }");
  EXPECT_FALSE(code(*module)[0].mods.uni);
  EXPECT_TRUE(code(*module)[1].mods.uni);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(code(*module)[i].operands.size(), 4u) << i;
  const Instruction& with_params = code(*module)[3];
  EXPECT_EQ(with_params.operands[0].elements[0].symbol.kind, SymbolKind::function_variable);
  EXPECT_EQ(with_params.operands[1].symbol.kind, SymbolKind::function);
  EXPECT_EQ(with_params.operands[2].elements.size(), 1u);
  EXPECT_EQ(with_params.operands[3].kind, OperandKind::none);
  EXPECT_EQ(code(*module)[5].operands[0].elements[0].kind, OperandKind::sink);
  EXPECT_EQ(code(*module)[6].operands[2].elements[1].bits, 0x3FF8000000000000u);
}

TEST(Call, ThroughPrototypesAndTables) {
  const auto module =
      test::parse(header() +
                  ".func (.param .b32 r) f(.param .b32 a) { ret; }\n.func (.param .b32 r) g(.param .b32 a) { ret; }\n"
                  ".entry k() { .reg .b64 %t; .param .b32 p; .param .b32 q;\nmov.u64 %t, f;\n"
                  "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (p), %t, (q), proto;\n"
                  "call (p), %t, (q), table;\ntable: .calltargets f, g;\nret; }");
  EXPECT_EQ(code(*module)[1].operands[3].kind, OperandKind::call_prototype);
  EXPECT_EQ(code(*module)[2].operands[3].kind, OperandKind::call_targets);
  EXPECT_EQ(module->find_function("k")->call_target_lists[0].functions.size(), 2u);
}

TEST(Call, RecursionAndForwardDeclaration) {
  const auto module = test::parse(
      header() +
      ".visible .func (.param .b32 r) f(.param .b32 n);\n"
      ".visible .func (.param .b32 r) g(.param .b32 n)\n{ .param .b32 a; .param .b32 b; call (a), f, (b); ret; }\n"
      ".visible .func (.param .b32 other) f(.param .b32 name)\n{ .param .b32 a; .param .b32 b; call (a), f, (b); call "
      "(a), g, (b); ret; }\n");
  ASSERT_EQ(module->functions.size(), 2u);
  const Function& f = *module->find_function("f");
  EXPECT_EQ(f.params[0].name, "name");
  EXPECT_EQ(f.instructions[0].operands[1].symbol.index, 0u);
}

TEST(Call, RegisterParameters) {
  const auto module =
      test::parse(header() +
                  ".func (.reg .f32 %out) scale(.reg .f32 %in, .reg .u32 %n) { mul.f32 %out, %in, 2.0; ret; }\n"
                  ".entry k() { .reg .f32 a, b; call (a), scale, (b, 3); ret; }");
  const Function& scale = *module->find_function("scale");
  EXPECT_EQ(scale.params[0].space, Space::reg);
  EXPECT_EQ(scale.instructions[0].operands[0].index, scale.returns[0].reg);
  EXPECT_EQ(scale.instructions[0].operands[1].index, scale.params[0].reg);
}

TEST(Call, VectorParameters) {
  const std::string text =
      header() +
      ".func (.reg .v2 .f32 out) turn(.reg .v2 .f32 in, .param .v4 .u32 m) { mov.v2.f32 out, {in.y, "
      "in.x}; ret; }\n.entry k() { .reg .v2 .f32 a; .reg .v4 .u32 m; .reg .f32 f; .reg .u32 u; ";
  const auto module =
      test::parse(text + "call (a), turn, (a, m); call ({f, _}), turn, ({f, 0f3F800000}, {1, u, 3, u}); }");
  const Function& turn = *module->find_function("turn");
  EXPECT_EQ(turn.instructions[0].operands[0].elements[1].index, turn.returns[0].reg + 1);
  EXPECT_EQ(turn.registers[turn.params[0].reg].name, "in.x");
  ASSERT_EQ(code(*module)[1].operands[2].elements[1].elements.size(), 4u);
  EXPECT_THAT(error_of(text + "call (a), turn, (f, m);"),
              HasSubstr("argument 1 of `turn`: 2 elements are wanted, 1 are given"));
  EXPECT_THAT(error_of(text + "call (f), turn, (a, m);"), HasSubstr("return value 1 of `turn`: 2 elements are wanted"));
  EXPECT_THAT(error_of(text + "call (a), turn, (m, m);"), HasSubstr("2 elements are wanted, 4 are given"));
  EXPECT_THAT(error_of(text + "call (a), turn, ({f, u}, m);"), HasSubstr("`u` of type .u32 does not fit in .f32"));
  EXPECT_THAT(error_of(text + "call (a), turn, ({f, 1}, m);"), HasSubstr("the constant does not fit in .f32"));
  EXPECT_THAT(error_of(text + "call ({f, 1}), turn, (a, m);"), HasSubstr("a return value is a register"));
  EXPECT_THAT(error_of(text + "call (a), turn, ({f, _}, m);"), HasSubstr("an argument is a register"));
}

TEST(Call, PrototypesWithoutEnd) {
  const auto module =
      test::parse(header() +
                  ".extern .func (.param .b32 r) f (.param .b32 a)\n.visible .func g ()\n.file 1 \"x\"\n"
                  ".visible .func h () .noreturn\n.global .u32 x;\n.visible .func g () { ret; }\n"
                  ".entry k() { call g; ret; }");
  EXPECT_FALSE(module->find_function("f")->has_body);
  EXPECT_TRUE(module->find_function("g")->has_body);
  EXPECT_TRUE(module->find_function("h")->noreturn);
  EXPECT_THAT(error_of(header() + ".func f()"),
              HasSubstr("expected `{` or `;` after the declaration of `f`, found the end"));
  EXPECT_THAT(error_of(header() + ".func f() x"),
              HasSubstr("expected `{` or `;` after the declaration of `f`, found `x`"));
  EXPECT_THAT(error_of(header() + ".func f() .maxnregs 4 { ret; }"), HasSubstr("unknown directive `.maxnregs` behind"));
  EXPECT_THAT(error_of(header() + ".entry f()\n.global .u32 x;"), HasSubstr("unknown directive `.global` behind"));
  EXPECT_EQ(error_of(header() + ".entry f() .noreturn { ret; }"),
            "test.ptx:4:12: error: `.noreturn` is for functions: a kernel has no caller to return to");
}

TEST(Call, AliasesAreFollowed) {
  const auto module = test::parse(
      header() + ".func real() { ret; }\n.func other();\n.alias other, real;\n.entry k() { call other; ret; }");
  EXPECT_EQ(module->functions[code(*module)[0].operands[1].symbol.index].name, "real");
  EXPECT_THAT(error_of(header() + ".func a();\n.alias a, b;"), HasSubstr("`b` is no function with a body"));
  EXPECT_THAT(error_of(header() + ".alias a, b;"), HasSubstr("has to be declared as a function first"));
  EXPECT_THAT(error_of(header() + ".func a() { ret; }\n.alias a, a;"), HasSubstr("has a body of its own"));
}

TEST(Call, ArraysWithoutSizeAreLast) {
  EXPECT_THAT(error_of(header() + ".func f(.param .b32 n, .param .b8 list[],\n.param .b32 m);"),
              HasSubstr(":4:35: error: `list` has no size: only the last parameter may be such an array"));
  EXPECT_THAT(error_of(header() + ".func (.param .b8 list[]) f();"), HasSubstr("the result `list` has no size"));
  EXPECT_THAT(kernel_error("P: .callprototype (.param .b8 _[]) _ ();"), HasSubstr("the result `_` has no size"));
  EXPECT_THAT(error_of(header() + ".func f(.param .b8 list[]) { .reg .b32 x; ld.param.b32 x, [list-4]; ret; }"),
              HasSubstr("offset -4 lies before the array `list`"));
}

TEST(Call, Mistakes) {
  EXPECT_THAT(kernel_error("call calee;"), HasSubstr("`calee` is not declared; did you mean `callee`?"));
  EXPECT_THAT(kernel_error("call callee;"), HasSubstr("`callee` has 1 return values, the call has 0"));
  EXPECT_THAT(kernel_error("call (%b1), callee, ();"), HasSubstr("`callee` has 1 arguments, the call has 0"));
  EXPECT_THAT(kernel_error("call (%b1), callee, (%q1);"),
              HasSubstr("argument 1 of `callee`: `%q1` of type .b64 does not fit in .b32"));
  EXPECT_THAT(kernel_error("call (%b1), callee, (slot);"), HasSubstr("`slot` has 64 bytes, 4 are wanted"));
  EXPECT_THAT(kernel_error("call (%b1), callee, (gvar);"), HasSubstr("expected a `.param` variable or a register"));
  EXPECT_THAT(kernel_error("call (5), callee, (%b1);"),
              HasSubstr("a return value is a register, a `.param` variable or `_`"));
  EXPECT_THAT(kernel_error("call (%b1), callee, ([%q1]);"),
              HasSubstr("an argument is a register, a constant or a `.param` variable"));
  EXPECT_THAT(kernel_error("call gvar;"), HasSubstr("`gvar` is neither a function nor a register"));
  EXPECT_THAT(kernel_error("call k, (slot);"), HasSubstr("`k` is a kernel: only functions can be called"));
  EXPECT_THAT(kernel_error("call callee+4;"), HasSubstr("a function is called at its beginning"));
  EXPECT_THAT(kernel_error("call (%b1), callee, (%b1), proto;"), HasSubstr("a direct call has no prototype"));
  EXPECT_THAT(kernel_error("call %q1;"),
              HasSubstr("expected `,` and a `.callprototype` or `.calltargets` label behind an indirect call"));
  EXPECT_THAT(kernel_error("call %q1, done;"), HasSubstr("but `done` is a label"));
  EXPECT_THAT(kernel_error("p: .callprototype _ (.param .b32 _); call %h1, (%b1), p;"),
              HasSubstr("`%h1` of type .b16 cannot hold the address of a function"));
  EXPECT_THAT(kernel_error("p: .callprototype _ (.param .b32 _); call %q1, (%b1, %b2), p;"),
              HasSubstr("`p` has 1 arguments, the call has 2"));
  EXPECT_THAT(kernel_error("p: .callprototype f (.param .b32 _);"),
              HasSubstr("expected `_` for the function in a prototype"));
  EXPECT_THAT(kernel_error("t: .calltargets gvar;"), HasSubstr("`gvar` is not a function"));
  EXPECT_THAT(kernel_error("t: .calltargets callee; call %q1, t;"),
              HasSubstr("`callee` has 1 return values, the call has 0"));
  EXPECT_THAT(error_of(header() + ".func f(.param .b32 a) { ret; }\n.func f(.param .b64 a);"),
              HasSubstr("`f` was declared differently in line 4"));
  EXPECT_THAT(error_of(header() + ".func f() { ret; }\n.func f() { ret; }"), HasSubstr("`f` has a body already"));
  EXPECT_THAT(error_of(header() + ".global .u32 f;\n.func f();"), HasSubstr("`f` is a variable already"));
}

}  // namespace
}  // namespace syncline::isa
