// What every missing or misplaced piece of syntax is answered with.
#include <gmock/gmock.h>

#include "tests/unit/ptx/support.h"

namespace syncline::isa {
namespace {

using ::testing::HasSubstr;

struct Case {
  const char* text;
  const char* message;
};

TEST(SyntaxError, InBodies) {
  for (const Case& c : std::initializer_list<Case>{
           {".reg .v8 .f32 v;", "a vector register has 2 or 4 elements"},
           {".reg .b32 5;", "expected the name of a register, found `5`"},
           {".reg .b32 a<3;", "expected `>` after the number of registers"},
           {".reg .b32 a<1.5>;",
            "expected the number of registers, an integer constant, found a floating-point constant"},
           {".reg .b32 a<>;", "expected the number of registers, an integer constant, found `>`"},
           {".local .b32 a", "expected `;` after the declaration, found `done`"},
           {"t: .branchtargets done", "expected `;` after the directive, found `done`"},
           {"t: .branchtargets 5;", "expected a label, found `5`"},
           {"t: .calltargets 5;", "expected the name of a function, found `5`"},
           {"t: .callprototype 5;", "expected `_` in the prototype, found `5`"},
           {"call (%b1) callee;", "expected `,` before the function that is called, found `callee`"},
           {"call (%b1), 5;", "expected the function that is called, found `5`"},
           {"call (%b1), callee, (%b1;", "expected `)` after the list of the call, found `;`"},
           {"call %q1, (5), 5;", "expected the name of a target list, found `5`"},
           {"brx.idx %u1;", "expected `,` before the name of the `.branchtargets` table"},
           {"t: .calltargets callee; brx.idx %u1, t;", "but `t` is a `.calltargets` list"},
           {"mov.u32 %u1, 1 ? 2;", "expected `:` between the two values of `? :`"},
           {"mov.u32 %u1, (.u64 5;", "expected `)` after the type of the cast"},
           {"mov.u32 %u1, (1+2;", "expected `)` after the constant expression"},
           {"mov.u32 %u1, 1+;", "expected a constant, found `;`"},
           {"mov.f64 %d1, 1.5x;", "`1.5x` is not a floating-point constant"},
           {"mov.u64 %q1, gvar[x];", "expected the index of the element, an integer constant"},
           {"mov.u64 %q1, gvar[1;", "expected `]` after the index"},
           {"isspacep.global %p1, %h1;", "expected a register that holds an address, found `%h1`"},
           {"ld.global.L2::cache_hint.f32;", "cache policy: expected a cache policy"},
           {"= 5;", "expected an instruction, a label, a directive or `}`, found `=`"},
           {".loc -1 2 3", "the file number is out of range: -1"},
           {".loc 1 2 99999999999", "the column is out of range"},
           {".loc x 2 3", "expected the file number, an integer constant, found `x`"},
           {".loc 1 2 3, function_name 5", "expected a label behind `function_name`, found `5`"},
           {".pragma \"a\"", "expected `;` after the pragma, found `done`"},
           {".section 5 {}", "expected the name of the section, found `5`"},
           {".local .u31 a;", "expected a type, `.align` or an attribute in a declaration, found `.u31`"},
           {".local .b32 a[x];", "expected the array size, an integer constant, found `x`"},
           {".local .b32 a[2;", "expected `]` after the array size"},
           {"@%p1 %p2 add.s32 %s1, %s2, %s3;", "unknown opcode `%p2`"},
       })
    EXPECT_THAT(test::kernel_error(c.text), HasSubstr(c.message)) << c.text;
}

TEST(SyntaxError, AtModuleScope) {
  std::string targets = "sm_70";
  for (int i = 0; i < 40; ++i) targets += ", debug";
  EXPECT_THAT(test::error_of(".version 7.8\n.target " + targets), HasSubstr("too many targets"));
  for (const Case& c : std::initializer_list<Case>{
           {".entry 5() { ret; }", "expected the name of the kernel, found `5`"},
           {".func 5() { ret; }", "expected the name of the function, found `5`"},
           {".func f(.reg .u32 a[2]) { ret; }", "registers form no arrays"},
           {".func (5) f() { ret; }", "expected `.param` or `.reg` before a parameter, found `5`"},
           {".func f(.param .align 4 .b8 a[4]);\n.entry k() { call f, (5); ret; }",
            "a constant cannot stand for an array"},
           {".entry k() .minnctapersm x { ret; }", "expected the number of CTAs, an integer constant"},
           {".entry k() .maxntid 1, { ret; }", "expected the number of threads, an integer constant, found `{`"},
           {".entry k() .reqnctapercluster 2 { ret; }",
            "`.reqnctapercluster`: thread block clusters are not supported yet"},
           {".entry k() .minperctamemory 2048 { ret; }",
            "`.minperctamemory`: global memory per CTA is not supported yet"},
           {".entry k() .maxclusterrank 2 { ret; }", "`.maxclusterrank`: thread block clusters are not supported yet"},
           {".entry k() .blocksareclusters { ret; }",
            "`.blocksareclusters`: thread block clusters are not supported yet"},
           {".func a(); .alias 5, b;", "expected the name of the alias, found `5`"},
           {".func a(); .alias a b;", "expected `,` between the alias and the function, found `b`"},
           {".func a(); .alias a, 5;", "expected the function behind the alias, found `5`"},
           {".func a(); .func b() { ret; } .alias a, b", "expected `;` after `.alias`"},
           {".global .attribute .u32 x;", "expected `(` after `.attribute`"},
           {".global .attribute(.managed .u32 x;", "expected `)` after the attribute"},
           {".global .attribute(.unified(1, 2) .u32 x;", "expected `)` after the attribute"},
           {".global .align .u32 x;", "expected the alignment, an integer constant, found `.u32`"},
           {".global .u32 x[] = 5;", "expected `{` before the values of an array without size"},
           {".global .u32 x[] = {1;", "expected `}` after the last value, found `;`"},
           {".global .u32 x[2] = {1;", "expected `}` after the last value, found `;`"},
           {".global .u8 x = 0xFF(x;", "expected `)` after the masked symbol"},
           {".global .u64 x = generic(x;", "expected `)` after the symbol of `generic()`"},
           {".global .u32 x[][0x3FFFFFF] = {{1}};", "too large to be initialised"},
           {".file x \"a\"", "expected the file number, an integer constant, found `x`"},
           {".file 1 \"a\", x", "expected the time or size of the file, an integer constant"},
           {".visible .sampler x;", "textures and surfaces are not supported yet"},
           {".func f(.param .u32 a);\n.entry k() { call f, (1.5); ret; }", "the constant does not fit in .u32"},
           {".visible 5;", "expected `.entry`, `.func` or a variable, found `5`"},
       })
    EXPECT_THAT(test::error_of(test::header() + c.text), HasSubstr(c.message)) << c.text;
}

}  // namespace
}  // namespace syncline::isa
