// What stands beside the ends of a test: reasons, bounds, runs that do not end, and tests that are too large.
#include "consistency/enumerate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consistency/reader.h"
#include "consistency/refusal.h"

namespace syncline::consistency {
namespace {

using testing::HasSubstr;

Program read(const std::string& initial, const std::string& table) {
  return read_litmus("PTX t\n{ " + initial + " }\n" + table + "exists (true)", "t.litmus");
}

/// The state with these values, in the order of the program's observables.
Reason why(const Program& program, const State& state) {
  const Outcomes outcomes = enumerate(program);
  EXPECT_FALSE(outcomes.of(state).ptx75) << program.show(state);
  return outcomes.why_forbidden(state);
}

struct Case {
  const char* what;
  const char* initial;
  const char* table;
  State state;
  std::vector<Axiom> axioms;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.what; }
};

class Reasons : public testing::TestWithParam<Case> {};

TEST_P(Reasons, AreTheAxiomsThatAreBroken) {
  const Case& c = GetParam();
  const Program program = read(c.initial, c.table);
  const Reason reason = why(program, c.state);
  EXPECT_EQ(reason.kind, Reason::Kind::axioms);
  EXPECT_EQ(reason.axioms.members(), c.axioms) << c.what << ", " << program.show(c.state);
}

INSTANTIATE_TEST_SUITE_P(
    All, Reasons,
    testing::Values(Case{"the first of two stores stays",
                         "x=0;",
                         "P0 ;\n st x, 1 ;\n st x, 2 ;\n",
                         {1},
                         {Axiom::coherence, Axiom::sc_per_location}},
                    Case{"the initial value stays", "x=0;", "P0 ;\n st x, 1 ;\n", {0}, {Axiom::coherence}},
                    Case{"an increment is lost",
                         "x=0;",
                         "P0@cta 0 | P1@cta 1 ;\n red.relaxed.gpu.add x, 1 | red.relaxed.gpu.add x, 1 ;\n",
                         {1},
                         {Axiom::atomicity}},
                    Case{"a read sees behind itself",
                         "x=0;",
                         "P0 ;\n ld r0, x ;\n st x, 1 ;\n",
                         {1, 1},
                         {Axiom::coherence, Axiom::sc_per_location, Axiom::causality}},
                    Case{
                        "a message without its flag",
                        "x=0;y=0;",
                        "P0@cta 0 | P1@cta 1 ;\n st x, 1 | ld.acquire.gpu r0, y ;\n st.release.gpu y, 1 | ld r1, x ;\n",
                        {1, 0, 1, 1},
                        {Axiom::causality}},
                    Case{"a value that nothing writes", "x=0;", "P0 ;\n st x, 1 ;\n", {7}, {Axiom::no_thin_air}},
                    Case{"a value that comes from itself",
                         "x=0;y=0;",
                         "P0@cta 0 | P1@cta 1 ;\n ld r0, x | ld r1, y ;\n st y, r0 | st x, r1 ;\n",
                         {1, 1, 1, 1},
                         {Axiom::no_thin_air}}));

TEST(Reasons, AnEndBehindABarrierThatNobodyCompletesIsNotThinAir) {
  const Program program = read("x=0;", "P0 | P1 ;\n st x, 1 | ld r0, x ;\n bar.sync 0, 0, 3 | bar.sync 0, 0, 3 ;\n");
  const Outcomes outcomes = enumerate(program);
  EXPECT_TRUE(outcomes.states().empty());
  EXPECT_TRUE(outcomes.may_wait_forever());
  EXPECT_EQ(outcomes.why_forbidden({1, 1}).kind, Reason::Kind::stuck);
}

const char* const counting =
    "P0@cta 0 | P1@cta 1 ;\n LC0: | st.relaxed.gpu x, 1 ;\n add r1, r1, 1 | ;\n"
    " ld.relaxed.gpu r0, x | ;\n bne r0, 1, LC0 | ;\n";

TEST(Loops, GoBackAsOftenAsTheBoundSays) {
  const Program program = read("x=0;", counting);
  for (unsigned unroll = 0; unroll < 4; ++unroll) {
    const Outcomes outcomes = enumerate(program, unroll);
    EXPECT_EQ(outcomes.states().size(), unroll + 1) << "one end for each number of rounds";
    EXPECT_TRUE(outcomes.is_bounded());
    EXPECT_EQ(outcomes.unroll(), unroll);
  }
}

TEST(Loops, WhatIsBeyondTheBoundIsNotCalledForbidden) {
  const Outcomes outcomes = enumerate(read("x=0;", counting), 2);  // r1, r0, x
  EXPECT_EQ(outcomes.why_forbidden({4, 1, 1}).kind, Reason::Kind::bound);
  EXPECT_EQ(outcomes.why_forbidden({2, 1, 0}).kind, Reason::Kind::axioms) << "the store stays unseen in memory";
}

TEST(Loops, ThatDecideOnNothingReadNeedNoBound) {
  const Program program =
      read("x=0;", "P0 ;\n LC0: ;\n add r0, r0, 1 ;\n red.relaxed.gpu.add x, 2 ;\n blt r0, 9, LC0 ;\n");
  const Outcomes outcomes = enumerate(program, 0);
  EXPECT_FALSE(outcomes.is_bounded());
  EXPECT_EQ(outcomes.states().size(), 1U);
  EXPECT_TRUE(outcomes.of({9, 18}).sc);
}

TEST(Loops, ThatNeverEndHaveNoEnd) {
  const Outcomes outcomes = enumerate(read("x=0;", "P0 ;\n LC0: ;\n add r0, r0, 1 ;\n goto LC0 ;\n"));
  EXPECT_TRUE(outcomes.states().empty());
  EXPECT_TRUE(outcomes.is_bounded());
}

std::string repeated(const std::string& row, int times) {
  std::string rows;
  for (int i = 0; i < times; ++i) rows += row;
  return rows;
}

TEST(Size, TwoFetchAddsAmongSevenInstructionsAreNoneTooMany) {
  std::string rows;
  for (int i = 0; i < 7; ++i) {
    const std::string read = i == 1 || i == 4 ? " atom.relaxed.gpu.add r" : " ld.relaxed.gpu r";
    const std::string cell = read + std::to_string(i) + ", x" + (i == 1 || i == 4 ? ", 1" : "");
    rows += cell + " |" + cell + " ;\n";
  }
  const Outcomes outcomes = enumerate(read("x=0;", "P0@cta 0 | P1@cta 1 ;\n" + rows));
  for (const auto& [state, judgement] : outcomes.states()) EXPECT_EQ(state.back(), 4);
  EXPECT_GT(outcomes.states().size(), 100U);
}

void expect_too_large(const Program& program, const std::string& message) {
  try {
    enumerate(program);
    FAIL() << message;
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("t.litmus: error: " + message));
    EXPECT_EQ(refusal.construct(), "too large");
  }
}

