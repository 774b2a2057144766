// Accesses that wait at a line and are presented again: in which order, when the line makes the first of them wait
// anew.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/cache/coherent_lines.h"
#include "models/transport/message_pool.h"
#include "protocols/coherence/engine/action_names.h"

namespace syncline::tests {
namespace {

using protocols::Row;
using protocols::Stimulus;

enum class RoomState : std::uint8_t { I, W };
enum class RoomEvent : std::uint8_t { Load, Again };
enum class RoomAct : std::uint8_t { park, replay };

/// Every load waits; AGAIN lets all that wait be presented again.
std::vector<std::unique_ptr<protocols::Machine>> make_waiting_room() {
  const protocols::Vocabulary words{"waiting_room",
                                    "L1",
                                    {{"AGAIN", protocols::TrafficClass::control, 0, protocols::Payload::none, ""}},
                                    {{"I", true, "nobody waits"}, {"W", false, "somebody has waited"}},
                                    {{"Load", protocols::on::load, ""}, {"Again", protocols::on::message(0), ""}},
                                    {},
                                    {protocols::act::park("wait"), protocols::act::replay("look again")}};
  const std::vector<Row> rows{{RoomState::I, RoomEvent::Load, {RoomAct::park}, RoomState::W, "waits"},
                              {RoomState::W, RoomEvent::Load, {RoomAct::park}, RoomState::W, "waits, too"},
                              {RoomState::W, RoomEvent::Again, {RoomAct::replay}, RoomState::W, "looks again"}};
  std::vector<std::unique_ptr<protocols::Machine>> machines;
  machines.push_back(std::make_unique<protocols::Machine>(std::make_shared<protocols::TransitionTable>(words, rows)));
  return machines;
}

class Replays : public testing::Test, private models::CoherentLines::Owner {
 protected:
  void load(models::Message& message) {
    models::Request access;
    access.stimulus.access.operation = protocols::Operation::load;
    access.line = message.line;
    access.message = &message;
    ASSERT_EQ(lines.present(access), models::StallReason::none);
  }
  models::Message& load(std::uint64_t line) {
    models::Message& message = pool.get();
    message.line = base::LineAddress(line);
    load(message);
    return message;
  }
  void again(std::uint64_t line) {
    models::Request message;
    message.stimulus.source = Stimulus::Source::message;
    message.line = base::LineAddress(line);
    ASSERT_EQ(lines.present(message), models::StallReason::none);
  }
  void present_first_again() {
    models::Message& first = *lines.replays().front().message;
    lines.replays().pop_front();
    load(first);
  }
  std::vector<models::Message*> waiting() {
    std::vector<models::Message*> messages;
    for (const models::MshrTable::Parked& replay : lines.replays()) messages.push_back(replay.message);
    return messages;
  }

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

  models::MessagePool pool;
  models::CoherentLines lines{
      *this, {4, 2, 128, 4, 4, models::Replacement::lru, 0}, make_waiting_room(), base::Random(1, "replays", 0)};
};

TEST_F(Replays, KeepTheOrderOfTheAccesses) {
  models::Message& first = load(0x1000);
  models::Message& second = load(0x1000);
  again(0x1000);
  EXPECT_EQ(waiting(), (std::vector<models::Message*>{&first, &second}));
}

TEST_F(Replays, WhatAsksTwiceStaysInFrontOfWhatHasNotAskedAgain) {
  models::Message& first = load(0x1000);
  models::Message& second = load(0x1000);
  models::Message& third = load(0x1000);
  again(0x1000);
  present_first_again();
  present_first_again();
  again(0x1000);
  EXPECT_EQ(waiting(), (std::vector<models::Message*>{&first, &second, &third}));
}

TEST_F(Replays, OfLinesHaveTheirTurnsInTheOrderInWhichTheyBegin) {
  models::Message& first = load(0x1000);
  models::Message& second = load(0x1000);
  models::Message& third = load(0x1000);
  models::Message& other = load(0x2000);
  again(0x2000);
  again(0x1000);
  EXPECT_EQ(waiting(), (std::vector<models::Message*>{&other, &first, &second, &third}));
  lines.replays().pop_front();
  present_first_again();
  models::Message& last = load(0x3000);
  again(0x3000);
  again(0x1000);
  EXPECT_EQ(waiting(), (std::vector<models::Message*>{&first, &second, &third, &last}));
}

}  // namespace
}  // namespace syncline::tests
