#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using test::error_of;
using test::header;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Module, HeaderIsRead) {
  const auto module = test::parse(".version 1.4\n.target sm_10, map_f64_to_f32\n");
  EXPECT_EQ(module->version.major_part, 1u);
  EXPECT_EQ(module->version.minor_part, 4u);
  EXPECT_EQ(module->sm, 10u);
  EXPECT_EQ(module->address_size, 32u);
  EXPECT_THAT(module->targets, ElementsAre("sm_10", "map_f64_to_f32"));
  const auto wide =
      test::parse(".version 2.1\n.target sm_20\n.entry k() { .reg .u64 a; .reg .u32 b; ld.global.u32 b, [a]; exit; }");
  EXPECT_EQ(wide->address_size, 64u) << "64-bit text from before .address_size existed";
  EXPECT_EQ(test::parse(".version 9.0\n.target sm_100a\n.address_size 64\n")->sm, 100u);
}

TEST(Module, HeaderMistakes) {
  EXPECT_EQ(error_of(""),
            "test.ptx:1:1: error: expected `.version` at the beginning of the module, found the end of the file");
  EXPECT_THAT(error_of(".target sm_20\n"), HasSubstr("test.ptx:1:1: error: expected `.version`"));
  EXPECT_THAT(error_of(".version 7\n"), HasSubstr("expected a version such as `7.8`"));
  EXPECT_THAT(error_of(".version 10.0\n.target sm_70"), HasSubstr("PTX ISA version 10.0 is not known"));
  EXPECT_THAT(error_of(".version 7.0\n.address_size 64"),
              HasSubstr("test.ptx:2:1: error: expected `.target` behind `.version`"));
  EXPECT_THAT(error_of(".version 7.0\n.target sm_x"), HasSubstr("expected a target such as `sm_70`, found `sm_x`"));
  EXPECT_THAT(error_of(".version 7.0\n.target sm_70, debg"), HasSubstr("unknown target `debg`; did you mean `debug`?"));
  EXPECT_THAT(error_of(".version 7.0\n.target debug"), HasSubstr("expected a target architecture"));
  EXPECT_THAT(error_of(".version 7.0\n.target sm_70\n.address_size 16"),
              HasSubstr("the address size is 32 or 64, not 16"));
  EXPECT_THAT(error_of(header() + ".version 7.0"), HasSubstr("a second `.version`"));
  EXPECT_THAT(error_of(header() + ".globl .u32 x;"), HasSubstr("did you mean `.global`?"));
  EXPECT_THAT(error_of(header() + "x"), HasSubstr("expected a directive at module scope, found `x`"));
  EXPECT_THAT(error_of(header() + ".reg .u32 x;"), HasSubstr("registers are declared inside functions"));
}

TEST(Declaration, NamesWithNumbers) {
  const auto module =
      test::parse(header() +
                  ".global .align 8 .u32 x<3>, y;\n.shared .v2 .f32 s<2>;\n"
                  ".entry k() { .local .b64 l<2>; .reg .b64 a<2>; mov.b64 a1, l1; mov.b64 a0, x2; ret; }");
  ASSERT_EQ(module->variables.size(), 6u);
  EXPECT_EQ(module->variables[2].name, "x2");
  EXPECT_EQ(module->variables[2].align, 8u);
  EXPECT_EQ(module->variables[5].name, "s1");
  EXPECT_EQ(module->variables[5].bytes, 8u);
  const Function& k = *module->find_function("k");
  ASSERT_EQ(k.variables.size(), 2u);
  EXPECT_EQ(k.variables[1].name, "l1");
  EXPECT_EQ(k.instructions[0].operands[1].symbol, (Symbol{SymbolKind::function_variable, 1}));
  EXPECT_EQ(k.instructions[1].operands[1].symbol, (Symbol{SymbolKind::module_variable, 2}));

  for (const char* where : {"", ".entry k() { "}) {
    EXPECT_THAT(error_of(header() + where + ".global .u32 x[2]<3>;"),
                HasSubstr("an array cannot be declared by `<n>`"));
    EXPECT_THAT(error_of(header() + where + ".global .u32 x<-3>;"),
                HasSubstr("a number of variables cannot be negative"));
    EXPECT_THAT(error_of(header() + where + ".global .u32 x<3;"),
                HasSubstr("expected `>` after the number of variables"));
    EXPECT_THAT(error_of(header() + where + ".global .u32 x<3> = 5;"), HasSubstr("expected `;` after the declaration"));
    EXPECT_THAT(error_of(header() + where + ".global .u8 x<1048577>;"),
                HasSubstr("more than 1048576 names made by `<n>` in one module"));
    EXPECT_THAT(error_of(header() + where + ".global .u8 x2; .global .u8 x<3>;"), HasSubstr("`x2` is declared twice"));
  }
}

