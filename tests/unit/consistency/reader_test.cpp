#include "consistency/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cstring>
#include <ostream>

#include "consistency/refusal.h"
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

/// For the name of a test: how a message begins, without what CMake's lists mean something by.
void print_beginning(const char* message, std::ostream& out) {
  for (const char* c = message; *c != '\0' && *c != ';'; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0 || std::strchr(" .:", *c) != nullptr) out << *c;
  }
}

void PrintTo(const Mistake& mistake, std::ostream* out) {
  print_beginning(mistake.message, *out);
}

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
        Mistake{"PTX t\n{}\n P0@cta 0,gpu 0,gpu 1 | P1@cta 1 ;",
                "t.litmus:3:17: error: `gpu` stands twice in the place of `P0`"},
        Mistake{"PTX t\n{}\n P0 | P1@cta 0,cta 5 ;", "t.litmus:3:16: error: `cta` stands twice in the place of `P1`"},
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
        Mistake{"PTX t\n{}\n P0 ;\n bar.sync 0, -1 ;", "expected the number of the barrier from 0, found `-1`"},
        Mistake{"PTX t\n{}\n P0 ;\n bar.sync 0, 1, 0 ;", "t.litmus:4:17: error: expected a count of threads from 1"},
        Mistake{"PTX t\n{}\n P0 ;\n bar.sync.arrive 0 ;", "t.litmus:4:2: error: `bar` needs `.sync` or `.arrive`"},
        Mistake{"PTX t\n{}\n P0 ;\n tld.weak r0, 1 ;", "expected a location behind `tld.weak`, found `1`"},
        Mistake{"PTX t\n{ y @ surface x; }", "t.litmus:2:15: error: expected `aliases` behind the proxy, found `x`"},
        Mistake{"PTX t\n{ x=0; x @ surface aliases y; }", "t.litmus:2:8: error: the location `x` stands here twice"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nlocations x", "expected `[` behind `locations`, found `x`"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nlocations [x;", "expected `]` behind the locations"},
        Mistake{"PTX t\n{}\n P0 ;\n ld r0, x ;\nlocations [x] ld", "expected a condition, found `ld`"},
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
        Mistake{"PTX t\n{ x=4294967295; }",
                "t.litmus:2:5: error: `4294967295` does not fit a word of 32 bits, which is -2147483648 to 2147483647 "
                "here"},
        Mistake{"PTX t\n{ x=0; y=1; x=1; }", "t.litmus:2:13: error: `x` has two initial values, 0 and 1; expected one"},
        Mistake{"PTX t\n{ x=0; y @ generic aliases x; y=2; }", "`x` has two initial values, 0 and 2"},
        Mistake{"PTX t\n{ P0:r0=1; 0:r0=2; }", "t.litmus:2:12: error: `P0:r0` has two initial values, 1 and 2"},
        Mistake{"PTX t\n{}\n P0 ;\n ld.volatile.acquire r0, x ;",
                "t.litmus:4:2: error: a volatile `ld` is relaxed.sys; expected no other semantics"},
        Mistake{"PTX t\n{}\n P0 ;\n st.release.volatile x, 1 ;", "a volatile `st` is relaxed.sys"},
        Mistake{"PTX t\n{ x=1a; }", "t.litmus:2:5: error: `1a` is no number"},
        Mistake{"PTX t\n{ x=$; }", "t.litmus:2:5: error: `$` means nothing in a litmus test"}));

struct Named {
  const char* text;
  const char* message;
  const char* construct;
};

void PrintTo(const Named& refused, std::ostream* out) {
  print_beginning(refused.message, *out);
}

class ReaderRefusals : public testing::TestWithParam<Named> {};

