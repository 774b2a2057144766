// What instructions ask of memory, and homes, L1s and SMs that do something else.
#include "platform/observe/asked_accesses.h"

#include <gtest/gtest.h>

#include <cstring>

namespace syncline::platform {
namespace {

using isa::AccessKind;
using isa::AtomicOp;
using models::LineEvent;
using models::Message;
using models::MessageClass;

constexpr std::uint64_t home_line = 0x1000;
constexpr const char* nothing = "nothing";

/// An instruction of SM 2, whose lanes go to words of one line; and a home that does as it is told.
class AskedAccessesTest : public ::testing::Test {
 protected:
  void ask(AccessKind kind, const std::vector<unsigned>& offsets, const std::vector<std::uint32_t>& values = {},
           AtomicOp atomic = AtomicOp::none) {
    access_ = {};
    access_.kind = kind;
    access_.space = isa::Space::global;
    access_.lanes = base::all_lanes(static_cast<unsigned>(offsets.size()));
    access_.atomic = atomic;
    access_.type = isa::Type::u32;
    for (unsigned lane = 0; lane < offsets.size(); ++lane) {
      access_.address[lane] = home_line + offsets[lane];
      if (lane < values.size()) std::memcpy(access_.data.data() + 4 * lane, &values[lane], 4);
    }
    begin();
  }
  void begin() { asked_.started(base::SmId(2), {access_, 7, 1, ++order_}); }
  void store(const std::vector<unsigned>& offsets, const std::vector<std::uint32_t>& values) {
    ask(AccessKind::store, offsets, values);
  }
  static void put(base::LineData& data, unsigned offset, std::uint32_t value) {
    std::memcpy(data.data() + offset, &value, 4);
  }
  AskedAccesses::Complain complain() {
    return [this](const AskedAccesses::Complaint& complaint) {
      if (said_ == nothing) said_ = complaint.what;
    };
  }
  std::string said() { return std::exchange(said_, nothing); }

  /// A home performs a store of these words.
  std::string perform(const std::vector<std::pair<unsigned, std::uint32_t>>& words,
                      LineEvent::Kind kind = LineEvent::Kind::performed) {
    base::ByteMask mask;
    for (const auto& [offset, value] : words) {
      put(memory_, offset, value);
      mask.set(offset, 4);
    }
    return tell(kind, mask);
  }
  std::string tell(LineEvent::Kind kind, const base::ByteMask& mask,
                   MessageClass message_class = MessageClass::store_request) {
    Message message;
    message.message_class = message_class;
    message.requester = models::l1_node(base::SmId(2));
    message.order = order_;
    const LineEvent event{kind, base::LineAddress(home_line), mask, &memory_, &message};
    kind == LineEvent::Kind::merged   ? asked_.merged(event, complain())
    : kind == LineEvent::Kind::loaded ? asked_.loaded(event)
                                      : asked_.performed(event, complain());
    return said();
  }
  /// A home performs atomics that find and leave these words.
  struct Lane {
    unsigned lane, offset;
    std::uint32_t returned;
  };
  std::string perform(const std::vector<Lane>& lanes, std::uint32_t before, std::uint32_t after) {
    Message message;
    message.message_class = MessageClass::atomic_request;
    message.requester = models::l1_node(base::SmId(2));
    message.order = order_;
    message.returns_value = access_.kind == AccessKind::atomic;
    base::LineData found = memory_;
    base::ByteMask mask;
    for (const Lane& lane : lanes) {
      models::AtomicLane& atomic = message.atomics[message.atomic_count++];
      atomic.lane = static_cast<std::uint8_t>(lane.lane);
      atomic.offset = static_cast<std::uint8_t>(lane.offset);
      atomic.operand = lane.returned;
      mask.set(lane.offset, 4);
      put(found, lane.offset, before);
      put(memory_, lane.offset, after);
    }
    LineEvent event{LineEvent::Kind::performed, base::LineAddress(home_line), mask, &memory_, &message};
    event.before = &found;
    asked_.performed(event, complain());
    return said();
  }
  /// Its lanes get these words.
  std::string answer(const std::vector<std::uint32_t>& words = {}) {
    isa::MemoryAccess delivered = access_;
    for (unsigned lane = 0; lane < words.size(); ++lane) std::memcpy(delivered.data.data() + 4 * lane, &words[lane], 4);
    asked_.answered(base::SmId(2), {delivered, 7, 1, order_}, complain());
    return said();
  }

