// The least number of instructions before a thread ends, of small kernels, counted by hand.
#include "isa/exec/steps_to_end.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::ElementsAre;

std::vector<std::uint16_t> steps_of(const std::string& body, const std::string& before = "") {
  Machine machine(module_header() + before + ".entry k() {\n.reg .pred %p<4>; .reg .b32 %r<4>;\n" + body + "}\n");
  return machine.program("k")->steps_to_end();
}

TEST(StepsToEnd, AreThoseOfTheText) {
  EXPECT_THAT(steps_of("mov.u32 %r1, 1;\nmov.u32 %r2, 2;\n"), ElementsAre(3, 2, 1));
}

TEST(StepsToEnd, AreOfTheShorterWay) {
  EXPECT_THAT(steps_of("@%p1 bra A;\nmov.u32 %r1, 1;\nmov.u32 %r1, 2;\nA: ret;\n"), ElementsAre(2, 3, 2, 1, 1));
}

TEST(StepsToEnd, LeaveALoopAtOnce) {
  EXPECT_THAT(steps_of("L: add.u32 %r1, %r1, 1;\n@%p1 bra L;\nmov.u32 %r1, 2;\nret;\n"), ElementsAre(4, 3, 2, 1, 1));
}

TEST(StepsToEnd, GoWhereAnUnguardedBranchGoes) {
  EXPECT_THAT(steps_of("bra A;\nret;\nA: mov.u32 %r1, 1;\nmov.u32 %r1, 2;\nret;\n"), ElementsAre(4, 1, 3, 2, 1, 1));
}

TEST(StepsToEnd, AreOneWhereAThreadMayEnd) {
  EXPECT_THAT(steps_of("@%p1 exit;\nmov.u32 %r1, 1;\n@%p2 trap;\nmov.u32 %r1, 2;\nret;\n"),
              ElementsAre(1, 2, 1, 2, 1, 1));
}

TEST(StepsToEnd, AreAsManyAsCanBeSaidWhereThereIsNoEnd) {
  EXPECT_THAT(steps_of("@%p1 bra L;\nret;\nL: bra L;\n"), ElementsAre(2, 1, isa::most_steps_to_end, 1));
}

TEST(StepsToEnd, TakeTheNearestEntryOfATable) {
  EXPECT_THAT(steps_of("ts: .branchtargets A, B;\nbrx.idx %r1, ts;\nA: mov.u32 %r1, 1;\nB: mov.u32 %r1, 2;\nret;\n"),
              ElementsAre(3, 3, 2, 1, 1));
}

TEST(StepsToEnd, CountACallAsOneAndEndWithTheFunction) {
  const std::vector<std::uint16_t> steps =
      steps_of("call f;\nmov.u32 %r1, 1;\nret;\n", ".func f() {\n.reg .b32 %a;\nmov.u32 %a, 1;\nret;\n}\n");
  // The ret of a function is a branch to its end.
  EXPECT_THAT(steps, ElementsAre(3, 2, 1, 1, 3, 2, 1));
}

TEST(StepsToEnd, DoNotGoPastACallThatMayEndTheThread) {
  const std::vector<std::uint16_t> steps = steps_of(
      "call f;\nmov.u32 %r1, 1;\nret;\n", ".func f() {\n.reg .pred %q;\n.reg .b32 %a;\n@%q exit;\nmov.u32 %a, 1;\n}\n");
  EXPECT_THAT(steps, ElementsAre(1, 2, 1, 1, 1, 2, 1));
}

}  // namespace
}  // namespace syncline::test