TEST(Declaration, TheVectorStandsBeforeTheType) {
  for (const char* text : {".global .b32 .v2 x;", ".entry k() { .param .b32 .v2 x;", ".entry k() { .reg .b32 .v4 x;",
                           ".entry k(.param .b32 .v2 x)"})
    EXPECT_THAT(error_of(header() + text), HasSubstr("` stands before the type: `.v")) << text;
  EXPECT_THAT(error_of(header() + ".global .b32 .v2 x;"),
              HasSubstr("test.ptx:4:14: error: `.v2` stands before the type: `.v2 .b32`"));
  EXPECT_NO_THROW(test::parse(header() + ".global .v2 .b32 x; .global .b8 .align 8 y[12];"));
}

TEST(Declaration, VariablesOfEverySpace) {
  const auto module =
      test::parse(header() +
                  ".visible .global .align 16 .v4 .f32 position[10];\n.const .u8 c, d;\n.local .b32 l[2][3];\n"
                  ".extern .shared .align 8 .b8 dynamic[];\n.weak .global .f64 w;\n.common .global .u32 m;\n"
                  ".global .attribute(.managed) .u64 shared_with_host;\n.shared .b64 s;");
  const Variable& position = *module->find_variable("position");
  EXPECT_EQ(position.bytes, 160u);
  EXPECT_EQ(position.align, 16u);
  EXPECT_EQ(position.vector, 4u);
  EXPECT_EQ(position.linkage, Linkage::visible);
  EXPECT_EQ(module->find_variable("d")->bytes, 1u);
  EXPECT_THAT(module->find_variable("l")->dims, ElementsAre(2, 3));
  EXPECT_EQ(module->find_variable("l")->bytes, 24u);
  EXPECT_TRUE(module->find_variable("dynamic")->unsized);
  EXPECT_EQ(module->find_variable("dynamic")->bytes, 0u);
  EXPECT_EQ(module->find_variable("w")->align, 8u);
  EXPECT_EQ(module->find_variable("m")->linkage, Linkage::common);
  EXPECT_TRUE(module->find_variable("shared_with_host")->managed);
}

TEST(Declaration, ExternBeforeAndAfterTheDefinition) {
  const auto module =
      test::parse(header() + ".extern .global .u32 x;\n.visible .global .u32 x = 7;\n.extern .global .u32 x;");
  ASSERT_EQ(module->variables.size(), 1u);
  EXPECT_EQ(module->variables[0].linkage, Linkage::visible);
  EXPECT_EQ(module->variables[0].init[0], 7);
}

