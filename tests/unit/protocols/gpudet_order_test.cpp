// Where GPUDet has an order by logical clocks: barriers that count, shared memory, calls of the system; where rounds
// and warps come to their end.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "protocols/determinism/explore/explorer.h"
#include "protocols/determinism/explore/suite.h"
#include "tests/unit/protocols/quanta_fixture.h"

namespace syncline::tests {
namespace {

using protocols::determinism::explore_quanta;
using protocols::determinism::ExploreOptions;
using testing::SizeIs;

Ask counted() {
  Ask ask;
  ask.counted = true;
  return ask;
}

TEST_F(Quanta, AtABarrierThatCountsTheWarpWithTheFewestInstructionsIsFirst) {
  begin({3});
  EXPECT_TRUE(issue(0));
  EXPECT_FALSE(issue(0, counted())) << "warp 1 may come first still";
  EXPECT_TRUE(issue(1, counted()));
  EXPECT_FALSE(issue(0, counted())) << "and warp 2";
  stop(2);
  EXPECT_TRUE(issue(0, counted())) << "of two with as many the lower one";
}

TEST_F(Quanta, BehindABarrierTheClockIsThatOfTheLastWhoCame) {
  spec.shared_order = SharedOrder::instructions;
  spec.quantum_size = 10;
  Ask shared;
  shared.shared = true;
  begin({3});
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(issue(2));
  EXPECT_TRUE(issue(0));
  at_barrier(0, false);
  at_barrier(2, true);
  EXPECT_EQ(machine->first_in_order(0), 1U);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(issue(0, shared)) << "it has waited for the 4 instructions of warp 2; warp 1 has " << i;
    EXPECT_TRUE(issue(1, shared));
  }
  EXPECT_TRUE(issue(0, shared));
}

TEST_F(Quanta, WhoMeetsLaterAtABarrierHearsNothingOfThoseBefore) {
  spec.quantum_size = 10;
  begin({4});
  EXPECT_TRUE(issue(0, OpClass::store));
  for (const std::pair<Place, Place>& pair : {std::pair(0U, 1U), std::pair(2U, 3U)}) {
    machine->arrived(pair.first, 1, true);
    machine->arrived(pair.second, 1, true);
    machine->opened(0, 1);
  }
  EXPECT_EQ(machine->seen(1, 0), 1U);
  EXPECT_EQ(machine->seen(3, 0), 0U);
  EXPECT_EQ(machine->rank(1).round, machine->rank(3).round) << "both pairs are one barrier further";
}

TEST_F(Quanta, ACallWaitsForAllAtomicsBeforeIt) {
  begin({3, 1});
  for (const Place warp : {0, 2, 4}) EXPECT_FALSE(issue(warp, OpClass::atomic));
  EXPECT_FALSE(issue(1, OpClass::call));
  EXPECT_EQ(machine->reason(1), EndReason::atomic);
  commit_all();
  ASSERT_EQ(machine->mode(), Mode::serial);
  EXPECT_FALSE(machine->may_issue(1, OpClass::call)) << "not its turn";
  machine->issued(0, OpClass::atomic);
  EXPECT_FALSE(machine->may_issue(1, OpClass::call)) << "it would read what the atomic is about to write";
  EXPECT_FALSE(machine->may_issue(2, OpClass::atomic)) << "nobody overtakes it";
  machine->performed(0);
  EXPECT_TRUE(machine->may_issue(1, OpClass::call));
  machine->issued(1, OpClass::call);
  machine->performed(1);
  EXPECT_TRUE(machine->may_issue(2, OpClass::atomic));
  machine->issued(2, OpClass::atomic);
  machine->performed(2);
  machine->issued(4, OpClass::atomic);
  machine->performed(4);
  EXPECT_EQ(machine->mode(), Mode::distribution);
  machine->distributed();
  EXPECT_FALSE(issue(1, OpClass::atomic));
  EXPECT_FALSE(issue(0, OpClass::atomic));
  for (const Place warp : {2, 4}) stop(warp);
  commit_all();
  machine->issued(0, OpClass::atomic);
  EXPECT_TRUE(machine->may_issue(1, OpClass::atomic)) << "an atomic of the same warp follows at once";
}

TEST_F(Quanta, InFrontOfACallNoLoadGoesAhead) {
  spec.overlap = Overlap::next_quantum;
  begin({1, 1});
  stop(0);
  EXPECT_FALSE(issue(4, OpClass::call));
  ASSERT_EQ(machine->mode(), Mode::commit);
  EXPECT_TRUE(issue(0, ahead()));
  EXPECT_FALSE(issue(0, ahead(true)));
}

TEST_F(Quanta, WhereNoRoundIsLeftABarrierEndsOne) {
  rounds = 2;
  spec.quantum_size = 10;
  begin({2});
  at_barrier(0, false);
  at_barrier(1, true);
  EXPECT_EQ(machine->last_round() - machine->round(), 1U);
  EXPECT_TRUE(issue(0));
  at_barrier(0, false);
  at_barrier(1, true);
  EXPECT_EQ(machine->mode(), Mode::commit);
  EXPECT_EQ(machine->last_round() - machine->round(), 1U);
  EXPECT_EQ(machine->reason(0), EndReason::barrier);
  EXPECT_FALSE(machine->waits_at_barrier(0));
  commit_all();
  machine->distributed();
  EXPECT_TRUE(issue(0));
  EXPECT_TRUE(issue(1));
}

TEST_F(Quanta, WhereNoRoundIsLeftNoCtaTakesThePlaceOfAnother) {
  spec.quantum_formation = QuantumFormation::bta_dwp;
  for (const std::uint64_t limit : {1U, 2U}) {
    rounds = limit;
    begin({1});
    exit(0);
    EXPECT_EQ(machine->may_replenish(0), limit == 2);
    EXPECT_EQ(machine->mode(), limit == 2 ? Mode::parallel : Mode::commit);
  }
}

TEST_F(Quanta, WhoTakesAPlaceSeesWhatWasStoredThere) {
  spec.quantum_formation = QuantumFormation::bta_dwp;
  begin({2, 1});
  const Rank before = machine->rank(0);
  EXPECT_TRUE(issue(0, OpClass::store));
  EXPECT_TRUE(issue(0, OpClass::store));
  for (const Place warp : {0, 1}) exit(warp);
  machine->replenish(0);
  EXPECT_TRUE(machine->sees_others(1));
  EXPECT_EQ(machine->seen(1, 0), 2U) << "else its mate, which continues the log, would see what it does not";
  EXPECT_TRUE(wins(machine->rank(1), before));
}

TEST_F(Quanta, TheThesisCountsNoRoundsWithinOne) {
  rounds = 1;
  spec.barrier_rule = BarrierRule::thesis;
  begin({2});
  at_barrier(0, false);
  at_barrier(1, true);
  EXPECT_TRUE(issue(0));
}

TEST_F(Quanta, AWarpAtFaultNeverGoesOn) {
  begin({2, 1});
  machine->faulted(0);
  EXPECT_FALSE(issue(0));
  EXPECT_EQ(machine->first_in_order(0), 1U) << "nobody waits for it";
  stop(1);
  EXPECT_EQ(machine->mode(), Mode::parallel);
  stop(4);
  commit_all();
  EXPECT_TRUE(machine->present(0)) << "its CTA has not ended";
  machine->distributed();
  EXPECT_FALSE(issue(0));
  EXPECT_TRUE(issue(1));
}

TEST_F(Quanta, AFaultIsToldInTheQuantumOfItsInstruction) {
  spec.overlap = Overlap::next_quantum;
  begin({1});
  stop(0);
  ASSERT_EQ(machine->mode(), Mode::commit);
  EXPECT_TRUE(issue(0, ahead()));
  machine->faulted(0);
  commit_all();
  EXPECT_TRUE(machine->anybody_runs());
  machine->distributed();
  EXPECT_EQ(machine->mode(), Mode::parallel) << "though nobody can run";
  machine->advance();
  EXPECT_EQ(machine->mode(), Mode::commit);
}

/// All orders in which time may let the warps of one CTA issue their scripts: `p` is a plain instruction, `S` comes to
/// barrier 1 for two warps and waits, `a` only comes there, `q` accesses shared memory. What shows is who meets whom,
/// and who is at shared memory in which order.
class Orders {
 public:
  Orders(const GpudetSpec& spec, std::vector<std::string> scripts, bool asks = true)
      : scripts_(std::move(scripts)), asks_(asks) {
    State first{QuantumMachine(spec, 1, static_cast<unsigned>(scripts_.size())), {}, {}, {}, {}};
    first.next.resize(scripts_.size());
    first.machine.launch(0, static_cast<unsigned>(scripts_.size()));
    first.machine.distributed();
    explore(first);
  }
  const std::set<std::string>& ends() const { return ends_; }