  AskedAccesses asked_{true};
  isa::MemoryAccess access_;
  base::LineData memory_{};
  std::uint64_t order_ = 0;
  std::string said_ = nothing;
};

TEST_F(AskedAccessesTest, AStoreIsWhatItsLanesAskFor) {
  store({0, 8}, {5, 6});
  EXPECT_EQ(perform({{0, 5}}), nothing) << "part by part";
  EXPECT_EQ(perform({{8, 6}}), nothing);
  EXPECT_EQ(answer(), nothing);
}

TEST_F(AskedAccessesTest, AStoreOfOtherBytes) {
  store({0, 8}, {5, 6});
  EXPECT_EQ(perform({{0, 5}, {8, 0x106}}), "0x106 at byte 8 is not what a lane stores there");
}

TEST_F(AskedAccessesTest, AStoreWithAnotherMask) {
  store({0, 8}, {5, 6});
  EXPECT_EQ(perform({{0, 5}, {4, 0}, {8, 6}}), "no lane stores there");
  store({0, 8}, {5, 6});
  EXPECT_EQ(tell(LineEvent::Kind::performed, base::ByteMask::range(0, 2)),
            "only a part of what lane 0 stores at byte 0 is there");
}

TEST_F(AskedAccessesTest, AStoreThatLosesALane) {
  store({0, 8}, {5, 6});
  perform({{0, 5}});
  EXPECT_EQ(answer(), "it was answered, and no home has performed it for lane 1");
}

TEST_F(AskedAccessesTest, AStoreThatIsPerformedTwiceOrLate) {
  store({0}, {5});
  EXPECT_EQ(perform({{0, 5}}), nothing);
  EXPECT_EQ(perform({{0, 5}}), "it is performed again at byte 0");
  EXPECT_EQ(answer(), nothing);
  EXPECT_EQ(perform({{0, 5}}), "it is performed where its warp has nothing under way that is not answered");
}

TEST_F(AskedAccessesTest, OfLanesThatStoreToOnePlaceOneWins) {
  store({4, 4, 4}, {1, 2, 3});
  EXPECT_EQ(perform({{4, 2}}), nothing);
  EXPECT_EQ(answer(), nothing) << "for all of them";
  store({4, 4, 4}, {1, 2, 3});
  EXPECT_EQ(perform({{4, 4}}), "0x4 at byte 4 is not what a lane stores there");
  store({4, 4}, {1, 2});
  EXPECT_EQ(perform({{4, 1}}), nothing) << "lanes that share no line access";
  EXPECT_EQ(perform({{4, 2}}), nothing);
  EXPECT_EQ(perform({{4, 2}}), "it is performed again at byte 4");
}

TEST_F(AskedAccessesTest, AVectorIsElementsAndSomeMayBeLeftOut) {
  store({16}, {1});
  access_.elements = 4;
  access_.stride = 16;
  access_.skipped = 0b0100;
  for (std::uint32_t i = 0; i < 4; ++i) put(memory_, 16 + 4 * i, i);
  std::memcpy(access_.data.data(), memory_.data() + 16, 16);
  begin();
  EXPECT_EQ(perform({{16, 0}, {20, 1}}), nothing);
  EXPECT_EQ(perform({{28, 3}}), nothing);
  EXPECT_EQ(answer(), nothing);
  begin();
  EXPECT_EQ(perform({{24, 2}}), "no lane stores there");
}

TEST_F(AskedAccessesTest, WhatAnL1TakesInIsWhatItsLanesAskFor) {
  store({0}, {5});
  EXPECT_EQ(perform({{0, 5}}, LineEvent::Kind::merged), nothing);
  EXPECT_EQ(perform({{0, 7}}, LineEvent::Kind::merged), "0x7 at byte 0 is not what a lane stores there");
  EXPECT_EQ(answer(), "it was answered, and no home has performed it for lane 0") << "merging is not performing";
}

TEST_F(AskedAccessesTest, AnAtomicMakesWhatItsOperandSays) {
  ask(AccessKind::atomic, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 3}}, 3, 13), nothing);
  EXPECT_EQ(answer({3}), nothing);
  ask(AccessKind::atomic, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 3}}, 3, 14),
            "at byte 4 it finds 0x3, leaves 0xe and returns 0x3, where lane 0 makes 0xd of that");
}

TEST_F(AskedAccessesTest, AnAtomicThatReturnsAnOldValue) {
  ask(AccessKind::atomic, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 2}}, 3, 13),
            "at byte 4 it finds 0x3, leaves 0xd and returns 0x2, where lane 0 makes 0xd of that");
  ask(AccessKind::atomic, {4}, {10}, AtomicOp::add);
  perform({{0, 4, 3}}, 3, 13);
  EXPECT_EQ(answer({2}), "lane 0 gets 0x2, and its atomic found 0x3") << "between the home and the lane";
}

TEST_F(AskedAccessesTest, AnAtomicThatIsPerformedTwiceOrNever) {
  ask(AccessKind::reduction, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 0}}, 3, 13), nothing);
  EXPECT_EQ(perform({{0, 4, 0}}, 13, 23), "it is performed again for lane 0");
  ask(AccessKind::reduction, {4, 8}, {10, 10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 0}}, 3, 13), nothing);
  EXPECT_EQ(answer(), "it was answered, and no home has performed it for lane 1");
}

TEST_F(AskedAccessesTest, AnAtomicElsewhere) {
  ask(AccessKind::reduction, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 8, 0}}, 3, 13), "lane 0 asks nothing of byte 8");
  EXPECT_EQ(perform({{1, 4, 0}}, 3, 13), "lane 1 asks nothing of byte 4");
}