TEST(Declaration, Mistakes) {
  EXPECT_THAT(error_of(header() + ".global x;"),
              HasSubstr("expected a type, as in `.b32`, before the name, found `x`"));
  EXPECT_THAT(error_of(header() + ".global .u32 .f32 x;"), HasSubstr("a second type, `.f32`"));
  EXPECT_THAT(error_of(header() + ".global .u32 5;"), HasSubstr("expected a name in the declaration, found `5`"));
  EXPECT_THAT(error_of(header() + ".global .pred x;"), HasSubstr("`.pred` values live in registers only"));
  EXPECT_THAT(error_of(header() + ".global .align 3 .u32 x;"), HasSubstr("an alignment is a power of two"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[-1];"), HasSubstr("an array cannot have -1 elements"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[2][];"), HasSubstr("only the first may be left out"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[1000000][1000000];"), HasSubstr("`x` is larger than"));
  EXPECT_THAT(error_of(header() + ".global .u32 x[];"), HasSubstr("`x` has no size"));
  EXPECT_THAT(error_of(header() + ".global .u32 x;\n.global .u32 x;"),
              HasSubstr("test.ptx:5:14: error: `x` is declared twice"));
  EXPECT_THAT(error_of(header() + ".global .u32 x"),
              HasSubstr("expected `;` after the declaration, found the end of the file"));
  EXPECT_THAT(error_of(header() + ".global .texref t;"), HasSubstr("textures and surfaces are not supported yet"));
  EXPECT_THAT(error_of(header() + ".tex .u32 t;"), HasSubstr("textures and surfaces are not supported yet"));
  EXPECT_THAT(error_of(header() + ".global .attribute(.maneged) .u32 x;"), HasSubstr("unknown attribute `.maneged`"));
  EXPECT_THAT(error_of(header() + ".shared .attribute(.managed) .u32 x;"), HasSubstr("is for `.global` variables"));
  std::string deep = ".global .u32 x";
  for (int i = 0; i < 17; ++i) deep += "[1]";
  EXPECT_THAT(error_of(header() + deep + ";"), HasSubstr("more than 16 dimensions"));
}

TEST(Parameters, AreLaidOutInOrder) {
  const auto module = test::parse(
      header() +
      ".entry k(.param .u8 a, .param .u32 b, .param .align 16 .b8 c[20], .param .u64 .ptr .global .align 4 d)\n"
      ".maxntid 128, 2, 1\n.minnctapersm 3\n.maxnreg 64\n{ ret; }");
  const Function& k = *module->find_function("k");
  EXPECT_EQ(k.params[0].offset, 0u);
  EXPECT_EQ(k.params[1].offset, 4u);
  EXPECT_EQ(k.params[2].offset, 16u);
  EXPECT_EQ(k.params[3].offset, 40u);
  EXPECT_EQ(k.param_bytes, 48u);
  EXPECT_TRUE(k.params[3].pointer);
  EXPECT_EQ(k.params[3].pointer_space, Space::global);
  EXPECT_EQ(k.params[3].pointer_align, 4u);
  EXPECT_THAT(k.max_threads, ElementsAre(128, 2, 1));
  EXPECT_EQ(k.min_ctas_per_sm, 3u);
  EXPECT_EQ(k.max_registers, 64u);
}

TEST(Parameters, LimitDependsOnTheVersion) {
  const std::string body = ".entry k(.param .b8 p[5000]) { ret; }";
  EXPECT_NO_THROW(test::parse(".version 8.1\n.target sm_70\n" + body));
  EXPECT_THAT(error_of(".version 7.8\n.target sm_70\n" + body),
              HasSubstr("kernel `k` has 5000 bytes of parameters; PTX ISA 7.8 allows 4352"));
  EXPECT_THAT(error_of(".version 1.4\n.target sm_10\n.entry k(.param .b8 p[257]) { ret; }"), HasSubstr("allows 256"));
}

TEST(Parameters, Mistakes) {
  EXPECT_THAT(error_of(header() + ".entry k(.param .u32 a, .param .u32 a) { ret; }"),
              HasSubstr("there already is a parameter `a`"));
  EXPECT_THAT(error_of(header() + ".entry k(.reg .u32 a) { ret; }"), HasSubstr("kernels take `.param` only"));
  EXPECT_THAT(error_of(header() + ".entry k(.param .b8 a[]) { ret; }"),
              HasSubstr("parameter `a` of kernel `k` has no size"));
  EXPECT_THAT(error_of(header() + ".entry k(.u32 a) { ret; }"),
              HasSubstr("expected `.param` or `.reg` before a parameter"));
  EXPECT_THAT(error_of(header() + ".entry k(.param .u32 a { ret; }"), HasSubstr("expected `)` after the parameters"));
  EXPECT_THAT(error_of(header() + ".entry k(.param .u32 a)\nret;"),
              HasSubstr("expected `{` or `;` after the declaration of `k`"));
  EXPECT_THAT(error_of(header() + ".entry k() .maxtid 5 { ret; }"), HasSubstr("unknown directive `.maxtid`"));
  EXPECT_THAT(error_of(header() + ".entry k() .maxntid 0 { ret; }"), HasSubstr("the number of threads cannot be zero"));
  EXPECT_THAT(error_of(header() + ".entry k() .maxnreg -1 { ret; }"),
              HasSubstr("the number of registers is out of range"));
  EXPECT_THAT(error_of(header() + ".entry k() .explicitcluster { ret; }"), HasSubstr("clusters are not supported yet"));
}

TEST(Module, DebugSectionsAndFilesAreRead) {
  const auto module = test::parse(
      ".version 7.8\n.target sm_70, debug\n.address_size 64\n.file 1 \"a.cu\", 1234, 56\n.file 3 \"b.h\"\n"
      ".visible .entry k()\n{\n.loc 1 10 3\nL: .loc 3 7 1, function_name L+4, inlined_at 1 10 3\n"
      "ret;\n}\n.section .debug_abbrev\n{\n.b8 1\n.b32 L\n.b64 { 1 }\n}\n");
  EXPECT_EQ(module->files[1], "a.cu");
  const Instruction& ret = test::first_instruction(*module);
  EXPECT_EQ(module->files[ret.source.file], "b.h");
  EXPECT_EQ(ret.source.line, 7u);
  const auto late = test::parse(
      header() +
      ".visible .entry k() { .loc 2 5 1\nret; }\n.visible .entry other() { .loc 9 5 1\nret; }\n.file 2 \"late.cu\"\n");
  EXPECT_EQ(late->files[test::first_instruction(*late).source.file], "late.cu") << "nvcc writes .file at the end";
  EXPECT_EQ(late->find_function("other")->instructions[0].source.file, no_index) << "no such file";
  EXPECT_THAT(error_of(header() + ".section .debug_info { .b8 1"), HasSubstr("this `{` has no matching `}`"));
  EXPECT_THAT(error_of(header() + ".section .debug_info ;"),
              HasSubstr("expected `{` before the contents of the section"));
  EXPECT_THAT(error_of(header() + ".file 1 x"), HasSubstr("expected the name of the file in quotes"));
  EXPECT_THAT(error_of(header() + ".file 99999999 \"x\""), HasSubstr("file number 99999999 is out of range"));
  EXPECT_THAT(test::kernel_error(".loc 1 2 3, inlined 1 2 3"), HasSubstr("expected `function_name` or `inlined_at`"));
  EXPECT_THAT(test::kernel_error(".pragma nounroll;"), HasSubstr("expected the text of the pragma in quotes"));
}

TEST(Module, TypesOfInstructionsAreNoTypesOfVariables) {
  EXPECT_EQ(error_of(header() + ".global .e4m3x2 x;"),
            "test.ptx:4:9: error: `.e4m3x2` is a type of instructions only: declare `.b16`");
  EXPECT_THAT(error_of(header() + ".global .u4 x;"), HasSubstr("`.u4` is a type of instructions only: declare `.b8`"));
  EXPECT_THAT(test::kernel_error("{ .reg .f32x2 r; }"),
              HasSubstr("`.f32x2` is a type of instructions only: declare `.b64`"));
}

}  // namespace
}  // namespace syncline::isa
