// Transactions: what control flow proves of them before a kernel runs, what is a fault when it happens, and that each
// is atomic in the emulator, however lanes meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "isa/exec/warp.h"
#include "isa/trace/trace_event.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using ::testing::Each;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// What is said of kernel_of(body) before it runs. The body begins in line 21, behind the lines of `before`.
std::string mistake_of(const std::string& body, const std::string& before = "") {
  return error_of([&] { Machine(kernel_of(body, before)).program("k"); });
}

constexpr const char* marks = ".extern .func __tbegin;\n.extern .func (.param .b32 r) __tcommit(.param .b32 a);\n";

TEST(TransactionMarks, AreInstructionsOrCalls) {
  const std::string both =
      "tx.begin;\n{ .param .b32 a, r; st.param.b32 [a], 7; call.uni (r), __tcommit, (a); ld.param.b32 %r1, [r]; }\n"
      "call.uni __tbegin;\ntx.commit;";
  Machine machine(kernel_of(both, marks));
  const auto program = machine.program("k");
  std::vector<isa::OpKind> kinds;
  for (std::uint32_t pc = 0; pc < program->size(); ++pc) {
    const isa::OpKind kind = program->op(pc).kind;
    if (kind != isa::OpKind::transaction_begin && kind != isa::OpKind::transaction_commit) continue;
    kinds.push_back(kind);
    EXPECT_TRUE(program->op(pc).drains);
  }
  using K = isa::OpKind;
  EXPECT_THAT(kinds, ::testing::ElementsAre(K::transaction_begin, K::transaction_commit, K::transaction_begin,
                                            K::transaction_commit));
  EXPECT_EQ(program->kernel().transaction.str(), "test.ptx:23:1");
  EXPECT_EQ(Machine(kernel_of("")).program("k")->kernel().transaction.line, 0U);
}

TEST(TransactionMarks, MayHaveEmptyBodiesButNoOthers) {
  const std::string empty = ".func __tbegin() { ret; }\n.func __tcommit() { }\n";
  EXPECT_EQ(Machine(kernel_of("call __tbegin;\ncall __tcommit;", empty)).program("k")->kernel().transaction.line, 23U);
  const std::string own = ".func __tbegin() { trap; }\n";
  EXPECT_EQ(Machine(kernel_of("call __tbegin;", own)).program("k")->kernel().transaction.line, 0U);
}

TEST(TransactionMarks, GiveZero) {
  const std::string given = ".extern .func (.reg .b32 r) __tbegin(.reg .b32 a);\n";
  EXPECT_THAT(results_of("mov.u32 %r0, 9;\ncall (%r0), __tbegin, (5);\ntx.commit;", 32, given), Each(0U));
}

TEST(TransactionProof, WhatEndsNone) {
  EXPECT_EQ(mistake_of("tx.commit;"),
            "test.ptx:21:1: error: `tx.commit;` ends no transaction: none that begins in `k` reaches it");
  EXPECT_THAT(mistake_of("tx.begin;\ntx.commit;\n  tx.commit;"), StartsWith("test.ptx:23:3: "));
  EXPECT_THAT(mistake_of("tx.begin;\nbra ON;\nSO:\ntx.commit;\nbra STORE;\nON:\ntx.commit;\nbra SO;"),
              StartsWith("test.ptx:24:1: "));
  EXPECT_THAT(mistake_of("tx.begin;\ncall f;\ntx.commit;", ".func f() { tx.commit; }"),
              HasSubstr("none that begins in `f` reaches it"));
  // Perhaps one does.
  EXPECT_EQ(mistake_of("setp.eq.u32 %p1, %t, 0;\n@%p1 bra ON;\ntx.begin;\nON:\ntx.commit;"), "");
}