 private:
  struct State {
    QuantumMachine machine;
    std::vector<std::size_t> next;
    std::vector<Place> come;           ///< to the barrier
    std::map<Place, std::string> met;  ///< with whom, by warp
    std::string shared;                ///< who was there
  };

  void explore(State state) {
    settle(state);
    std::string code = state.shared;
    state.machine.encode(code);
    for (const std::size_t next : state.next) code += static_cast<char>(next);
    for (const Place warp : state.come) code += static_cast<char>(warp);
    for (const auto& [warp, met] : state.met) code += std::to_string(warp) + met;
    if (!known_.insert(code).second) return;
    bool steps = false;
    for (Place warp = 0; warp < scripts_.size(); ++warp) {
      if (!state.machine.running(warp)) continue;
      State after = state;
      if (!step(after, warp)) continue;
      steps = true;
      explore(std::move(after));
    }
    if (steps) return;
    std::string end = state.shared;
    for (const auto& [warp, met] : state.met) end += " " + std::to_string(warp) + ":" + met;
    ends_.insert(end);
  }

  bool step(State& state, Place warp) {
    QuantumMachine& machine = state.machine;
    const std::string& script = scripts_[warp];
    if (state.next[warp] == script.size()) {
      machine.exited(warp);
      return true;
    }
    const char what = script[state.next[warp]];
    Ask ask;
    ask.shared = what == 'q';
    ask.counted = asks_ && (what == 'S' || what == 'a');
    if (!machine.may_issue(warp, ask)) return !machine.running(warp);
    machine.issued(warp, ask.op);
    ++state.next[warp];
    if (what == 'q') state.shared += std::to_string(warp);
    if (what == 'p' || what == 'q') return true;
    machine.arrived(warp, 1, what == 'S');
    state.come.push_back(warp);
    if (state.come.size() < 2) return true;
    for (const Place one : state.come) {
      for (const Place other : state.come) state.met[one] += std::to_string(other);
      state.met[one] += ';';
    }
    state.come.clear();
    machine.opened(0, 1);
    return true;
  }

