// A home whose metadata is in a directory of its own: two kinds of replacement, and what a policy may not do there.
// The policy is GPU-VIni, or a broken form of it.
#include <gmock/gmock.h>

#include "protocols/coherence/gpu_vi_ni/gpu_vi_ni.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using protocols::CoherencePolicy;
using protocols::Role;
using protocols::Row;
using testing::Contains;
using testing::HasSubstr;

class Directory : public HierarchyFixture {
 protected:
  using S = protocols::gpu_vi_ni::HomeState;
  using E = protocols::gpu_vi_ni::HomeEvent;
  using A = protocols::gpu_vi::HomeAction;
  static constexpr std::uint64_t a = 0x1000, b = 0x2000, c = 0x3000;  ///< lines of one set in every array here
  Directory() {
    spec.coherence.policy = "gpu_vi_ni";
    spec.l2.size = 4 * 128;
    spec.l2.ways = 4;
    spec.coherence.gpu_vi_ni = {2, 1};
  }
  /// GPU-VIni, with `rows` in the place of its own for their pairs.
  void break_home(const std::vector<Row>& rows) {
    CoherencePolicy policy = protocols::make_gpu_vi_ni(spec.coherence.gpu_vi_ni);
    std::shared_ptr<const protocols::TransitionTable>& table = policy.at(Role::home).table;
    table = std::make_shared<const protocols::TransitionTable>(table->overlaid(table->vocabulary(), rows));
    spec.own_policy = policy;
  }
  const models::CoherentLines& home() const { return system->slices[0]->lines(); }
  std::uint8_t state(std::uint64_t line) const { return home().state_of(base::LineAddress(line)); }
};

TEST_F(Directory, KeepsTheMetadataOfALineWhoseFrameIsGone) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build();
  load(0, a);
  EXPECT_EQ(state(a), protocols::Code(S::SS));
  load(0, b);
  EXPECT_EQ(state(a), protocols::Code(S::SS_D));
  EXPECT_EQ(state(b), protocols::Code(S::SS));
  const models::Lookup lookup = home().locate(base::LineAddress(a));
  EXPECT_EQ(lookup.frame, models::nowhere);
  EXPECT_NE(lookup.directory_entry, models::nowhere);
}

TEST_F(Directory, TheEntryUsedLongestAgoLeaves) {
  build();
  load(0, a);
  load(0, b);
  load(1, a);
  load(1, c);
  run_ns(1000);
  EXPECT_EQ(state(a), protocols::Code(S::SS));
  EXPECT_EQ(state(b), protocols::Code(S::NP));
  EXPECT_EQ(state(c), protocols::Code(S::SS));
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 1);
  EXPECT_EQ(stat("part0_l2.evictions"), 0);
  expect_clean();
}

TEST_F(Directory, ItsSetsAreItsOwn) {
  spec.l2.size = 4 * 128;
  spec.l2.ways = 1;
  spec.coherence.gpu_vi_ni = {1, 8};
  build();
  // One set of frames, two sets of the directory.
  load(0, 0x1000);
  load(0, 0x1200);
  EXPECT_EQ(stat("part0_l2.evictions"), 1);
  EXPECT_EQ(stat("part0_l2.directory_evictions"), 0);
  EXPECT_EQ(state(0x1000), protocols::Code(S::SS_D));
}

TEST_F(Directory, HostAccessFindsDataInFramesAndInMemory) {
  spec.l2.size = 128;
  spec.l2.ways = 1;
  build();
  store(0, a, 5);
  EXPECT_EQ(system->debug_word(a), 5U) << "in its frame";
  store(0, b, 6);
  EXPECT_EQ(state(a), protocols::Code(S::S_D));
  EXPECT_EQ(system->debug_word(a), 5U) << "written back";
  system->debug_word(a, 7);
  EXPECT_EQ(load(1, a), 7U);
}

TEST_F(Directory, NoStatisticsOfADirectoryWhereThereIsNone) {
  spec.coherence.policy = "gpu_vi";
  build();
  EXPECT_EQ(home().directory(), nullptr);
  for (const base::Statistic* s : statistics.sorted()) {
    EXPECT_EQ(s->name.find("directory"), std::string::npos) << s->full_name();
    EXPECT_NE(s->name, "stall_no_directory_entry") << s->full_name();
  }
}

TEST_F(Directory, APolicyThatListsNeedsADirectory) {
  break_home({});
  spec.own_policy->at(Role::home).directory.reset();
  build();
  cores[0]->send(load_message(0, a), [](models::Message&) {});
  expect_model_error("protocol `gpu_vi_ni`: line 0x1000 needs an entry in a directory, and the home has none");
}

TEST_F(Directory, ALineMustBeListedBeforeItHasAFrame) {
  break_home({{S::NP, E::Load, {A::allocate, A::park, A::add_sharer, A::fetch}, S::ISS, "without an entry"}});
  build();
  cores[0]->send(load_message(0, a), [](models::Message&) {});
  expect_model_error("protocol `gpu_vi_ni`: line 0x1000 gets a frame without being listed");
}

TEST_F(Directory, ALineMustLoseItsFrameBeforeItsEntry) {
  constexpr auto unlist = static_cast<protocols::Code>(static_cast<int>(A::drop) + 2);
  break_home({{S::SS, E::Dir_Replacement, {A::expect_all, A::recall, unlist}, S::II, "with its data here"}});
  spec.coherence.gpu_vi_ni = {1, 1};
  spec.own_policy->at(Role::home).directory = protocols::DirectoryGeometry{1, 1};
  build();
  load(0, a);
  cores[0]->send(load_message(0, b), [](models::Message&) {});
  expect_model_error("protocol `gpu_vi_ni`: line 0x1000 leaves the directory while its data is here");
}

}  // namespace
}  // namespace syncline::tests
