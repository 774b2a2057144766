// Control flow graphs and post-dominators of small functions, worked out by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "isa/cfg/control_flow_graph.h"
#include "isa/ptx/parser.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Analysed {
  explicit Analysed(const std::string& body)
      : module(isa::parse_module(module_header() + ".entry k() {\n.reg .pred %p<4>; .reg .b32 %r<4>;\n" + body + "}\n",
                                 "t")),
        function(module->functions[0]),
        graph(function),
        meets(isa::immediate_post_dominators(graph, function)) {}
  std::shared_ptr<const isa::Module> module;
  const isa::Function& function;
  isa::ControlFlowGraph graph;
  std::vector<std::uint32_t> meets;
};

TEST(Cfg, Diamond) {
  const Analysed a("@%p1 bra A;\nmov.u32 %r1, 1;\nbra B;\nA: mov.u32 %r1, 2;\nB: ret;\n");
  ASSERT_EQ(a.graph.size(), 4u);
  EXPECT_THAT(a.graph.blocks()[0].successors, ElementsAre(1, 2));
  EXPECT_THAT(a.graph.blocks()[3].predecessors, ElementsAre(1, 2));
  EXPECT_EQ(a.meets[0], 3u);
  EXPECT_EQ(a.meets[3], isa::no_index);
}

TEST(Cfg, LoopMeetsBehindIt) {
  const Analysed a("L: add.u32 %r1, %r1, 1;\n@%p1 bra L;\nmov.u32 %r1, 2;\nret;\n");
  ASSERT_EQ(a.graph.size(), 2u);
  EXPECT_THAT(a.graph.blocks()[0].successors, ElementsAre(0, 1));
  EXPECT_EQ(a.meets[0], 1u);
}

TEST(Cfg, WaysThatOnlyEndDoNotKeepTheOthersApart) {
  // The side that exits never comes back, so the outer branch still meets at J.
  const Analysed a(R"(
  @%p1 bra A;
  mov.u32 %r1, 1;
  bra J;
A:
  @%p2 bra DIE;
  mov.u32 %r1, 2;
J:
  mov.u32 %r1, 3;
  ret;
DIE:
  exit;
)");
  ASSERT_EQ(a.graph.size(), 6u);
  EXPECT_EQ(a.meets[0], 4u);
  EXPECT_EQ(a.meets[2], 3u);  // the lanes that live go on at once
  EXPECT_TRUE(a.graph.blocks()[5].kills);
}

TEST(Cfg, GuardedExitFallsThrough) {
  const Analysed a("@%p1 exit;\n@%p2 bra A;\nmov.u32 %r1, 1;\nA: ret;\n");
  EXPECT_THAT(a.graph.blocks()[0].successors, ElementsAre(1));
  EXPECT_EQ(a.meets[1], 3u);
}

TEST(Cfg, EndlessLoopHasNoMeetingPointButIsNoError) {
  const Analysed a("@%p1 bra L;\nret;\nL: add.u32 %r1, %r1, 1;\n@%p2 bra M;\nbra L;\nM: bra L;\n");
  ASSERT_EQ(a.graph.size(), 5u);
  EXPECT_EQ(a.meets[0], 1u);
}

TEST(Cfg, BodyThatFallsOffItsEndReturns) {
  const Analysed a("mov.u32 %r1, 1;\n");
  EXPECT_TRUE(a.graph.blocks()[0].returns);
}

TEST(Cfg, DotShowsBlocksEdgesAndMeetingPoints) {
  const Analysed a("@%p1 bra A;\nmov.u32 %r1, 1;\nA: ret;\n");
  const std::string dot = isa::to_dot(*a.module, a.function);
  EXPECT_THAT(dot, HasSubstr("digraph \"k\""));
  EXPECT_THAT(dot, HasSubstr("b0 -> b1;"));
  EXPECT_THAT(dot, HasSubstr("b0 -> b2 [style=dashed"));
  EXPECT_THAT(dot, HasSubstr("1: mov.u32 %r1, 1;"));
}

TEST(Cfg, OrderKeepsTheTextWhereItCan) {
  const Analysed a("@%p1 bra A;\nmov.u32 %r1, 1;\nbra B;\nA: mov.u32 %r1, 2;\nB: ret;\n");
  EXPECT_THAT(isa::block_order(a.graph), ElementsAre(0, 1, 2, 3));
}

TEST(Cfg, OrderPutsABlockBehindThoseThatLeadToIt) {
  // X (1) stands before Y (2) in the text, but Y leads to it.
  const Analysed a("@%p1 bra Y;\nX: ret;\nY: mov.u32 %r1, 1;\nbra X;\n");
  EXPECT_THAT(isa::block_order(a.graph), ElementsAre(0, 2, 1));
}

TEST(Cfg, OrderKeepsLoopsTogetherBeforeWhatFollows) {
  // The way out of the outer loop (3) stands in its middle, that out of the inner one (6) behind its latch.
  const Analysed a(R"(
OUTER:
  mov.u32 %r1, 1;
INNER:
  @%p1 bra BODY;
  bra LATCH;
OUT:
  ret;
BODY:
  @%p2 bra OUT;
  bra INNER;
LATCH:
  @%p3 bra OUTER;
  bra OUT;
)");
  ASSERT_EQ(a.graph.size(), 8u);
  EXPECT_THAT(isa::block_order(a.graph), ElementsAre(0, 1, 4, 5, 2, 6, 7, 3));
}

TEST(Cfg, OrderOfALoopWithTwoEntriesAndOfOneThatNeverEnds) {
  const Analysed a("@%p1 bra B;\nA: mov.u32 %r1, 1;\nB: @%p2 bra A;\nC: bra C;\n");
  EXPECT_THAT(isa::block_order(a.graph), ElementsAre(0, 1, 2, 3));
}

}  // namespace
}  // namespace syncline::test