  static void settle(State& state) {
    state.machine.advance();
    if (state.machine.mode() != Mode::commit) return;
    for (Place warp = 0; warp < state.machine.places(); ++warp) {
      if (state.machine.present(warp)) state.machine.committed(warp);
    }
    state.machine.distributed();
  }

  std::vector<std::string> scripts_;
  bool asks_;
  std::set<std::string> known_, ends_;
};

TEST(QuantaInAnyOrder, WarpsMeetTheSameMates) {
  const std::vector<std::vector<std::string>> ctas = {
      {"S", "S", "S", "S"},         {"ppS", "S", "pS", "S"},   {"SpS", "SS", "pSS", "S"}, {"aaS", "SS", "pS"},
      {"apap", "SppS", "ppa", "S"}, {"pqS", "Sq", "qqS", "S"}, {"Sqqq", "qqqq", "pppS"},  {"SqSq", "qqqS", "ppSq"}};
  unsigned racy = 0;
  for (const auto& cta : ctas) {
    for (const QuantumFormation formation :
         {QuantumFormation::base, QuantumFormation::bta, QuantumFormation::bta_dwp}) {
      for (const unsigned size : {1U, 2U, 3U, 20U}) {
        GpudetSpec spec;
        spec.quantum_formation = formation;
        spec.quantum_size = size;
        spec.shared_order = SharedOrder::instructions;
        EXPECT_THAT(Orders(spec, cta).ends(), SizeIs(1)) << cta[0] << "|" << cta[1] << ", size " << size;
        if (Orders(spec, cta, false).ends().size() > 1) ++racy;
      }
    }
  }
  EXPECT_GT(racy, 20U) << "without the order most of them have several ends";
}

TEST(ExploreQuanta, FewRoundsLeaveEveryProgramOneEnd) {
  for (const protocols::explore::Program& program : protocols::determinism::suite()) {
    for (const auto& [name, formation] : quantum_formations()) {
      for (const std::uint64_t rounds : {1U, 2U}) {
        ExploreOptions options;
        options.world.spec.quantum_formation = formation;
        options.world.spec.quantum_size = 4;
        options.world.rounds = rounds;
        const auto report = explore_quanta(program, options);
        EXPECT_EQ(report.violation, "") << program.text << ", " << name << ", " << rounds;
        EXPECT_TRUE(report.complete && report.outcome);
      }
    }
  }
}

}  // namespace
}  // namespace syncline::tests