TEST(TransactionProof, WhatNeverCommits) {
  EXPECT_EQ(mistake_of("tx.begin;"),
            "test.ptx:24:3: error: `ret;` inside the transaction that begins in line 21: it ends in the function in "
            "which it began, and is not committed");
  EXPECT_THAT(mistake_of("tx.begin;\nsetp.eq.u32 %p1, %t, 0;\n@%p1 ret;\ntx.commit;"), StartsWith("test.ptx:23:6: "));
  EXPECT_THAT(mistake_of("tx.begin;\ntx.begin;\ntx.commit;\n"), HasSubstr("begins in line 22"));
  EXPECT_THAT(mistake_of("call f;", ".func f() { tx.begin; }\n"),
              HasSubstr("`f` ends behind `tx.begin;` inside the transaction that begins in line 4"));
  EXPECT_THAT(mistake_of("LOOP:\ntx.begin;\nsetp.eq.u32 %p1, %t, 0;\n@%p1 bra LOOP;"), HasSubstr("`ret;` inside"));
  // Perhaps it does; or nobody gets to the end.
  EXPECT_EQ(mistake_of("setp.eq.u32 %p1, %t, 0;\n@%p1 bra ON;\ntx.begin;\nON:"), "");
  EXPECT_EQ(mistake_of("tx.begin;\nLOOP:\nbra LOOP;"), "");
}

TEST(TransactionProof, WhatCannotBeInside) {
  const std::string system = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";
  const struct {
    const char *instruction, *why;
  } all[] = {{"bar.sync 0;", "threads of a CTA cannot meet"},
             {"barrier.sync 0;", "threads of a CTA cannot meet"},
             {"bar.red.popc.u32 %r1, 0, %p1;", "threads of a CTA cannot meet"},
             {"bar.warp.sync -1;", "cannot wait for each other"},
             {"shfl.sync.up.b32 %r1, %t, 1, 0, -1;", "cannot wait for each other"},
             {"vote.sync.ballot.b32 %r1, %p1, -1;", "cannot wait for each other"},
             {"match.any.sync.b32 %r1, %t, -1;", "cannot wait for each other"},
             {"redux.sync.add.s32 %r1, %t, -1;", "cannot wait for each other"},
             {"elect.sync _|%p1, -1;", "cannot wait for each other"},
             {"exit;", "cannot commit"},
             {"trap;", "cannot commit"},
             {"alloca.u64 %d1, %d2;", "the stack would grow"},
             {"{ .param .b64 f, a; .param .b32 r; call (r), vprintf, (f, a); }", "cannot be undone"}};
  for (const auto& one : all) {
    const std::string said = mistake_of("tx.begin;\n" + std::string(one.instruction) + "\ntx.commit;", system);
    EXPECT_THAT(said, StartsWith("test.ptx:23:")) << one.instruction;
    EXPECT_THAT(said, HasSubstr("inside the transaction that begins in line 22: ")) << one.instruction;
    EXPECT_THAT(said, HasSubstr(one.why)) << one.instruction;
    EXPECT_EQ(mistake_of("tx.begin;\ntx.commit;\n" + std::string(one.instruction), system), "") << one.instruction;
  }
  for (const char* const may : {"activemask.b32 %r1;", "membar.gl;", "atom.global.add.u32 %r1, [%at], 1;",
                                "nanosleep.u32 1;", "brkpt;", "ld.volatile.global.u32 %r1, [%at];"})
    EXPECT_EQ(mistake_of("tx.begin;\n" + std::string(may) + "\ntx.commit;"), "") << may;
}

TEST(TransactionProof, WhatIsCalledInsideOnly) {
  const std::string meets = ".func meet() {\n bar.sync 0;\n ret; }\n.func through() { call meet; }\n";
  EXPECT_EQ(mistake_of("tx.begin;\ncall through;\ntx.commit;", meets),
            "test.ptx:5:2: error: `bar.sync 0;` inside a transaction: `meet` is called in one only (line 26), and "
            "threads of a CTA cannot meet while their transactions may begin again");
  EXPECT_EQ(mistake_of("call meet;\ntx.begin;\ncall through;\ntx.commit;", meets), "") << "from outside as well";
  EXPECT_THAT(mistake_of("tx.begin;\nmov.u64 %d1, meet;\nP: .callprototype _ ();\ncall %d1, (), P;\ntx.commit;", meets),
              HasSubstr("`meet` is called in one only"));
}

