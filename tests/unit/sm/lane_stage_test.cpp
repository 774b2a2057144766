// What a lane stage can do with a memory instruction: let it pass, answer lanes, keep them, hold it, send lanes
// elsewhere, make it take longer, and how stages follow each other.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/lane_machine.h"

namespace syncline::tests {
namespace {

using isa::AccessKind;
using isa::Space;
using testing::Each;
using testing::ElementsAre;

class LaneStageTest : public LaneMachine {};

/// Answers lanes with a number of each.
void answer_with(models::LaneOffer& offer, base::LaneMask lanes, std::uint32_t first, base::Cycle at) {
  std::array<std::uint8_t, base::max_lanes * isa::max_access_bytes> values{};
  base::for_each_lane(lanes, [&](unsigned lane) {
    const std::uint32_t value = first + lane;
    std::memcpy(values.data() + lane * offer.access().stride, &value, sizeof value);
  });
  offer.answer(lanes, values.data(), at);
}

/// Two SMs run the same CTA, the second one with stages that let everything pass: each request, and each statistic.
TEST_F(LaneStageTest, PassingStagesChangeNothing) {
  l1 = {300, 300, 0};
  std::map<std::pair<Space, AccessKind>, unsigned> seen;
  const auto counts = [&seen](ScriptedStage&, models::LaneOffer& offer, base::Cycle) {
    ++seen[{offer.access().space, offer.access().kind}];
    pass_all(offer);
  };
  seams = [&](unsigned sm) {
    models::SmSeams policies;
    if (sm == 1) policies.lane_stages = {stage("first", counts), stage("second", counts)};
    return policies;
  };
  build();
  const auto data = allocate(4096);
  compare(kernel(R"(
  prefetch.global.L1 [%rd3];
  st.global.u32 [%rd3], %r1; ld.global.u32 %r5, [%rd3];
  st.shared.u32 [%r11], %r5; bar.sync 0; xor.b32 %r6, %r10, 128; mov.u32 %r7, words; add.u32 %r7, %r7, %r6;
  ld.shared.u32 %r8, [%r7]; red.shared.add.u32 [words+512], 1; atom.shared.add.u32 %r9, [words+516], %r8;
  st.local.u32 [mine], %r8; ld.local.u32 %r8, [mine]; and.b32 %r6, %r1, 3; mul.wide.u32 %rd4, %r6, 4;
  mov.u64 %rd5, table; add.u64 %rd5, %rd5, %rd4; ld.const.u32 %r7, [%rd5];
  setp.lt.u32 %p1, %r1, 13; @%p1 ld.global.u32 %r5, [%rd3]; add.u32 %r8, %r8, %r7; add.u32 %r8, %r8, %r5;
  atom.global.add.u32 %r9, [%rd3], %r8; red.global.add.u32 [%rd3], 1; membar.gl; st.global.u32 [%rd3+1024], %r8;
  cvta.local.u64 %rd6, mine; @%p1 mov.u64 %rd6, %rd3; ld.u32 %r9, [%rd6]; st.global.u32 [%rd3+2048], %r9;)"),
          {"k", {2}, {64}, {data}});
  for (const Space space : {Space::global, Space::shared, Space::local}) {
    const auto both = std::make_pair(seen[{space, AccessKind::load}], seen[{space, AccessKind::store}]);
    EXPECT_GT(both.first, 0U);
    EXPECT_GT(both.second, 0U);
    if (space == Space::local) continue;
    EXPECT_GT((seen[{space, AccessKind::reduction}]), 0U);
  }
  EXPECT_EQ((seen[{Space::const_, AccessKind::load}]), 4U) << "of two warps, by two stages";
  EXPECT_EQ((seen.count({Space::global, AccessKind::prefetch})), 0U);
  std::map<std::string, double> of_sm[2];
  for (const base::Statistic* one : statistics.sorted()) {
    const std::string name = one->full_name();
    if (name.rfind("sm", 0) == 0 && one->name.rfind("lane_", 0) != 0)
      of_sm[name[2] - '0'][std::string(one->name)] =
          one->distribution != nullptr ? static_cast<double>(one->distribution->sum()) : statistic(name);
  }
  EXPECT_GT(of_sm[0].size(), 30U);
  EXPECT_EQ(of_sm[0], of_sm[1]);
  EXPECT_EQ(statistic("sm1.lane_holds"), 0);
  EXPECT_EQ(statistic("sm1.lane_answers"), 0);
  ASSERT_EQ(l1s[0]->seen.size(), l1s[1]->seen.size());
  const std::uint64_t later = l1s[1]->seen[0].at_ps - l1s[0]->seen[0].at_ps;
  for (std::size_t i = 0; i < l1s[0]->seen.size(); ++i) {
    EXPECT_EQ(l1s[0]->seen[i].kind, l1s[1]->seen[i].kind);
    EXPECT_EQ(l1s[0]->seen[i].mask, l1s[1]->seen[i].mask);
    EXPECT_EQ(l1s[0]->seen[i].at_ps + later, l1s[1]->seen[i].at_ps);
  }
}

struct Answered {
  const char* name;
  Space space;
  AccessKind kind;
  const char* ptx;            ///< what brings %r5
  std::uint32_t from_memory;  ///< that of lanes that pass
};

void PrintTo(const Answered& one, std::ostream* out) {
  *out << one.name;
}

class AnsweringStages : public LaneMachine, public testing::WithParamInterface<Answered> {};

TEST_P(AnsweringStages, GiveSomeLanesWhatTheySay) {
  unsigned answered = 0;
  const auto answers = stage("answers", [&answered](ScriptedStage&, models::LaneOffer& offer, base::Cycle now) {
    if (offer.access().space == GetParam().space && offer.access().kind == GetParam().kind) {
      answer_with(offer, offer.access().lanes & odd, 1000, now + 5);
      ++answered;
    }
    pass_all(offer);
  });
  build_with({answers});
  const auto data = allocate(256);
  for (unsigned i = 0; i < 32; ++i) at<std::uint32_t>(data)[i] = 7;
  execute(kernel("mov.u32 %r6, 9; st.shared.u32 [%r11], %r6; st.local.u32 [mine], %r6;\n" +
                 std::string(GetParam().ptx) + "\nst.global.u32 [%rd3+128], %r5;"),
          {"k", {1}, {32}, {data}});
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(at<std::uint32_t>(data + 128)[lane], lane % 2 == 1 ? 1000 + lane : GetParam().from_memory) << lane;
  EXPECT_EQ(statistic("sm0.lane_answers"), 16 * answered);
  EXPECT_EQ(statistic("sm0.memory_under_way"), 0);
}

INSTANTIATE_TEST_SUITE_P(
    Spaces, AnsweringStages,
    testing::Values(Answered{"global", Space::global, AccessKind::load, "ld.global.u32 %r5, [%rd3];", 7},
                    Answered{"shared", Space::shared, AccessKind::load, "ld.shared.u32 %r5, [%r11];", 9},
                    Answered{"local", Space::local, AccessKind::load, "ld.local.u32 %r5, [mine];", 9},
                    Answered{"constant", Space::const_, AccessKind::load, "ld.const.u32 %r5, [table+4];", 101},
                    Answered{"constant_hit", Space::const_, AccessKind::load,
                             "ld.const.u32 %r6, [table+8]; add.u32 %r7, %r6, %r6; setp.eq.u32 %p1, %r7, 1;\n"
                             "@%p1 ret; ld.const.u32 %r5, [table+4];",
                             101},
                    Answered{"atomic", Space::global, AccessKind::atomic, "atom.global.add.u32 %r5, [%rd3], 1;", 7},
                    Answered{"shared_atomic", Space::shared, AccessKind::atomic, "atom.shared.add.u32 %r5, [%r11], 1;",
                             9}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_F(LaneStageTest, AnswersInTheirTimeWithoutTheL1) {
  // Every load is answered 50 cycles after it has issued; stores are swallowed.
  const auto all = stage("all", [](ScriptedStage&, models::LaneOffer& offer, base::Cycle now) {
    if (offer.access().kind == AccessKind::load) return answer_with(offer, offer.access().lanes, 70, now + 50);
    if (offer.access().address[0] % 512 < 256) return offer.answer(offer.access().lanes, nullptr, now);
    pass_all(offer);
  });
  build_with({all});
  const auto data = allocate(1024);
  execute(kernel("mov.u32 %r6, %clock; ld.global.u32 %r5, [%rd3]; add.u32 %r5, %r5, 1; mov.u32 %r7, %clock;\n"
                 "st.global.u32 [%rd3+128], %r5; sub.u32 %r7, %r7, %r6; st.global.u32 [%rd3+256], %r7;\n"
                 "st.global.u32 [%rd3+384], %r5;"),
          {"k", {1}, {32}, {data}});
  EXPECT_THAT(words(data, 64), Each(0U)) << "stores that the stage has answered have not come to memory";
  EXPECT_EQ(at<std::uint32_t>(data + 384)[3], 74U);
  const std::uint32_t took = *at<std::uint32_t>(data + 256);
  EXPECT_GE(took, 50U);
  EXPECT_LE(took, 50U + 2 * 18 + 4) << "and not longer than an answer and two instructions take";
  EXPECT_EQ(l1s[0]->seen.size(), 3U) << "the beginning of the grid, and two stores";
}

TEST_F(LaneStageTest, KeepsLanesWhileTheWarpGoesOn) {
  // Odd lanes of the load wait for an answer that comes when the warp stores, which it can without the value.
  models::LaneTicket ticket = 0;
  const auto keeps = stage("keeps", [&](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
    if (offer.access().kind == AccessKind::load) {
      ticket = offer.ticket();
      offer.keep(offer.access().lanes & odd);
    } else if (ticket != 0) {
      EXPECT_NE(offer.ticket(), ticket);
      std::array<std::uint8_t, 32 * 4> values{};
      values[1 * 4] = 11;
      values[31 * 4] = 31;
      self.chain->answer(self, ticket, 2, values.data(), now + 100);
      self.chain->answer(self, ticket, odd & ~base::LaneMask{2}, values.data(), now + 60);
      ticket = 0;
    }
    pass_all(offer);
  });
  build_with({keeps});
  const auto data = allocate(512);
  for (unsigned i = 0; i < 32; ++i) at<std::uint32_t>(data)[i] = 7;
  execute(kernel("mov.u32 %r6, %clock; ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+128], %r1;\n"
                 "add.u32 %r5, %r5, 0; mov.u32 %r7, %clock; sub.u32 %r7, %r7, %r6;\n"
                 "st.global.u32 [%rd3+256], %r5; st.global.u32 [%rd3+384], %r7;"),
          {"k", {1}, {32}, {data}});
  EXPECT_THAT(words(data + 256, 4), ElementsAre(7U, 11U, 7U, 0U));
  EXPECT_EQ(at<std::uint32_t>(data + 256)[31], 31U);
  EXPECT_GE(*at<std::uint32_t>(data + 384), 400U) << "its even lanes come from memory";
}

TEST_F(LaneStageTest, FencesWaitForLanesThatAreKept) {
  const auto keeps = stage("keeps", [](ScriptedStage&, models::LaneOffer& offer, base::Cycle now) {
    if (offer.access().kind == AccessKind::store) return offer.answer(offer.access().lanes, nullptr, now + 1000);
    pass_all(offer);
  });
  build_with({keeps});
  const auto data = allocate(128);
  execute(kernel("st.global.u32 [%rd3], %r1; membar.gl; red.global.add.u32 [%rd3], 1;"), {"k", {1}, {32}, {data}});
  const auto& seen = l1s[0]->seen;
  ASSERT_EQ(seen.size(), 3U) << "the beginning of the grid, the fence, the reduction";
  EXPECT_EQ(seen[1].kind, models::L1Kind::fence);
  EXPECT_GE(seen[1].at_ps, seen[0].at_ps + 1'000'000);
}

TEST_F(LaneStageTest, HoldsAWarpUntilItIsRetried) {
  // The first warp's load is held until 500 cycles later; the second warp does not wait.
  const auto holds = stage("holds", [](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
    if (offer.warp().index == 0 && offer.access().kind == AccessKind::load && self.offers == 1) {
      self.chain->retry(offer.warp().slot, now + 500);
      return offer.hold();
    }
    pass_all(offer);
  });
  build_with({holds});
  const auto data = allocate(1024, true);
  const std::string ptx = kernel(
      "ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+256], %r1;\n"
      "st.global.u32 [%rd3+512], %r5;");
  compare(ptx, {"k", {1}, {64}, {data}});
  std::map<unsigned, std::vector<FakeL1::Seen>> of_warp;
  for (const FakeL1::Seen& one : l1s[0]->seen) {
    if (one.kind == models::L1Kind::global) of_warp[one.line % 256 / 128].push_back(one);
  }
  ASSERT_EQ(of_warp.size(), 2U);
  EXPECT_EQ(of_warp[0].at(0).message_class, models::MessageClass::load_request) << "nothing passes what is held";
  EXPECT_GE(of_warp[0].at(0).at_ps, of_warp[1].at(1).at_ps + 400'000) << "the other warp has gone on";
  EXPECT_EQ(statistic("sm0.lane_holds"), 1);
  EXPECT_EQ(statistic("sm0.lane_instructions"), 6) << "one that is held counts once";
}

TEST_F(LaneStageTest, WhatIsHeldInSharedMemoryTakesEffectWhenItPasses) {
  // Warp 0 writes and is held, warp 1 writes later but passes: warp 0 wins, and its own load behind sees that.
  const auto holds = stage("holds", [](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
    const bool first = offer.warp().index == 0 && offer.access().space == Space::shared && self.offers <= 2;
    if (first && offer.access().kind == AccessKind::store) {
      self.chain->retry(offer.warp().slot, now + 300);
      return offer.hold();
    }
    pass_all(offer);
  });
  build_with({holds});
  const auto data = allocate(256);
  execute(kernel("add.u32 %r5, %r1, 100; st.shared.u32 [words+64], %r5; ld.shared.u32 %r6, [words+64];\n"
                 "bar.sync 0; ld.shared.u32 %r7, [words+64]; st.global.u32 [%rd3], %r7;"),
          {"k", {1}, {64}, {data}});
  EXPECT_THAT(words(data, 64), Each(131U)) << "the last lane of warp 0";
}

TEST_F(LaneStageTest, RetriesTheOneThatWaitsLongestFirstAndOneACycle) {
  std::vector<unsigned> held, passed;
  std::vector<base::Cycle> times;
  const auto holds = stage("holds", [&](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
    const unsigned warp = offer.warp().index;
    if (offer.access().kind != AccessKind::load) return pass_all(offer);
    if (std::count(held.begin(), held.end(), warp) == 0) {
      held.push_back(warp);
      if (held.size() == 4) {
        for (unsigned slot = 0; slot < 4; ++slot) self.chain->retry(slot, now + 40);
      }
      return offer.hold();
    }
    passed.push_back(warp);
    times.push_back(now);
    pass_all(offer);
  });
  build_with({holds});
  const auto data = allocate(1024, true);
  compare(kernel("ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+512], %r5;"), {"k", {1}, {128}, {data}});
  EXPECT_EQ(passed.size(), 4U);
  EXPECT_EQ(passed, held) << "in the order in which they came";
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
}

/// Cycles that a warp sees for a conflict-free load from shared memory on an SM without stages, and on one with this.
struct Slower {
  unsigned delay, occupy, retry;
};

class SharedLatency : public LaneMachine, public testing::WithParamInterface<Slower> {};

TEST_P(SharedLatency, GrowsByWhatTheStageSays) {
  l1 = {400, 400, 0};
  seams = [&](unsigned sm) {
    models::SmSeams policies;
    if (sm == 1)
      policies.lane_stages = {stage("slow", [](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
        const Slower slower = GetParam();
        if (slower.retry != 0 && self.offers == 1) {
          self.chain->retry(offer.warp().slot, now + slower.retry);
          return offer.hold();
        }
        if (offer.access().space == Space::shared) {
          offer.delay(slower.delay);
          offer.occupy(slower.occupy);
        }
        pass_all(offer);
      })};
    return policies;
  };
  build();
  const auto data = allocate(1024);
  execute(kernel("mov.u32 %r5, %clock; ld.shared.u32 %r6, [%r11]; add.u32 %r6, %r6, 0; mov.u32 %r7, %clock;\n"
                 "ld.shared.u32 %r8, [%r11]; ld.shared.u32 %r9, [%r11+128]; add.u32 %r8, %r8, %r9;\n"
                 "mov.u32 %r9, %clock; sub.u32 %r9, %r9, %r7; sub.u32 %r7, %r7, %r5;\n"
                 "st.global.u32 [%rd3], %r7; st.global.u32 [%rd3+512], %r9;"),
          {"k", {2}, {32}, {data}});
  const auto* const one = at<std::uint32_t>(data);
  const auto* const two = at<std::uint32_t>(data + 512);
  const Slower slower = GetParam();
  EXPECT_EQ(one[32], one[0] + slower.delay + slower.retry) << "one load";
  EXPECT_EQ(two[32], two[0] + slower.delay + slower.occupy) << "two, of which the second waits for the unit";
}

INSTANTIATE_TEST_SUITE_P(Times, SharedLatency,
                         testing::Values(Slower{0, 0, 0}, Slower{30, 0, 0}, Slower{0, 20, 0}, Slower{30, 20, 0},
                                         Slower{0, 0, 25}, Slower{30, 20, 25}),
                         [](const auto& one) {
                           return fmt::format("delay{}_occupy{}_retry{}", one.param.delay, one.param.occupy,
                                              one.param.retry);
                         });
void PrintTo(const Slower& slower, std::ostream* out) {
  *out << slower.delay << " " << slower.occupy << " " << slower.retry;
}

TEST_F(LaneStageTest, DelaysWhatGoesToMemory) {
  const auto slow = stage("slow", [](ScriptedStage&, models::LaneOffer& offer, base::Cycle) {
    offer.delay(100);
    pass_all(offer);
  });
  build_with({slow, slow});
  const auto data = allocate(128);
  execute(kernel("mov.u32 %r5, %clock; ld.global.u32 %r6, [%rd3]; add.u32 %r6, %r6, 0; mov.u32 %r7, %clock;\n"
                 "sub.u32 %r7, %r7, %r5; st.global.u32 [%rd3], %r7;"),
          {"k", {1}, {32}, {data}});
  EXPECT_GE(*at<std::uint32_t>(data), 600U);
  EXPECT_LE(*at<std::uint32_t>(data), 660U);
}

TEST_F(LaneStageTest, RedirectsLanes) {
  // Lane n goes where lane 31 - n would, in every space; even lanes of global memory a page further.
  std::uint64_t page = 0;
  const auto turns = stage("turns", [&page](ScriptedStage&, models::LaneOffer& offer, base::Cycle) {
    const auto address = offer.access().address;
    if (offer.access().kind == AccessKind::load) {
      for (unsigned lane = 0; lane < 32; ++lane)
        offer.redirect(lane, address[31 - lane] + (offer.access().space == Space::global && lane % 2 == 0 ? page : 0));
    }
    pass_all(offer);
  });
  build_with({turns});
  const auto data = allocate(512), reserved = allocate(512);
  page = reserved - data;
  map.erase(reserved);  // memory of a policy is no allocation of the program
  for (unsigned i = 0; i < 32; ++i) {
    at<std::uint32_t>(data)[i] = 100 + i;
    at<std::uint32_t>(reserved)[i] = 200 + i;
  }
  execute(kernel("ld.global.u32 %r5, [%rd3]; st.shared.u32 [%r11], %r1; ld.shared.u32 %r6, [%r11];\n"
                 "mov.u64 %rd5, mine; and.b32 %r7, %r10, 60; cvt.u64.u32 %rd6, %r7; add.u64 %rd5, %rd5, %rd6;\n"
                 "st.local.u32 [%rd5], %r1; sub.u32 %r7, 60, %r7; cvt.u64.u32 %rd6, %r7; mov.u64 %rd5, mine;\n"
                 "add.u64 %rd5, %rd5, %rd6; st.local.u32 [%rd5], 50; and.b32 %r7, %r10, 60; cvt.u64.u32 %rd6, %r7;\n"
                 "mov.u64 %rd5, mine; add.u64 %rd5, %rd5, %rd6; ld.local.u32 %r8, [%rd5];\n"
                 "st.global.u32 [%rd3+128], %r5; st.global.u32 [%rd3+256], %r6; st.global.u32 [%rd3+384], %r8;"),
          {"k", {1}, {32}, {data}});
  EXPECT_THAT(words(data + 128, 4), ElementsAre(231U, 130U, 229U, 128U));
  EXPECT_THAT(words(data + 256, 4), ElementsAre(31U, 30U, 29U, 28U));
  EXPECT_THAT(words(data + 384, 32), Each(50U)) << "each thread's own, at the other end";
}

TEST_F(LaneStageTest, TheNextStageSeesWhatTheOneBeforeLetPass) {
  std::vector<base::LaneMask> seen;
  const auto sees = [&seen](base::LaneMask answered, std::uint32_t value) {
    return [&seen, answered, value](ScriptedStage&, models::LaneOffer& offer, base::Cycle now) {
      if (offer.access().kind != AccessKind::load) return pass_all(offer);
      seen.push_back(offer.access().lanes);
      answer_with(offer, answered, value, now);
      pass_all(offer);
    };
  };
  build_with({stage("first", sees(0xF, 100)), stage("second", sees(0xF0, 200)), stage("third", sees(0xFFFFFF00, 300)),
              stage("fourth", sees(0, 0))});
  const auto data = allocate(256);
  execute(kernel("ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd3+128], %r5;"), {"k", {1}, {32}, {data}});
  EXPECT_THAT(seen, ElementsAre(0xFFFFFFFFU, 0xFFFFFFF0U, 0xFFFFFF00U)) << "the fourth has nothing to decide";
  const auto got = words(data + 128, 32);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], (lane < 4 ? 100 : lane < 8 ? 200 : 300) + lane);
}

TEST_F(LaneStageTest, DroppedLanesKeepTheirRegisters) {
  const auto drops = stage("drops", [](ScriptedStage&, models::LaneOffer& offer, base::Cycle) {
    if (offer.access().kind != AccessKind::store) offer.drop(offer.access().lanes & odd);
    pass_all(offer);
  });
  const auto rest = stage("rest", [](ScriptedStage&, models::LaneOffer& offer, base::Cycle) {
    if (offer.access().kind == AccessKind::atomic) offer.drop(offer.access().lanes);
    pass_all(offer);
  });
  build_with({drops, rest});
  const auto data = allocate(512);
  for (unsigned i = 0; i < 32; ++i) at<std::uint32_t>(data)[i] = 7;
  execute(kernel("mov.u32 %r5, 1; mov.u32 %r6, 2; mov.u32 %r7, 3; st.shared.u32 [%r11], 8;\n"
                 "ld.global.u32 %r5, [%rd3]; ld.shared.u32 %r6, [%r11]; atom.global.add.u32 %r7, [%rd3], 1;\n"
                 "st.global.u32 [%rd3+128], %r5; st.global.u32 [%rd3+256], %r6; st.global.u32 [%rd3+384], %r7;"),
          {"k", {1}, {32}, {data}});
  EXPECT_THAT(words(data + 128, 4), ElementsAre(7U, 1U, 7U, 1U));
  EXPECT_THAT(words(data + 256, 4), ElementsAre(8U, 2U, 8U, 2U));
  EXPECT_THAT(words(data + 384, 32), Each(3U));
  EXPECT_THAT(words(data, 32), Each(7U)) << "no lane has added";
  EXPECT_EQ(statistic("sm0.lane_drops"), 16 + 16 + 32);
}

TEST_F(LaneStageTest, SharedMemoryCanBeReadAndPutBack) {
  // What a store writes to shared memory is undone when the warp loads from there.
  std::vector<std::uint8_t> before;
  const auto undo = stage("undo", [&before](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
    if (offer.access().space == Space::shared) {
      std::vector<std::uint8_t>& bytes = self.chain->shared(offer.warp().cta_slot);
      if (offer.access().kind == AccessKind::store && before.empty()) {
        before = bytes;
      } else if (offer.access().kind == AccessKind::load) {
        EXPECT_EQ(bytes[4], 41U);
        bytes = before;
      }
    }
    pass_all(offer);
  });
  build_with({undo});
  const auto data = allocate(128);
  execute(kernel("add.u32 %r5, %r1, 40; st.shared.u32 [%r11], %r5; ld.shared.u32 %r6, [%r11]; add.u32 %r6, %r6, 1;\n"
                 "st.global.u32 [%rd3], %r6;"),
          {"k", {1}, {32}, {data}});
  EXPECT_THAT(words(data, 32), Each(1U));
}

}  // namespace
}  // namespace syncline::tests
