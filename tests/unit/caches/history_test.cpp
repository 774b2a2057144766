// What is told of a line whose protocol met what it does not know.
#include <gmock/gmock.h>

#include <regex>

#include "protocols/coherence/gpu_vi/gpu_vi.h"
#include "tests/unit/caches/hierarchy_fixture.h"

namespace syncline::tests {
namespace {

using protocols::Code;

class History : public HierarchyFixture {
 protected:
  using S = protocols::gpu_vi::HomeState;
  using E = protocols::gpu_vi::HomeEvent;
  /// A home of GPU-VI that does not know stores to shared lines.
  History() {
    protocols::CoherencePolicy policy = protocols::make_gpu_vi();
    std::shared_ptr<const protocols::TransitionTable>& table = policy.at(protocols::Role::home).table;
    table = std::make_shared<const protocols::TransitionTable>(
        table->overlaid(table->vocabulary(), {}, {{Code(S::SS), Code(E::Store)}}));
    spec.own_policy = policy;
  }
};

TEST_F(History, AnUndefinedTransitionTellsTheLastMessagesOfItsLine) {
  build();
  load(0, 0x1000);
  load(1, 0x2000);
  load(1, 0x1000);
  models::Message& m = cores[1]->request(models::MessageClass::store_request, models::L1Kind::global, 0x1000);
  m.mask.set(0, 4);
  cores[1]->send(m, [](models::Message&) {});
  for (int i = 0; i < 100 && !scheduler.failure(); ++i) run_ns(100);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::ModelError& error) {
    // Times are the networks' own matter.
    const std::string said = std::regex_replace(std::string(error.what()), std::regex("[0-9]+ ps"), "T");
    EXPECT_EQ(said,
              "protocol `gpu_vi`, home machine: event Store is undefined in state SS (line 0x1000, T)\n"
              "last messages about the line:\n"
              "  T: l1_0 sends GETS to home 0 for l1 0\n"
              "  T: part0_l2 sends DATA to l1 0 for l1 0\n"
              "  T: l1_1 sends GETS to home 0 for l1 1\n"
              "  T: part0_l2 sends DATA to l1 1 for l1 1\n"
              "  T: l1_1 sends WB_Data to home 0 for l1 1");
  }
}

TEST(MessageJournal, KnowsTheLastMessagesOfALine) {
  models::MessageJournal journal;
  const std::vector<protocols::MessageKind> kinds{
      {"GETS", protocols::TrafficClass::load_request, 0, protocols::Payload::none, ""}};
  models::MessagePool pool;
  models::Message& message = pool.get();
  message.destination = models::home_node(base::PartitionId(1));
  message.requester = models::l1_node(base::SmId(0));
  const auto note = [&](std::uint64_t line, std::uint64_t ps) {
    message.line = base::LineAddress(line);
    journal.note(message, "l1", kinds, ps);
  };
  note(0x80, 1);
  note(0x80, 2);
  note(0x80, 3);
  using testing::ElementsAre;
  EXPECT_THAT(journal.about(base::LineAddress(0x80), 2),
              ElementsAre("2 ps: l1 sends GETS to home 1 for l1 0", "3 ps: l1 sends GETS to home 1 for l1 0"));
  EXPECT_THAT(journal.about(base::LineAddress(0x100), 2), ElementsAre());
  for (std::size_t i = 2; i < models::MessageJournal::capacity; ++i) note(0x100, 4);
  EXPECT_THAT(journal.about(base::LineAddress(0x80), 9),
              ElementsAre("2 ps: l1 sends GETS to home 1 for l1 0", "3 ps: l1 sends GETS to home 1 for l1 0"));
  note(0x100, 5);
  note(0x100, 6);
  EXPECT_THAT(journal.about(base::LineAddress(0x80), 9), ElementsAre());
  message.payload()->release();
}

}  // namespace
}  // namespace syncline::tests