TEST_F(AskedAccessesTest, LanesAtOnePlaceComeInSomeOrder) {
  const auto three = [&] { ask(AccessKind::atomic, {4, 4, 4}, {1, 2, 3}, AtomicOp::exch); };
  three();
  EXPECT_EQ(perform({{0, 4, 9}, {1, 4, 1}, {2, 4, 2}}, 9, 3), nothing);
  three();
  EXPECT_EQ(perform({{0, 4, 3}, {1, 4, 9}, {2, 4, 2}}, 9, 1), nothing) << "1, 2, 0";
  const char* const expected =
      "at byte 4 it finds 0x9, leaves 0x3, which 3 lanes do not in any order with what they return";
  three();
  EXPECT_EQ(perform({{0, 4, 9}, {1, 4, 9}, {2, 4, 2}}, 9, 3), expected) << "one is not seen by the next";
  three();
  EXPECT_EQ(perform({{0, 4, 9}, {1, 4, 1}}, 9, 2), nothing);
  EXPECT_EQ(answer({9, 1, 2}), "it was answered, and no home has performed it for lane 2") << "one lane is lost";
}

TEST_F(AskedAccessesTest, ReductionsAtOnePlaceComeToTheirSum) {
  const std::vector<unsigned> same(8, 4);
  std::vector<Lane> lanes;
  for (unsigned i = 0; i < 8; ++i) lanes.push_back({i, 4, 0});
  const auto eight = [&](AtomicOp op) { ask(AccessKind::reduction, same, {1, 2, 3, 4, 5, 6, 7, 8}, op); };
  eight(AtomicOp::add);
  EXPECT_EQ(perform(lanes, 100, 136), nothing);
  eight(AtomicOp::add);
  EXPECT_EQ(perform(lanes, 100, 128), "at byte 4 it finds 0x64, leaves 0x80, which 8 lanes do not in any order");
  eight(AtomicOp::exch);
  EXPECT_EQ(perform(lanes, 100, 3), nothing) << "whichever was last";
  eight(AtomicOp::exch);
  EXPECT_NE(perform(lanes, 100, 9), nothing);
  EXPECT_EQ(asked_.not_judged(), 0U);
  eight(AtomicOp::dec);
  EXPECT_EQ(perform(lanes, 100, 77), nothing) << "too many orders";
  EXPECT_EQ(asked_.not_judged(), 1U);
}

TEST_F(AskedAccessesTest, CasStoresWhereItFindsWhatItWants) {
  const auto cas = [&] {
    ask(AccessKind::atomic, {4}, {3}, AtomicOp::cas);
    const std::uint32_t fresh = 8;
    std::memcpy(access_.compare.data(), &fresh, 4);
    begin();
  };
  cas();
  EXPECT_EQ(perform({{0, 4, 3}}, 3, 8), nothing);
  cas();
  EXPECT_EQ(perform({{0, 4, 4}}, 4, 4), nothing);
  cas();
  EXPECT_EQ(perform({{0, 4, 4}}, 4, 8),
            "at byte 4 it finds 0x4, leaves 0x8 and returns 0x4, where lane 0 makes 0x4 of that");
}

TEST_F(AskedAccessesTest, AHomeThatTakesAStoreForAnAtomic) {
  ask(AccessKind::reduction, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{4, 10}}), "a store is performed where its warp has asked for something else");
  store({4}, {10});
  EXPECT_EQ(perform({{0, 4, 0}}, 3, 13), "an atomic is performed where its warp has asked for something else");
}

TEST_F(AskedAccessesTest, ALoadGetsWhatItsL1AnsweredWith) {
  ask(AccessKind::load, {0, 8});
  put(memory_, 0, 3);
  EXPECT_EQ(tell(LineEvent::Kind::loaded, base::ByteMask::range(0, 4)), nothing);
  put(memory_, 8, 4);
  EXPECT_EQ(tell(LineEvent::Kind::loaded, base::ByteMask::range(8, 4)), nothing);
  EXPECT_EQ(answer({3, 4}), nothing);
  ask(AccessKind::load, {0, 8});
  tell(LineEvent::Kind::loaded, base::ByteMask::range(0, 12));
  EXPECT_EQ(answer({3, 3}), "lane 1 gets 0x3, with which no L1 has answered it") << "another lane's word";
  ask(AccessKind::load, {0, 8});
  tell(LineEvent::Kind::loaded, base::ByteMask::range(0, 4));
  EXPECT_EQ(answer({3, 4}), "lane 1 gets 0x4, with which no L1 has answered it") << "of which there was no word";
}

TEST_F(AskedAccessesTest, OnlyAtomicsAreFollowedWhereStoresWaitInLogs) {
  asked_ = AskedAccesses(false);
  store({0}, {5});
  EXPECT_EQ(perform({{0, 6}}), nothing);
  EXPECT_EQ(answer(), nothing);
  ask(AccessKind::reduction, {4}, {10}, AtomicOp::add);
  EXPECT_EQ(perform({{0, 4, 0}}, 3, 14), "at byte 4 it finds 0x3, leaves 0xe, where lane 0 makes 0xd of that");
}

}  // namespace
}  // namespace syncline::platform