TEST(TransactionProof, MarksHaveNoGuard) {
  EXPECT_EQ(mistake_of("tx.begin;\n@%p1 tx.begin;\ntx.commit;"),
            "test.ptx:22:6: error: `@%p1 tx.begin;` has a guard; branch around it instead");
  EXPECT_THAT(mistake_of("tx.begin;\n@!%p1 tx.commit;"), HasSubstr("has a guard"));
  EXPECT_THAT(mistake_of("@%p1 call __tbegin;\ntx.commit;", marks), HasSubstr("has a guard"));
}

struct MarkedTransactions : ::testing::TestWithParam<const char*> {
  isa::EmulatorConfig config() const {
    isa::EmulatorConfig made;
    made.reconvergence.mechanism = GetParam();
    return made;
  }
  /// What a kernel says that is accepted and fails when it runs.
  std::string fault_of(const std::string& body, const std::string& before = "") {
    const std::string text = kernel_of(body, before);
    return error_of([&] {
      Machine machine(text, config());
      const std::uint64_t out = machine.allocate(256);
      machine.run("k", {1, 1, 1}, {64, 1, 1}, out);
    });
  }
};

TEST_P(MarkedTransactions, WhatDependsOnTheWayIsAFaultWhenItHappens) {
  const std::string some_begin = "setp.ne.u32 %p1, %t, 5;\n@%p1 bra ON;\ntx.begin;\nON:\n";
  EXPECT_EQ(
      fault_of("setp.eq.u32 %p1, %t, 37;\n@%p1 bra ON;\ntx.begin;\nON:\ntx.commit;"),
      "test.ptx:25: `tx.commit;` in kernel `k`: a commit outside of transactions (thread (37, 0, 0) (warp 1, lane "
      "5) of CTA (0, 0, 0) in kernel `k`)");
  EXPECT_THAT(fault_of(some_begin), EndsWith("`ret;` in kernel `k`: inside a transaction: a thread that ends cannot "
                                             "commit it (thread (5, 0, 0) (warp 0, lane 5) of CTA (0, 0, 0) in kernel "
                                             "`k`)"));
  EXPECT_THAT(fault_of(some_begin + "bar.sync 0;\n@%p1 bra STORE;\ntx.commit;"),
              StartsWith("test.ptx:25: `bar.sync 0;` in kernel `k`: inside a transaction: threads of a CTA"));
  EXPECT_THAT(fault_of(some_begin + "bar.warp.sync -1;\n@%p1 bra STORE;\ntx.commit;"), HasSubstr("lanes of a warp"));
  EXPECT_THAT(fault_of(some_begin + "trap;"), HasSubstr("inside a transaction: a thread that ends"));
  EXPECT_THAT(fault_of("call f;\ntx.begin;\ncall f;\ntx.commit;", ".func f() { bar.sync 0; }\n"),
              HasSubstr("`bar.sync 0;` in function `f`: inside a transaction"));
  const std::string perhaps = ".reg .pred p; setp.eq.u32 p, 0, 0; @p bra ON;";
  EXPECT_THAT(fault_of("call f;", ".func f() { " + perhaps + " bra SO; ON: tx.begin; SO: ret; }\n"),
              HasSubstr("the function ends inside a transaction that began in it"));
  EXPECT_THAT(fault_of("tx.begin;\ncall f;\ntx.commit;", ".func f() { " + perhaps + " tx.begin; ON: tx.commit; }\n"),
              HasSubstr("the transaction began in a caller of this function"));
}

