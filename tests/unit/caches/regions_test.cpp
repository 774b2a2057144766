// Entries of a directory that are of several lines: what lines have in common, what each has of its own, and how an
// entry leaves; in the shipped caches and in those of the model checker.
#include <gmock/gmock.h>

#include <algorithm>
#include <tuple>

#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/explore/explorer.h"
#include "tests/support/error_of.h"
#include "tests/unit/caches/hierarchy_fixture.h"
#include "tests/unit/caches/host_contract.h"
#include "tests/unit/caches/invalidating_policy.h"
#include "tests/unit/caches/random_tester.h"

namespace syncline::tests {
namespace {

using protocols::CoherencePolicy;
using protocols::DirectoryGeometry;
using protocols::Role;

// Lines of one entry, and of two others.
constexpr std::uint64_t one_line = 0x1000, next_line = one_line + 128, far_line = 0x2000, farther_line = 0x3000;

class Regions : public HierarchyFixture, public testing::WithParamInterface<unsigned> {
 protected:
  Regions() { use({2, 1, GetParam()}); }
  void use(const DirectoryGeometry& directory) {
    spec.own_policy = make_regional_policy(directory);
    spec.l1.size = 8 * 128;
    spec.l2.size = 16 * 128;
    spec.l2.ways = 16;
    spec.interleaving.chunk = 512;
  }
  const models::CoherentLines& home() const { return system->slices[0]->lines(); }
  std::string state(std::uint64_t line) const {
    return std::string(home().machine().table().vocabulary().states[home().state_of(base::LineAddress(line))].name);
  }
  models::Lookup lookup(std::uint64_t line) const { return home().locate(base::LineAddress(line)); }
  std::vector<unsigned> sharers(std::uint64_t line) const {
    std::vector<unsigned> all;
    home().directory()->frame(lookup(line).directory_entry).meta.sharers.for_each([&](unsigned n) {
      all.push_back(n);
    });
    return all;
  }
  /// An access that nobody waits for.
  void begin_load(unsigned core, std::uint64_t address) {
    cores[core]->send(load_message(core, address), [](models::Message&) {});
  }
};

TEST_P(Regions, LinesOfAnEntryHaveStateAndSharersInCommonAndFramesOfTheirOwn) {
  build();
  load(0, one_line);
  EXPECT_EQ(lookup(one_line).directory_entry, lookup(next_line).directory_entry);
  EXPECT_NE(lookup(one_line).directory_entry, lookup(one_line + GetParam() * 128).directory_entry);
  EXPECT_NE(lookup(one_line).frame, models::nowhere);
  EXPECT_EQ(lookup(next_line).frame, models::nowhere);
  EXPECT_EQ(state(next_line), "V");
  load(1, next_line);
  EXPECT_NE(lookup(next_line).frame, models::nowhere);
  EXPECT_THAT(sharers(one_line), testing::ElementsAre(0, 1));
  expect_clean();
}

TEST_P(Regions, SeveralLinesOfAnEntryAreOnTheirWayAtATime) {
  spec.max_memory_delay_ps = 100'000;
  build();
  for (unsigned i = 0; i < GetParam(); ++i) begin_load(i % 2, one_line + i * 128);
  unsigned most = 0;
  for (int i = 0; i < 300; ++i) {
    run_ns(1);
    most = std::max(most, home().mshrs().in_use());
  }
  EXPECT_EQ(most, GetParam());
  run_ns(1000);
  EXPECT_EQ(home().mshrs().in_use(), 0U);
  EXPECT_THAT(sharers(one_line), testing::ElementsAre(0, 1));
  expect_clean();
}

TEST_P(Regions, WhoGetsACopyWhileAnotherLineIsOnItsWayIsNotForgotten) {
  build();
  load(0, one_line);
  load(0, next_line);
  // The home waits for core 0 to give up a line while core 1 gets the next one.
  models::Message& m = cores[1]->request(models::MessageClass::store_request, models::L1Kind::global, one_line);
  m.mask.set(0, 4);
  cores[1]->send(m, [](models::Message&) {});
  for (int i = 0; i < 1000 && state(one_line) != "W"; ++i) run_ns(1);
  ASSERT_EQ(state(one_line), "W");
  EXPECT_EQ(state(next_line), "V");
  begin_load(1, next_line);
  run_ns(1000);
  EXPECT_EQ(state(one_line), "V");
  EXPECT_THAT(sharers(one_line), testing::ElementsAre(0, 1));
  store(0, next_line, 7);
  EXPECT_EQ(load(1, next_line), 7U) << "core 1 has been told";
  expect_clean();
}

TEST_P(Regions, AnEntryLeavesWithItsFramesAndAllCopiesOfItsLines) {
  build();
  store(0, one_line, 5);
  load(0, next_line);
  load(0, one_line);
  load(1, next_line);
  load(0, far_line);  // of the same set
  run_ns(1000);
  EXPECT_EQ(lookup(one_line).directory_entry, models::nowhere);
  EXPECT_EQ(lookup(one_line).frame, models::nowhere);
  EXPECT_EQ(lookup(next_line).frame, models::nowhere);
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 1);
  EXPECT_EQ(stat("part0_l2.evictions"), 1) << "and one with the entry";
  EXPECT_EQ(stat("part0_l2.sent_INV"), 2 * GetParam());
  for (unsigned core : {0U, 1U}) {
    for (std::uint64_t line : {one_line, next_line})
      EXPECT_EQ(system->l1s[core]->lines().locate(base::LineAddress(line)).frame, models::nowhere);
  }
  EXPECT_EQ(system->debug_word(one_line), 5U) << "written back";
  expect_clean();
}

TEST_P(Regions, NoLineOfAnEntryThatLeavesIsGivenToAnybodyBeforeAllCopiesAreGone) {
  build();
  load(0, one_line);
  begin_load(0, far_line);
  begin_load(0, farther_line);
  for (int i = 0; i < 1000 && state(one_line) != "C"; ++i) run_ns(1);
  ASSERT_EQ(state(one_line), "C");
  EXPECT_EQ(state(next_line), "C");
  begin_load(1, next_line);
  run_ns(1000);
  EXPECT_EQ(state(one_line), "V");
  EXPECT_THAT(sharers(next_line), testing::ElementsAre(1));
  expect_clean();
}

TEST_P(Regions, AnEntryWithALineOnItsWayStays) {
  use({1, 1, GetParam()});
  spec.max_memory_delay_ps = 100'000;
  build();
  begin_load(0, one_line);
  begin_load(1, far_line);
  run_ns(5000);
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 1) << "and leaves when it has come";
  EXPECT_EQ(state(far_line), "V");
  expect_clean();
}