TEST_P(ReaderRefusals, NameWhatIsNotJudgedAndItsPlace) {
  try {
    read_litmus(GetParam().text, "t.litmus");
    FAIL() << "accepted: " << GetParam().text;
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr(GetParam().message));
    EXPECT_EQ(refusal.construct(), GetParam().construct);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ReaderRefusals,
    testing::Values(
        Named{"PTX t\n{}\n P0 ;\n div r0, r1, 2 ;", "t.litmus:4:2: error: unknown instruction `div`", "`div`"},
        Named{"PTX t\n{}\n P0 ;\n ld.v2.weak r0, x ;", "t.litmus:4:5: error: `ld` has no qualifier `.v2`", "`ld.v2`"},
        Named{"PTX t\n{}\n P0 ;\n ld.acquire.cluster r0, x ;", "`ld` has no qualifier `.cluster`", "`ld.cluster`"},
        Named{"PTX t\n{}\n P0 ;\n atom.relaxed.gpu.mul r0, x, 1 ;", "`atom` has no qualifier `.mul`", "`atom.mul`"},
        Named{"PTX t\n{}\n P0 ;\n bar.cta.red.popc r0, 0 ;", "`bar` has no qualifier `.red`", "`bar.red`"},
        Named{"PTX t\n{}\n P0 ;\n fence.proxy.async ;",
              "t.litmus:4:14: error: there is no `fence.proxy.async` here; expected one of: alias, texture, surface, "
              "constant",
              "`fence.proxy.async`"},
        Named{"PTX t\n{}\n P0 ;\n fence.proxy.surfce ;", "`fence.proxy.surfce` here; did you mean `surface`?",
              "`fence.proxy.surfce`"},
        Named{"PTX t\n{}\n P0 ;\n fence.proxy ;", "there is no `fence.proxy` here", "`fence.proxy`"},
        Named{"PTX t\n{}\n P0 ;\n fence.proxy.alias.cta ;", "there is no `fence.proxy.alias.cta` here",
              "`fence.proxy.alias.cta`"},
        Named{"PTX t\n{ x=0; P0:r0=x; }", "t.litmus:2:14: error: expected an initial value, found `x`",
              "an address as an initial value"},
        Named{"PTX t\n{ x=0; y=&x; }", "t.litmus:2:10: error: expected an initial value, found `&`",
              "an address as an initial value"},
        Named{"PTX t\n{ x=0; y @ async aliases x; }",
              "t.litmus:2:12: error: unknown proxy `async`; expected one of: generic", "the proxy `async`"},
        Named{"PTX t\n{}\n P0 ;\n ld r0, x ;\nfilter (x=0)\nexists (x=0)",
              "t.litmus:5:1: error: expected `exists`, `~exists` or `forall`, found `filter`",
              "`filter` in the place of a condition"}));

TEST(Reader, AnInitialValueMayBeSaidAgain) {
  const Program p = read_litmus("PTX t\n{ x=3; P0:r0=2; 0:r0=2; x=3; }\n P0 ;\n st x, r0 ;\nexists (x=2)", "t");
  EXPECT_EQ(p.locations.at(0).initial, 3);
  EXPECT_EQ(p.threads.at(0).registers.at(0).initial, 2);
}

std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += text;
  return all;
}