TEST(Size, WhatIsTooLargeIsRefusedByThatName) {
  expect_too_large(read("x=0;", "P0 ;\n" + repeated(" st x, 1 ;\n", 65)), "a thread of the test has more events");
  expect_too_large(read("x=0;", "P0 | P1 ;\n" + repeated(" st x, 1 | st x, 1 ;\n", 40)),
                   "an execution of the test has more than 64 events");
  std::string branches;
  for (int i = 0; i < 16; ++i)
    branches += " ld r0, x ;\n beq r0, 1, LC" + std::to_string(i) + " ;\n LC" + std::to_string(i) + ": ;\n";
  expect_too_large(read("x=0;", "P0 ;\n" + branches), "P0 can go more than 20000 ways");
}

TEST(Size, ALongSearchIsGivenUp) {
  const Program program = read("x=0;", "P0@cta 0 | P1@cta 1 ;\n" + repeated(" ld r0, x | st x, 1 ;\n", 6));
  CandidateOptions options;
  options.max_steps = 50;
  try {
    for_each_candidate(program, options, [](const Candidate&) {});
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("the judgement of the test takes more than 50 steps"));
  }
}

void expect_barriers_refused(const std::string& table, const std::string& message, const std::string& construct) {
  try {
    enumerate(read("x=0; P0:r1=2;", table));
    FAIL() << message;
  } catch (const Refusal& refusal) {
    EXPECT_THAT(refusal.what(), HasSubstr("t.litmus: error: " + message));
    EXPECT_EQ(refusal.construct(), construct);
  }
}

TEST(Barriers, CountsThatDoNotFitAreRefused) {
  expect_barriers_refused("P0 | P1 ;\n bar.sync 0, 1, 2 | bar.sync 0, 1, 3 ;\n",
                          "the threads that meet at a barrier of the test name different counts",
                          "a barrier with two counts");
  expect_barriers_refused("P0 | P1 ;\n bar.sync 0, 1, r1 | bar.sync 0, 1 ;\n",
                          "the threads that meet at a barrier of the test name different counts",
                          "a barrier with two counts");
  expect_barriers_refused("P0 | P1 ;\n bar.sync 0, 1, 2 | bar.sync 0, 1, 2 ;\n bar.sync 0, 1, 2 | ;\n",
                          "threads come several times to a barrier of the test that counts",
                          "a counted barrier that is not always complete");
}

/// A second barrier whose number both threads know from behind the first: only a number that was not seen in time would
/// make them miss each other.
TEST(Barriers, OnlyWhatCanHappenLeavesAThreadWaiting) {
  const auto may_wait_forever = [](const char* first) {
    const std::string table = std::string("P0@cta 0 | P1@cta 0 | P2@cta 1 ;\n ld r0, x | ") + first +
                              " | st x, 1 ;\n st y, r0 | ld r1, y | ;\n " + first +
                              " | bar.sync 1, r1, 2 | ;\n bar.sync 1, r0, 2 | | ;\n";
    return enumerate(read("x=0;y=0;", table)).may_wait_forever();
  };
  EXPECT_FALSE(may_wait_forever("bar.sync 0, 0, 2"));
  EXPECT_TRUE(may_wait_forever("bar.arrive 0, 0, 2"));
}

/// P2 comes to the first barrier behind P0, so these two or P0 and P1 complete it: nobody waits for ever.
TEST(Barriers, TheFirstToComeCompleteThem) {
  const Outcomes outcomes = enumerate(read("x=0;",
                                           "P0 | P1 | P2 ;\n bar.sync 0, 0, 2 | bar.sync 0, 0, 2 | bar.sync 0, 1, 2 ;\n"
                                           " bar.sync 0, 1, 2 | | bar.sync 0, 0, 2 ;\n"));
  EXPECT_FALSE(outcomes.states().empty());
  EXPECT_FALSE(outcomes.may_wait_forever());
}

TEST(Judge, NeedsABarrierThatCanBeComplete) {
  Execution e;
  e.places = {{0, 0}};
  Event b;
  b.kind = Event::Kind::barrier;
  b.thread = 0;
  b.count = 2;
  e.add(b);
  EXPECT_THROW(judge(e, Model::ptx75), base::UserError);
}

}  // namespace
}  // namespace syncline::consistency