TEST_P(Regions, TheHostReadsAndWritesLinesOfAnEntryAsOthers) {
  build();
  store(0, one_line, 5);
  system->debug_word(next_line, 7);
  EXPECT_EQ(load(1, next_line), 7U);
  EXPECT_EQ(system->debug_word(one_line), 5U);
}

INSTANTIATE_TEST_SUITE_P(Lines, Regions, testing::Values(2U, 4U));

using RegionGeometry = HierarchyFixture;

TEST_F(RegionGeometry, OfNoPowerOfTwoIsAnError) {
  spec.own_policy = make_regional_policy({2, 1, 3});
  EXPECT_EQ(test::error_of<base::ModelError>([&] { build(); }),
            "an entry of a directory is of 3 lines, which is no power of two");
}

TEST_F(RegionGeometry, MustFitTheInterleaving) {
  spec.own_policy = make_regional_policy({2, 1, 4});
  spec.slices = 2;
  spec.interleaving.chunk = 256;
  EXPECT_EQ(test::error_of<base::ModelError>([&] { build(); }),
            "protocol `regional`: an entry of the directory is of 4 lines, which do not lie in one memory: the "
            "interleaving's chunk must be 512 bytes or more");
}

std::vector<std::unique_ptr<protocols::Machine>> alone(std::unique_ptr<protocols::Machine> machine) {
  std::vector<std::unique_ptr<protocols::Machine>> machines;
  machines.push_back(std::move(machine));
  return machines;
}

/// Lines with nothing around them.
class LinesAlone : public models::CoherentLines::Owner {
 public:
  LinesAlone(const DirectoryGeometry& directory, std::unique_ptr<protocols::Machine> machine)
      : lines(*this, {1, 4, 128, 4, 4, models::Replacement::lru, 0, directory}, alone(std::move(machine)),
              base::Random(1)) {}
  models::StallReason stall_reason(const protocols::Transition&, const models::Lookup&,
                                   const models::Request&) override {
    return models::StallReason::none;
  }
  void execute(const protocols::Action&, const models::Lookup&, models::Request&) override {}
  void answer_parked(models::Message&, base::Cycle, const models::Request&) override {}
  std::uint64_t line_number(base::LineAddress line) const override { return line.value() / 128; }
  std::uint64_t now_ps() const override { return 0; }
  base::Cycle now_cycle() const override { return 0; }
  std::string history(base::LineAddress) const override { return {}; }
  void wake_at_ps(std::uint64_t) override {}

  models::CoherentLines lines;
};

TEST(RegionFlush, ReachesEachLineOfEachEntry) {
  using namespace protocols;
  enum class S : std::uint8_t { I, V };
  enum class E : std::uint8_t { Load, Flush };
  const Vocabulary words{
      "alone", "home",       {}, {{"I", true, ""}, {"V", true, ""}}, {{"Load", on::load, ""}, {"Flush", on::flush, ""}},
      {},      {act::list()}};
  const Row rows[] = {{S::I, E::Load, {0}, S::V, ""}, {S::V, E::Load, {}, S::V, ""}, {S::V, E::Flush, {}, S::V, ""}};
  LinesAlone alone({1, 4, 4}, std::make_unique<Machine>(make_table(words, rows)));
  for (const std::uint64_t line : {one_line, next_line, far_line}) {
    models::Request load;
    load.line = base::LineAddress(line);
    EXPECT_EQ(alone.lines.present(load), models::StallReason::none);
  }
  alone.lines.flush_all();
  EXPECT_EQ(alone.lines.machine().taken(), (std::vector<std::uint64_t>{2, 1, 8}));
}