TEST_P(MarkedTransactions, WaitAtTheirEndUntilSomebodyDecides) {
  // Lanes of one transaction come to its ends one after the other; some of them nest it again before.
  Machine machine(kernel_of(R"(
  mov.u32 %r0, 0;
  tx.begin;
  add.u32 %r0, %r0, 1;
  and.b32 %r1, %t, 3;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra NESTED;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra EARLY;
  tx.commit;
  bra STORE;
EARLY:
  tx.commit;
  bra STORE;
NESTED:
  tx.begin;
  tx.commit;
  tx.commit;
)"));
  isa::GridContext grid;
  grid.program = machine.program("k");
  grid.block = {32, 1, 1};
  grid.parameters.assign(8, 0);
  isa::Warp warp({GetParam()});
  warp.launch(grid, {0, 0, 0}, 0, 32);
  Clockless host;
  isa::MemoryAccess access;
  base::LaneMask begun = 0, stored = 0;
  std::vector<unsigned> tries(32, 0);
  unsigned decisions = 0;
  while (!warp.finished()) {
    if (warp.blocked()) {
      // Of those that wait, whoever is in the round's set commits; the others begin again.
      const base::LaneMask arrived = warp.arrived();
      ASSERT_NE(arrived, 0U);
      EXPECT_EQ(arrived, warp.in_transaction());
      ASSERT_LT(++decisions, 10U);
      const base::LaneMask passes = arrived & (0x11111111ULL * decisions | (decisions > 3 ? ~base::LaneMask{0} : 0));
      base::for_each_lane(arrived, [&](unsigned lane) { ++tries[lane]; });
      warp.commit(passes);
      if (passes != arrived) {
        EXPECT_EQ(warp.arrived(), arrived & ~passes);
        warp.abort(arrived & ~passes);
        EXPECT_EQ(warp.aborted(), arrived & ~passes);
        EXPECT_EQ(warp.arrived(), 0U);
        warp.restore();
      }
      EXPECT_EQ(warp.in_transaction(), arrived & ~passes);
      continue;
    }
    const isa::Step step = warp.execute(access, host);
    if (step.kind == isa::StepKind::transaction_begin) begun |= step.lanes;
    if (step.kind != isa::StepKind::memory) continue;
    stored |= step.lanes;
    base::for_each_lane(step.lanes, [&](unsigned lane) {
      std::uint32_t value = 0;
      std::memcpy(&value, access.data.data() + 4 * lane, 4);
      EXPECT_EQ(value, 1U) << lane;
    });
  }
  EXPECT_EQ(begun, 0xFFFFFFFFU);
  EXPECT_EQ(stored, 0xFFFFFFFFU);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(tries[lane], lane % 4 == 0 ? 1U : lane % 4 == 1 ? 2U : lane % 4 == 2 ? 4U : 4U) << lane;
}

TEST_P(MarkedTransactions, AnAbortOfTheLastThatRunLetsTheOthersDecide) {
  Machine machine(
      kernel_of("tx.begin;\nsetp.eq.u32 %p1, %t, 0;\n@%p1 bra ZERO;\ntx.commit;\nbra STORE;\nZERO:\n"
                "mov.u32 %r1, 0;\ntx.commit;"));
  isa::GridContext grid;
  grid.program = machine.program("k");
  grid.block = {32, 1, 1};
  grid.parameters.assign(8, 0);
  isa::Warp warp({GetParam()});
  warp.launch(grid, {0, 0, 0}, 0, 32);
  Clockless host;
  isa::MemoryAccess access;
  while (warp.execute(access, host).kind != isa::StepKind::transaction_commit) EXPECT_EQ(warp.arrived(), 0U);
  EXPECT_EQ(warp.arrived(), 0U) << "others run";
  const base::LaneMask runs = warp.active();
  warp.abort(runs);
  EXPECT_TRUE(warp.blocked());
  EXPECT_EQ(warp.arrived(), 0xFFFFFFFFU & ~runs);
  EXPECT_THAT(error_of([&] { warp.restore(); }), HasSubstr("while others of their region run"));
  warp.commit(warp.arrived());
  EXPECT_EQ(warp.aborted(), runs);
  warp.restore();
  EXPECT_EQ(warp.in_transaction(), runs);
}

/// Threads of all warps and CTAs add to a few counters, in ways that lose counts unless each transaction is atomic.
struct Adding : MarkedTransactions {
  static constexpr unsigned ctas = 3, threads = 96;
  /// The kernel's parameter is the counters. Returns `count` of them.
  std::vector<std::uint32_t> counters(const std::string& body, unsigned count, const std::string& before = "",
                                      isa::TraceSink* sink = nullptr) {
    isa::EmulatorConfig made = config();
    made.warp_slice = 5;
    made.cta_slice = 100;
    Machine machine(kernel_of(body + "\nexit;", before), made);
    machine.emulator().subscribe(sink);
    const std::uint64_t out = machine.allocate(4 * ctas * threads);
    machine.run("k", {ctas, 1, 1}, {threads, 1, 1}, out);
    return machine.download<std::uint32_t>(out, count);
  }
};

/// %r1 = the counter at %out + %d1, and one more of it.
const std::string one_more =
    "add.u64 %d2, %out, %d1;\nld.global.u32 %r1, [%d2];\nadd.u32 %r1, %r1, 1;\n"
    "st.global.u32 [%d2], %r1;\n";

TEST_P(Adding, NoCountIsLost) {
  EXPECT_EQ(counters("mov.u64 %d1, 0;\ntx.begin;\n" + one_more + "tx.commit;", 1), std::vector<std::uint32_t>{288});
}

TEST_P(Adding, UnderTracesToo) {
  struct Counts final : isa::TraceSink {
    void event(const isa::TraceEvent& e) override {
      if (e.op->kind == isa::OpKind::transaction_begin) begun += base::lane_count(e.guarded);
      if (e.op->kind == isa::OpKind::transaction_commit) committed += base::lane_count(e.guarded);
    }
    unsigned begun = 0, committed = 0;
  } counts;
  EXPECT_EQ(counters("mov.u64 %d1, 0;\ntx.begin;\n" + one_more + "tx.commit;", 1, "", &counts),
            std::vector<std::uint32_t>{288});
  EXPECT_EQ(counts.begun, 288U);
  EXPECT_EQ(counts.committed, 288U);
}

TEST_P(Adding, WithLoopsBranchesAndCallsInside) {
  const std::string function =
      ".func (.reg .b32 sum) down(.reg .b32 n)\n{\n.reg .b32 %m, %s;\n.reg .pred %q;\n"
      "mov.u32 sum, 0;\nsetp.eq.u32 %q, n, 0;\n@%q ret;\nsub.u32 %m, n, 1;\n"
      "tx.begin;\ncall (%s), down, (%m);\ntx.commit;\nadd.u32 sum, %s, n;\n}\n";
  // Adds 0 to 3 times to its counter, once more for odd threads, and the sum of a recursion in nested transactions.
  const std::string body =
      "and.b32 %r5, %t, 3;\nmov.u32 %r6, %r5;\nmul.wide.u32 %d1, %r5, 4;\ntx.begin;\nLOOP:\n"
      "setp.eq.u32 %p1, %r6, 0;\n@%p1 bra NEXT;\n" +
      one_more +
      "sub.u32 %r6, %r6, 1;\nbra LOOP;\nNEXT:\nand.b32 %r7, %t, 1;\nsetp.eq.u32 %p2, %r7, 0;\n"
      "@%p2 bra EVEN;\n" +
      one_more +
      "bra BOTH;\nEVEN:\ncall (%r8), down, (%r5);\n"
      "add.u64 %d2, %out, %d1;\nld.global.u32 %r1, [%d2];\nadd.u32 %r1, %r1, %r8;\n"
      "st.global.u32 [%d2], %r1;\nBOTH:\ntx.commit;";
  EXPECT_EQ(counters(body, 4, function), (std::vector<std::uint32_t>{0, 72 * 2, 72 * (2 + 3), 72 * 4}));
}

TEST_P(Adding, WithinDivergenceAndAgain) {
  // Some lanes skip it, others have several one after the other. All meet behind it, unless paths that can run do not
  // wait for others that cannot.
  const std::string body =
      "mov.u64 %d1, 0;\nand.b32 %r5, %t, 3;\nAGAIN:\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra DONE;\n"
      "tx.begin;\n" +
      one_more +
      "tx.commit;\nsub.u32 %r5, %r5, 1;\nbra AGAIN;\nDONE:\n"
      "activemask.b32 %r9;\npopc.b32 %r9, %r9;\nsetp.ne.u32 %p2, %t, 0;\n@%p2 exit;\n"
      "st.global.u32 [%out+4], %r9;";
  const std::vector<std::uint32_t> have = counters(body, 2);
  EXPECT_EQ(have[0], 72U * 6);
  EXPECT_EQ(have[1], GetParam() == std::string("ipdom") ? 32U : 8U);
}

TEST_P(Adding, ThatEndsInSeveralPlaces) {
  const std::string body = "and.b32 %r5, %t, 3;\nmov.u64 %d1, 0;\nmov.u32 %r8, 3;\nLOOP:\ntx.begin;\n" + one_more +
                           "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra A;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra B;\ntx.commit;\n"
                           "bra ON;\nA:\nmov.u64 %d1, 4;\n" +
                           one_more + "tx.commit;\nbra ON;\nB:\nmov.u64 %d1, 8;\n" + one_more +
                           "tx.commit;\nON:\nmov.u64 %d1, 0;\nsub.u32 %r8, %r8, 1;\n"
                           "setp.ne.u32 %p1, %r8, 0;\n@%p1 bra LOOP;";
  EXPECT_EQ(counters(body, 3), (std::vector<std::uint32_t>{3 * 288, 3 * 72, 3 * 72}));
}

/// Lanes end at three places. From two of them they come to INNER, and from all to OUT.
const std::string three_ends =
    "mov.u64 %d1, 0;\nand.b32 %r5, %t, 3;\ntx.begin;\n" + one_more +
    "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra ZERO;\nsetp.eq.u32 %p1, %r5, 1;\n@%p1 bra ONE;\n"
    "tx.commit;\nmov.u32 %r8, 1;\nbra INNER;\nONE:\ntx.commit;\nmov.u32 %r8, 1;\nINNER:\n"
    "activemask.b32 %r6;\nbra OUT;\nZERO:\ntx.commit;\nmov.u32 %r6, 0;\nmov.u32 %r8, 1;\nOUT:\n";

TEST_P(Adding, ThatEndsInSeveralPlacesIsNoneBehindThem) {
  // How many lanes are together at OUT, and at INNER.
  const std::string body = three_ends +
                           "activemask.b32 %r7;\npopc.b32 %r7, %r7;\npopc.b32 %r6, %r6;\nbar.sync 0;\n"
                           "red.global.max.u32 [%out+4], %r7;\nred.global.max.u32 [%out+8], %r6;\n"
                           "red.global.add.u32 [%out+12], %r8;";
  const std::vector<std::uint32_t> have = counters(body, 4);
  EXPECT_EQ(have[0], 288U);
  if (GetParam() == std::string("ipdom")) {
    EXPECT_THAT(have, ::testing::ElementsAre(288U, 32U, 24U, 288U));
  }
  EXPECT_EQ(have[3], 288U);
}

TEST_P(Adding, ThatEndsInSeveralPlacesAmongLanesThatEnd) {
  // Some end behind their commit, where nobody meets them, some on the way to where the others meet.
  const std::string body = "mov.u64 %d1, 0;\nand.b32 %r5, %t, 7;\ntx.begin;\n" + one_more +
                           "setp.lt.u32 %p1, %r5, 2;\n@%p1 bra GO;\nsetp.lt.u32 %p1, %r5, 5;\n@%p1 bra LOW;\n"
                           "tx.commit;\nsetp.eq.u32 %p1, %r5, 7;\n@%p1 exit;\nbra ON;\n"
                           "GO:\ntx.commit;\nexit;\n"
                           "LOW:\ntx.commit;\nsetp.eq.u32 %p1, %r5, 2;\n@%p1 exit;\nON:\n"
                           "activemask.b32 %r7;\npopc.b32 %r7, %r7;\nbar.sync 0;\n"
                           "red.global.max.u32 [%out+4], %r7;\nred.global.add.u32 [%out+8], 1;";
  const std::vector<std::uint32_t> have = counters(body, 3);
  EXPECT_EQ(have[0], 288U);
  EXPECT_EQ(have[2], 144U);
  if (GetParam() == std::string("ipdom")) {
    EXPECT_EQ(have[1], 16U);
  }
}

TEST_P(Adding, ThatEndsInSeveralPlacesOfALoop) {
  // Lanes come to the next round over a short way and a long one, and leave after different rounds.
  const std::string body =
      "mov.u64 %d1, 0;\nand.b32 %r5, %t, 3;\nadd.u32 %r5, %r5, 1;\nLOOP:\n"
      "setp.eq.u32 %p1, %r5, 0;\n@%p1 bra DONE;\nsub.u32 %r5, %r5, 1;\nactivemask.b32 %r6;\n"
      "popc.b32 %r6, %r6;\ntx.begin;\n" +
      one_more +
      "and.b32 %r8, %t, 4;\nsetp.eq.u32 %p2, %r8, 0;\n@%p2 bra SHORT;\ntx.begin;\n"
      "tx.commit;\ntx.commit;\nred.global.add.u32 [%out+4], 1;\nbra LOOP;\n"
      "SHORT:\ntx.commit;\nbra LOOP;\nDONE:\nbar.sync 0;\n"
      "setp.eq.u32 %p1, %t, 3;\n@!%p1 exit;\nst.global.u32 [%out+8], %r6;";
  const std::vector<std::uint32_t> have = counters(body, 3);
  EXPECT_EQ(have[0], 72U * 10);
  EXPECT_EQ(have[1], 36U * 10);
  if (GetParam() == std::string("ipdom")) {
    EXPECT_EQ(have[2], 8U) << "the last round is that of a quarter of the warp";
  }
}

TEST_P(Adding, ThatEndsInSeveralPlacesOfAFunction) {
  const std::string function =
      ".func (.reg .b32 met) ends(.reg .b64 at, .reg .b32 way)\n{\n.reg .b32 %n;\n.reg .pred %q;\n"
      "tx.begin;\nld.global.u32 %n, [at];\nadd.u32 %n, %n, 1;\nst.global.u32 [at], %n;\n"
      "setp.eq.u32 %q, way, 0;\n@%q bra ZERO;\nsetp.eq.u32 %q, way, 1;\n@%q bra ONE;\n"
      "tx.commit;\nmov.u32 met, 2;\nret;\nZERO:\ntx.commit;\nmov.u32 met, 0;\nret;\n"
      "ONE:\ntx.commit;\nmov.u32 met, 1;\nret;\n}\n";
  const std::string body =
      "and.b32 %r5, %t, 1;\nsetp.eq.u32 %p1, %r5, 0;\nand.b32 %r5, %t, 3;\n@%p1 bra EVEN;\n"
      "call (%r6), ends, (%out, %r5);\nbra BOTH;\nEVEN:\nmov.u32 %r6, %r5;\nBOTH:\n"
      "activemask.b32 %r7;\npopc.b32 %r7, %r7;\nbar.sync 0;\n"
      "red.global.max.u32 [%out+4], %r7;\nred.global.add.u32 [%out+8], %r6;";
  const std::vector<std::uint32_t> have = counters(body, 3, function);
  EXPECT_EQ(have[0], 144U);
  EXPECT_EQ(have[2], 72U * (0 + 1 + 2 + 2));
  if (GetParam() == std::string("ipdom")) {
    EXPECT_EQ(have[1], 32U);
  }
}

TEST_P(Adding, ThatSomeBeginAndThoseCommit) {
  // Lanes inside and outside of transactions execute the same instructions.
  const std::string body =
      "and.b32 %r5, %t, 1;\nsetp.eq.u32 %p1, %r5, 0;\nmul.wide.u32 %d1, %t, 4;\n@%p1 bra IN;\n"
      "mov.u64 %d1, 0;\ntx.begin;\nIN:\n" +
      one_more + "@%p1 bra OUT;\ntx.commit;\nOUT:\n";
  std::vector<std::uint32_t> expected(288);
  for (unsigned t = 0; t < 288; t += 2) expected[t] = 1;
  expected[0] = 144;
  std::vector<std::uint32_t> have = counters(body, 288);
  // Thread 0 adds to the first one outside, so that a count may be lost there.
  EXPECT_THAT(have[0], ::testing::AllOf(::testing::Ge(1U), ::testing::Le(145U)));
  have[0] = expected[0];
  EXPECT_EQ(have, expected);
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, MarkedTransactions, ::testing::Values("ipdom", "its", "tf_stack"));
INSTANTIATE_TEST_SUITE_P(Mechanisms, Adding, ::testing::Values("ipdom", "its", "tf_stack"));

}  // namespace
}  // namespace syncline::test
