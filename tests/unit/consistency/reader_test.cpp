#include "consistency/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/error_of.h"

namespace syncline::consistency {
namespace {

using testing::HasSubstr;

const char* const message_passing = R"(PTX MP+rel-acq (a name is the rest of its line)
"What is written before a release"
"is seen behind an acquire"
(* comments *)
{
x=0; y = -3;   // initial values
P1:r1=7; 0:r9=0x10
}
 P0@cta 0,gpu 1          | P1@cta 2,gpu 1,sm 4      ;
 st.weak x, 1            | ld.acquire.gpu r1, y     ;
 st.release.gpu [y], r9  | bne r1, 1, LC00          ;
 fence.sc.sys            | atom.cas.acq_rel.cta r2, x, 0, r1 ;
 bar.cta.sync 3, 1, 64   | LC00: red.min x, 5       ;
                         | add r3, r1, 2            ;
~exists (P1:r1 == 1 /\ ~(P1:r2 != 0 \/ [x] = 3))
)";

TEST(Reader, ReadsEveryPartOfATest) {
  const Program p = read_litmus(message_passing, "mp.litmus");
  EXPECT_EQ(p.name, "MP+rel-acq (a name is the rest of its line)");
  EXPECT_EQ(p.comment, "What is written before a release is seen behind an acquire");
  ASSERT_EQ(p.locations.size(), 2U);
  EXPECT_EQ(p.locations[1].initial, -3);
  ASSERT_EQ(p.threads.size(), 2U);
  EXPECT_EQ(p.threads[1].cta, 2U);
  EXPECT_EQ(p.threads[1].sm, 4U);
  EXPECT_EQ(p.threads[0].registers[0].initial, 16);

  const auto& p0 = p.threads[0].instructions;
  ASSERT_EQ(p0.size(), 4U);
  EXPECT_EQ(p0[1].semantics, Semantics::release);
  EXPECT_EQ(p0[1].scope, Scope::gpu);
  EXPECT_TRUE(p0[1].a.reg.has_value());
  EXPECT_EQ(p0[1].text, "st.release.gpu [y], r9");
  EXPECT_EQ(p0[1].where.line, 11U);
  EXPECT_EQ(p0[3].instance, 3U);
  EXPECT_EQ(p0[3].barrier.value, 1);
  EXPECT_EQ(p0[3].count->value, 64);

  const auto& p1 = p.threads[1].instructions;
  EXPECT_EQ(p1[1].kind, InstructionKind::branch);
  EXPECT_EQ(p1[1].target, 3U);
  EXPECT_EQ(p1[2].atomic, AtomicOp::cas);
  EXPECT_EQ(p1[2].semantics, Semantics::acq_rel);
  EXPECT_EQ(p1[3].kind, InstructionKind::reduction);
  EXPECT_EQ(p1[3].scope, Scope::gpu) << "the scope of an atomic that names none";
  EXPECT_EQ(p1[4].kind, InstructionKind::alu);
  EXPECT_EQ(p.quantifier, Quantifier::not_exists);
}

TEST(Reader, TheConditionIsAboutTheFinalState) {
  const Program p = read_litmus(message_passing, "mp.litmus");
  State state;
  for (const Observable& o : p.observables) {
    const std::string name = p.name_of(o);
    state.push_back(name == "P1:r1" ? 1 : 0);
  }
  EXPECT_TRUE(p.is_witness(state)) << p.show(state);
  state.back() = state[state.size() - 2] = 3;
  EXPECT_FALSE(p.is_witness(state)) << p.show(state);
}

TEST(Reader, ForallIsWitnessedByAStateThatBreaksIt) {
  const Program p = read_litmus("PTX t\n{ x=0; }\n P0 ;\n st.weak x, 1 ;\nforall (x=1)", "t");
  EXPECT_TRUE(p.is_witness({0}));
  EXPECT_FALSE(p.is_witness({1}));
}

TEST(Reader, LdWithAConstantMoves) {
  const Program p = read_litmus("PTX t\n{ x=0; }\n P0 ;\n ld r0, 2 ;\n mov r1, r0 ;\nexists (P0:r1=2)", "t");
  EXPECT_EQ(p.threads[0].instructions[0].kind, InstructionKind::move);
  EXPECT_EQ(p.threads[0].instructions[0].a.value, 2);
}

struct Mistake {
  const char* text;
  const char* message;
};

class ReaderMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(ReaderMistakes, AreToldWithTheirPlace) {
  try {
    read_litmus(GetParam().text, "t.litmus");
    FAIL() << "accepted: " << GetParam().text;
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ReaderMistakes,
    testing::Values(
        Mistake{"X86 t", "t.litmus:1:1: error: expected `PTX` at the head of the file"},
        Mistake{"PTX t\nx=0;", "t.litmus:2:1: error: expected `{` before the initial values, found `x`"},
        Mistake{"PTX t\n{ x=0;", "t.litmus:2:7: error: expected a location or a register"},
        Mistake{"PTX t\n{ x=0 y=0; }", "t.litmus:2:7: error: expected `;` behind an initial value"},
        Mistake{"PTX t\n{ x=y; }", "t.litmus:2:5: error: expected an initial value, found `y`"},
        Mistake{"PTX t\n{ 1=2; }", "t.litmus:2:3: error: expected `:` behind the number of a thread"},
        Mistake{"PTX t\n{ P2:r0=1; }\n P0 ;", "t.litmus:2:3: error: unknown thread `P2`; did you mean `P0`?"},
        Mistake{"PTX t\n{}\n P1 ;", "t.litmus:3:2: error: expected `P0`, found `P1`"},
        Mistake{"PTX t\n{}\n P0@ctx 0 ;", "t.litmus:3:5: error: unknown place `ctx`; did you mean `cta`?"},
        Mistake{"PTX t\n{}\n P0@cta -1 ;", "t.litmus:3:9: error: expected a number from 0, found `-1`"},
        Mistake{"PTX t\n{}\n P0@cta 0,sm 0 | P1@cta 0,sm 1 ;", "expected the same `sm` for both"},
        Mistake{"PTX t\n{}\n P0 ;\n lod r0, x ;", "t.litmus:4:2: error: unknown instruction `lod`; did you mean `ld`?"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.relaxd.gpu r0, x ;",
                "t.litmus:4:5: error: `ld` has no qualifier `.relaxd`; did you mean `relaxed`?"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.release.gpu r0, x ;", "`ld` has no qualifier `.release`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.relaxed r0, x ;", "needs a scope; expected .cta, .gpu or .sys"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.weak.gpu r0, x ;", "a weak or volatile `ld` takes no scope"},
        Mistake{"PTX t\n{}\n P0 ;\n st.release x, 1 ;", "a relaxed or releasing `st` needs a scope"},
        Mistake{"PTX t\n{}\n P0 ;\n st.volatile.sys x, 1 ;", "a weak or volatile `st` takes no scope"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.acquire.gpu.cta r0, x ;", "`ld` has a second scope, `.cta`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.acquire.gpu r0, 1 ;", "expected a location behind `ld.acquire`, found `1`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0 x ;", "t.litmus:4:8: error: expected `,` between operands, found `x`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld y, x ;", "expected a register (r0, r1, ...), found `y`"},
        Mistake{"PTX t\n{}\n P0 ;\n st x, y ;", "expected a register (r0, r1, ...) or a number, found `y`"},
        Mistake{"PTX t\n{}\n P0 ;\n st r0, 1 ;", "expected a location, found the register `r0`"},
        Mistake{"PTX t\n{}\n P0 ;\n st [x, 1 ;", "expected `]` behind the location"},
        Mistake{"PTX t\n{}\n P0 ;\n atom.relaxed.gpu r0, x, 1 ;",
                "`atom` needs an operation; expected one of: add, sub"},
        Mistake{"PTX t\n{}\n P0 ;\n fence.sc ;", "`fence` needs a scope"},
        Mistake{"PTX t\n{}\n P0 ;\n membar ;", "`membar` needs a level; expected .cta, .gl or .sys"},
        Mistake{"PTX t\n{}\n P0 ;\n membar.gpu ;", "`membar` has no qualifier `.gpu`"},
        Mistake{"PTX t\n{}\n P0 ;\n bar.cta 0 ;", "`bar` needs `.sync` or `.arrive`"},
        Mistake{"PTX t\n{}\n P0 ;\n bar.sync r0 ;", "expected the number of the barrier's instance, found `r0`"},
        Mistake{"PTX t\n{}\n P0 ;\n bar.sync -1 ;", "expected the number of the barrier's instance from 0"},
        Mistake{"PTX t\n{}\n P0 ;\n goto LC1 ;\n LC0: ;\nexists (true)",
                "t.litmus:4:7: error: unknown label `LC1`; did you mean `LC0`?"},
        Mistake{"PTX t\n{}\n P0 ;\n goto LC1 ;\nexists (true)", "unknown label `LC1`; the thread has none"},
        Mistake{"PTX t\n{}\n P0 ;\n LC0: ;\n LC0: ;", "the label `LC0` stands twice in P0"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x | ld r0, x ;", "expected `;`: the table has 1 columns"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x st ;", "expected `|` or `;` behind an instruction, found `st`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;", "expected `exists`, `~exists` or `forall`, found the end of the file"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (P0:r1=0)",
                "t.litmus:5:12: error: the test has no register `P0:r1`; did you mean `P0:r0`?"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (z=0)", "the test has no location `z`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (x|0)",
                "expected `=` (or `==`, `!=`, `<`, `<=`, `>`, `>=`) in the condition, found `|`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (x=0", "expected `)` behind a part of the condition"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (x=0) x", "or the end of the file, found `x`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nexists (/\\)", "expected a register (P0:r0), a location or a number"},
        Mistake{"PTX t\n\"open", "t.litmus:2:1: error: the string that begins here has no closing"},
        Mistake{"PTX t\n(* open", "t.litmus:2:1: error: the comment that begins here has no `*)`"},
        Mistake{"PTX t\n{ x=99999999999; }", "does not fit a word of 32 bits"},
        Mistake{"PTX t\n{ x=1a; }", "t.litmus:2:5: error: `1a` is no number"},
        Mistake{"PTX t\n{ x=$; }", "t.litmus:2:5: error: `$` means nothing in a litmus test"}));

TEST(Reader, FilesThatCannotBeReadAreNamed) {
  const auto message = [](const char* path) { return test::error_of([&] { load_litmus(path); }); };
  EXPECT_EQ(message("/nowhere/t.litmus"), "/nowhere/t.litmus: error: the litmus test cannot be read: no such file");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: error: the litmus test cannot be read: it is not a regular file");
}

}  // namespace
}  // namespace syncline::consistency