class RegionsUnderRandomTraffic : public PlatformFixture,
                                  public testing::WithParamInterface<std::tuple<unsigned, std::uint64_t>> {};

TEST_P(RegionsUnderRandomTraffic, TinyCachesShowOnlyProgramOrder) {
  const auto [lines, seed] = GetParam();
  MemorySystemSpec spec = MemorySystemSpec::tiny();
  spec.own_policy = make_regional_policy({1, 1, lines});
  spec.interleaving.chunk = 512;
  spec.l2.mshr_entries = 4;
  spec.seed = seed;
  MemorySystem system(context, spec);
  RandomTester tester("tester", context, system, {}, seed);
  ASSERT_TRUE(tester.run());
  EXPECT_GT(tester.loads + tester.stores + tester.atomics, 1000U);
  EXPECT_GT(statistic("part0_l2.directory_evictions"), 0);
  expect_clean();
}

INSTANTIATE_TEST_SUITE_P(LinesAndSeeds, RegionsUnderRandomTraffic,
                         testing::Combine(testing::Values(1U, 2U, 4U), testing::Range<std::uint64_t>(1, 6)));

class RegionsInBothHosts : public HostContract, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(RegionsInBothHosts, DoTheSame) {
  ContractSpec spec;
  spec.own_policy = make_regional_policy({1, 1, 2});
  spec.seed = GetParam();
  EXPECT_EQ(run(spec), "");
  EXPECT_GT(done_, 30U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RegionsInBothHosts, testing::Range<std::uint64_t>(1, 9));

explore::Report explored_regions(const CoherencePolicy& policy, const char* program) {
  protocols::CoherenceContext context;
  context.l1s = explore::max_l1s;
  return explore::explore(policy, explore::parse_program(program), context, {});
}

constexpr const char* region_programs[] = {"st x 1; st y 1 | ld y; ld x",  "ld x; ld y | st x 1; ld y",
                                           "st x 1; ld y | st y 1; ld x",  "ld y; st x 1 | ld x; st y 1",
                                           "ld x; ld y | st x 1 | st y 2", "add x 1; ld y | add y 1; ld x"};

TEST(RegionsExplored, HoldWhateverHappens) {
  const CoherencePolicy policy = make_regional_policy({1, 1, 2});
  for (const char* program : region_programs) {
    const explore::Report report = explored_regions(policy, program);
    EXPECT_FALSE(report.violation) << report.violation->what << report.violation->trace;
    EXPECT_TRUE(report.complete) << program;
  }
}

/// Some program shows that the home is wrong.
testing::AssertionResult shows_region_mistake(const CoherencePolicy& policy, const std::string& what) {
  for (const char* program : region_programs) {
    const explore::Report report = explored_regions(policy, program);
    if (report.violation && report.violation->what.find(what) != std::string::npos) return testing::AssertionSuccess();
  }
  return testing::AssertionFailure();
}

/// The policy with other words for what its home does.
CoherencePolicy with_region_words(const std::function<void(protocols::Vocabulary&)>& change) {
  CoherencePolicy policy = make_regional_policy({1, 1, 2});
  auto& table = policy.at(Role::home).table;
  protocols::Vocabulary words = table->vocabulary();
  change(words);
  table = std::make_shared<const protocols::TransitionTable>(table->overlaid(words, {}));
  return policy;
}

TEST(RegionsExplored, AReplacementThatTellsOfOneLineOnlyIsFound) {
  const auto tell_of_one = [](protocols::Vocabulary& words) {
    for (protocols::ActionName& action : words.actions) {
      if (action.name != "recall_entry") continue;
      ASSERT_TRUE(action.of_entry);
      action.of_entry = false;
    }
  };
  EXPECT_TRUE(shows_region_mistake(with_region_words(tell_of_one), ""));
}

TEST(RegionsExplored, ALineThatForgetsTheSharersOfOthersIsFound) {
  CoherencePolicy policy = make_regional_policy({1, 1, 2});
  auto& table = policy.at(Role::home).table;
  const protocols::Vocabulary& words = table->vocabulary();
  std::vector<protocols::Row> rows;
  unsigned changed = 0;
  rows.reserve(table->transitions().size());
  for (const protocols::Transition& t : table->transitions()) {
    rows.push_back(t.row);
    if (row_name(t.row, words) != "W, Inv_Ack [last]") continue;
    // As where an entry is of one line, whose copies have all gone when the last acknowledgement is here.
    protocols::ActionCodes actions;
    for (std::size_t code = 0; code < words.actions.size(); ++code) {
      if (words.actions[code].name == "clear_sharers" || words.actions[code].name == "replay")
        actions.push_back(static_cast<protocols::Code>(code));
    }
    rows.back().actions = actions;
    ++changed;
  }
  ASSERT_EQ(changed, 1U);
  table = std::make_shared<const protocols::TransitionTable>(words, rows);
  EXPECT_TRUE(shows_region_mistake(policy, "the home does not know of the copy"));
}

}  // namespace
}  // namespace syncline::tests