TEST(Reader, ConditionsMayBeLongAndNotDeep) {
  const std::string test = "PTX t\n{ x=0; }\n P0 ;\n st x, 1 ;\nexists ";
  const auto holds = [&](const std::string& condition) {
    return read_litmus(test + condition, "t.litmus").proposition.holds({1});
  };
  EXPECT_TRUE(holds("(" + repeated("x=1 /\\ ", 200'000) + "x=1)"));
  EXPECT_TRUE(holds("(" + repeated("x=0 \\/ ", 200'000) + "x=1)"));
  EXPECT_TRUE(holds(repeated("(", 200) + "x=1" + repeated(")", 200)));
  EXPECT_TRUE(holds(repeated("~", 200) + " x=1"));
  for (const std::string deep : {"(", "~"}) {
    EXPECT_THAT(test::error_of([&] { holds(repeated(deep, 1'000'000)); }),
                HasSubstr("t.litmus:5:208: error: the condition is nested more than 200 deep"));
  }
}

TEST(Reader, ADescriptionMayHoldQuotes) {
  const Program p = read_litmus(
      "PTX t\n\"\na \"quoted\" word // no comment\n  \"last\"\n\"\n(* { *) { x=0; }\n P0 ;\n st x, 1 ;\nexists (x=1)",
      "t");
  EXPECT_EQ(p.comment, "a \"quoted\" word // no comment \"last\"");
  EXPECT_EQ(p.locations.size(), 1U);
}

TEST(Reader, ReadsProxiesAndAliases) {
  const Program p = read_litmus(
      "ptx t\n{ x=3; y @ generic aliases x; s @ surface aliases y; z=0; }\n P0 ;\n tld.weak r0, x ;\n sust.weak s, 1 "
      ";\n"
      " suld.weak r1, y ;\n cold.weak r2, z ;\n suatom.relaxed.gpu.add r3, s, 1 ;\n sured.relaxed.gpu.add s, 1 ;\n"
      " fence.proxy.alias ;\n fence.proxy.constant ;\n ld r4, 7 ;\nexists (y=3 /\\ s=3)",
      "t");
  ASSERT_EQ(p.locations.size(), 2U);
  EXPECT_EQ(p.names.size(), 4U);
  const auto& i = p.threads[0].instructions;
  EXPECT_EQ(i[0].proxy, Proxy::texture);
  EXPECT_EQ(i[1].proxy, Proxy::surface);
  EXPECT_EQ(i[1].location, i[0].location);
  EXPECT_NE(i[1].address, i[0].address);
  EXPECT_EQ(i[1].address, i[2].address);
  EXPECT_EQ(i[3].proxy, Proxy::constant);
  EXPECT_EQ(i[4].kind, InstructionKind::atomic);
  EXPECT_EQ(i[5].kind, InstructionKind::reduction);
  EXPECT_EQ(i[6].proxy, Proxy::alias);
  EXPECT_EQ(i[7].kind, InstructionKind::proxy_fence);
  EXPECT_EQ(i[8].kind, InstructionKind::move);
  EXPECT_TRUE(p.has_proxies());
  EXPECT_TRUE(p.is_witness({0, 0, 0, 0, 0, 3, 0})) << "memory is asked by any name";
}

TEST(Reader, AliasesThatNobodyUsesAreNoProxies) {
  EXPECT_FALSE(
      read_litmus("PTX t\n{ x=0; s @ surface aliases x; }\n P0 ;\n st x, 1 ;\nexists (x=1)", "t").has_proxies());
  EXPECT_FALSE(
      read_litmus("PTX t\n{ x=0; y @ generic aliases x; }\n P0 ;\n st y, 1 ;\nexists (x=1)", "t").has_proxies());
}

TEST(Reader, ReadsBarriersThatArriveAndCount) {
  const Program p = read_litmus(
      "PTX t\n{ P0:r1=2; }\n P0 ;\n bar.cta.arrive 1 ;\n barrier.sync 2, r1 ;\n bar.cta.sync 0, 3, r1 ;\nexists (true)",
      "t");
  const auto& i = p.threads[0].instructions;
  EXPECT_TRUE(i[0].arrives_only);
  EXPECT_FALSE(i[0].count.has_value());
  EXPECT_EQ(i[1].barrier.reg, 0U);
  EXPECT_EQ(i[1].instance, 2U);
  EXPECT_EQ(i[2].count->reg, 0U);
}

TEST(Reader, BranchesMayGoBack) {
  const Program p = read_litmus(
      "PTX t\n{}\n P0 ;\n LC0: ld r0, x ;\n bne r0, 1, LC1 ;\n goto LC0 ;\n LC1: ;\nexists (x <= 1 /\\ x >= 0)", "t");
  EXPECT_TRUE(p.has_loop());
  EXPECT_EQ(p.threads[0].instructions[2].target, 0U);
  EXPECT_EQ(p.threads[0].instructions[1].target, 3U);
  EXPECT_TRUE(p.is_witness({0, 1}));
  EXPECT_FALSE(p.is_witness({0, 2}));
}

TEST(Reader, AReductionKeepsWhatPtxHasOfItsSemantics) {
  const Program p =
      read_litmus("PTX t\n{}\n P0 ;\n red.acq_rel.gpu.add x, 1 ;\n red.acquire.gpu.inc x, 1 ;\nexists (true)", "t");
  EXPECT_EQ(p.threads[0].instructions[0].semantics, Semantics::release);
  EXPECT_EQ(p.threads[0].instructions[1].semantics, Semantics::relaxed);
  EXPECT_EQ(p.threads[0].instructions[1].atomic, AtomicOp::inc);
}

TEST(Vocabulary, IncrementAndDecrementGoRound) {
  EXPECT_EQ(applied(AtomicOp::inc, 3, 4, 0), 4);
  EXPECT_EQ(applied(AtomicOp::inc, 4, 4, 0), 0);
  EXPECT_EQ(applied(AtomicOp::inc, -1, 4, 0), 0) << "as unsigned words";
  EXPECT_EQ(applied(AtomicOp::dec, 3, 4, 0), 2);
  EXPECT_EQ(applied(AtomicOp::dec, 0, 4, 0), 4);
  EXPECT_EQ(applied(AtomicOp::dec, 9, 4, 0), 4);
}

TEST(Reader, FilesThatCannotBeReadAreNamed) {
  const auto message = [](const char* path) { return test::error_of([&] { load_litmus(path); }); };
  EXPECT_EQ(message("/nowhere/t.litmus"), "/nowhere/t.litmus: error: the litmus test cannot be read: no such file");
  EXPECT_EQ(message("/dev/zero"), "/dev/zero: error: the litmus test cannot be read: it is not a regular file");
}

}  // namespace
}  // namespace syncline::consistency
