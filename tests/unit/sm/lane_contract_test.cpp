// What a lane stage owes: every lane one decision, every lane that it keeps one answer. And what abort takes away.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/sm/lane_machine.h"

namespace syncline::tests {
namespace {

using isa::AccessKind;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::StartsWith;

class LaneContract : public LaneMachine {
 protected:
  /// What the run of a load and a store ends with under such a stage.
  std::string error_of(const ScriptedStage::Script& script) {
    build_with({stage("broken", script)});
    data_ = allocate(512);
    try {
      start(kernel("ld.global.u32 %r5, [%rd3]; ld.shared.u32 %r6, [%r11]; add.u32 %r5, %r5, %r6;\n"
                   "st.global.u32 [%rd3], %r5;"),
            {"k", {1}, {32}, {data_}});
      run();
    } catch (const base::ModelError& error) {
      return error.what();
    }
    return "";
  }
  std::vector<std::string> left_over() const {
    std::vector<std::string> lines;
    for (const models::Block* block : context.blocks) {
      for (std::string& line : block->check_end_of_run()) lines.push_back(std::move(line));
    }
    return lines;
  }
  std::uint64_t data_ = 0;
};

struct Breach {
  const char* name;
  ScriptedStage::Script script;
  const char* said;
};

void PrintTo(const Breach& breach, std::ostream* out) {
  *out << breach.name;
}

const std::array<std::uint8_t, base::max_lanes * isa::max_access_bytes> nothing{};

class Breaches : public LaneContract, public testing::WithParamInterface<Breach> {};

TEST_P(Breaches, AreErrorsThatNameTheStageAndTheLane) {
  EXPECT_THAT(error_of(GetParam().script),
              AllOf(StartsWith("test.ptx:"), HasSubstr("kernel `k`, CTA (0, 0, 0), warp 0 (SM 0"),
                    HasSubstr("lane stage `broken` " + std::string(GetParam().said))));
}

/// A late answer, given while the next instruction is offered.
ScriptedStage::Script late(std::function<void(ScriptedStage&, models::LaneTicket)> answer) {
  auto kept = std::make_shared<models::LaneTicket>(0);
  return [kept, answer = std::move(answer)](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
    if (*kept != 0) answer(self, *kept);
    *kept = offer.ticket();
    offer.keep(offer.access().lanes & 6);
    pass_all(offer);
  };
}

INSTANTIATE_TEST_SUITE_P(
    All, Breaches,
    testing::Values(
        Breach{"forgets_a_lane",
               [](auto&, models::LaneOffer& offer, base::Cycle) { offer.pass(offer.access().lanes & ~8ULL); },
               "forgets lane 3"},
        Breach{"forgets_all", [](auto&, models::LaneOffer&, base::Cycle) {}, "forgets lanes 0, 1, 2, "},
        Breach{"answers_twice",
               [](auto&, models::LaneOffer& offer, base::Cycle now) {
                 offer.answer(8, nothing.data(), now);
                 offer.answer(24, nothing.data(), now);
               },
               "decides twice on lane 3"},
        Breach{"passes_what_it_answers",
               [](auto&, models::LaneOffer& offer, base::Cycle now) {
                 offer.answer(24, nothing.data(), now);
                 offer.pass(0xFFFFFFFF);
               },
               "decides twice on lanes 3, 4"},
        Breach{"decides_for_others",
               [](auto&, models::LaneOffer& offer, base::Cycle) {
                 pass_all(offer);
                 offer.drop(1ULL << 40);
               },
               "decides on lane 40, not offered to it"},
        Breach{"has_no_values", [](auto&, models::LaneOffer& offer, base::Cycle now) { offer.answer(2, nullptr, now); },
               "answers lane 1 without values"},
        Breach{"redirects_out_of_shared_memory",
               [](auto&, models::LaneOffer& offer, base::Cycle) {
                 if (offer.access().space == isa::Space::shared) offer.redirect(5, 1024);
                 pass_all(offer);
               },
               "redirects lane 5 to 0x400, where it cannot access 4 bytes"},
        Breach{"redirects_askew",
               [](auto&, models::LaneOffer& offer, base::Cycle) {
                 offer.redirect(5, offer.access().address[5] + 2);
                 pass_all(offer);
               },
               "redirects lane 5 to 0x1000"},
        Breach{"redirects_what_it_drops",
               [](auto&, models::LaneOffer& offer, base::Cycle) {
                 offer.drop(2);
                 offer.redirect(1, 0);
               },
               "redirects lane 1, which does not pass"},
        Breach{"answers_late_twice", late([](ScriptedStage& self, models::LaneTicket ticket) {
                 self.chain->answer(self, ticket, 2, nothing.data(), 0);
                 self.chain->answer(self, ticket, 6, nothing.data(), 0);
               }),
               "answers lane 1, not kept by it"},
        Breach{"answers_late_what_passed", late([](ScriptedStage& self, models::LaneTicket ticket) {
                 self.chain->answer(self, ticket, 15, nothing.data(), 0);
               }),
               "answers lanes 0, 3, not kept by it"}),
    [](const auto& one) { return std::string(one.param.name); });

TEST_F(LaneContract, AnAnswerForAnInstructionThatIsOverIsAnError) {
  models::LaneTicket first = 0;
  EXPECT_EQ(error_of([&first](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
              if (first == 0) first = offer.ticket();
              if (offer.access().kind == AccessKind::store) self.chain->answer(self, first, 1, nothing.data(), 0);
              pass_all(offer);
            }),
            "lane stage `broken` answers lane 0 of an instruction that is not under way");
}

TEST_F(LaneContract, AChainKnowsItsStages) {
  const auto stranger = stage("stranger", [](auto&, models::LaneOffer&, base::Cycle) {});
  EXPECT_EQ(error_of(late([&stranger](ScriptedStage& self, models::LaneTicket ticket) {
              self.chain->answer(*stranger, ticket, 2, nothing.data(), 0);
            })),
            "lane stage `stranger` acts on a chain that it is not in");
}

TEST_F(LaneContract, WhatIsHeldForEverIsLeftOver) {
  EXPECT_EQ(error_of([](auto&, models::LaneOffer& offer, base::Cycle) {
              offer.pass(~base::LaneMask{0xF0} & offer.access().lanes);
              offer.hold();
            }),
            "");
  EXPECT_THAT(left_over(), testing::Contains(AllOf(StartsWith("sm0: test.ptx:"), HasSubstr("kernel `k`"),
                                                   HasSubstr("lane stage `broken` holds lanes 4, 5, 6, 7"))));
  EXPECT_THAT(sms[0]->describe_waiting(), testing::Contains(HasSubstr("lane stage `broken` holds lanes 4, 5, 6, 7")))
      << "who waits for whom, when nothing moves";
}

TEST_F(LaneContract, WhatIsKeptForEverIsLeftOver) {
  EXPECT_EQ(error_of([](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
              if (offer.access().kind == AccessKind::load) offer.keep(offer.access().lanes & 0x11);
              self.left = {"a lock"};
              pass_all(offer);
            }),
            "");
  EXPECT_THAT(left_over(), testing::IsSupersetOf(
                               {HasSubstr("lane stage `broken` has not answered lanes 0, 4"), HasSubstr("a lock")}));
}

TEST_F(LaneContract, RequestsWithoutAnswerAreLeftOver) {
  EXPECT_EQ(error_of([](ScriptedStage& self, models::LaneOffer& offer, base::Cycle) {
              // The L1 answers no prefetch.
              if (self.offers == 1) {
                models::Message& request =
                    self.chain->make_request(models::MessageClass::load_request, models::L1Kind::prefetch);
                request.mask = base::ByteMask::all(128);
                request.line = base::LineAddress(offer.access().address[0]);
                self.chain->send(self, request, 5);
              }
              pass_all(offer);
            }),
            "");
  EXPECT_THAT(left_over(), ElementsAre("sm0: 1 requests of lane stages are not answered"));
}

TEST_F(LaneContract, AReplyThatNoStageAskedForIsAnError) {
  build_with({stage("asks", [](auto&, models::LaneOffer&, base::Cycle) {})});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  models::Message& bogus = pool.get();
  bogus.message_class = models::MessageClass::data_reply;
  set_l1_kind(bogus, models::L1Kind::global);
  bogus.tag = models::MemoryPath::stage_tag | 3;
  l1s[0]->replies.send(bogus);
  try {
    run();
    ADD_FAILURE() << "nobody complained";
  } catch (const base::ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("with the unknown tag 0x40000003"));
  }
}

class AbortTest : public LaneMachine {
 protected:
  /// Lanes 0 to 3 of the first warp are aborted when the second one stores.
  static ScriptedStage::Script aborting(std::function<void(ScriptedStage&, models::LaneOffer&)> first_load,
                                        bool retries) {
    return
        [first_load = std::move(first_load), retries](ScriptedStage& self, models::LaneOffer& offer, base::Cycle now) {
          if (offer.warp().index == 1 && offer.access().kind == AccessKind::store) {
            self.control->abort(0, 0xF);
            if (retries) self.chain->retry(0, now + 50);
          } else if (offer.warp().index == 0 && offer.access().kind == AccessKind::load && self.offers == 1) {
            first_load(self, offer);
            if (offer.access().lanes != 0) return offer.hold();
          }
          pass_all(offer);
        };
  }
  static std::string program() {
    return kernel(
        "mov.u32 %r5, 1; setp.gt.u32 %p1, %r1, 31; @%p1 bra SECOND; ld.global.u32 %r5, [%rd3];\n"
        "st.global.u32 [%rd3+512], %r5; ret;\n"
        "SECOND: mov.u32 %r6, %clock; add.u32 %r6, %r6, 100;\n"
        "WAIT: mov.u32 %r7, %clock; setp.lt.u32 %p2, %r7, %r6; @%p2 bra WAIT; st.global.u32 [%rd3+512], %r1;");
  }
  void run_with(std::function<void(ScriptedStage&, models::LaneOffer&)> first_load, bool retries = false) {
    aborter_ = stage("aborter", aborting(std::move(first_load), retries));
    other_ = stage("other", [](auto&, models::LaneOffer& offer, base::Cycle) { pass_all(offer); });
    build_with({aborter_, other_});
    const auto data = allocate(1024);
    for (unsigned i = 0; i < 32; ++i) at<std::uint32_t>(data)[i] = 7;
    execute(program(), {"k", {1}, {64}, {data}});
    const auto got = words(data + 512, 32);
    EXPECT_THAT(std::vector(got.begin(), got.begin() + 4), Each(1U)) << "nothing came back for them";
    loaded_ = {got.begin() + 4, got.end()};
    EXPECT_THAT(aborter_->aborts, ElementsAre(Pair(0U, 0xFU)));
    EXPECT_THAT(other_->aborts, ElementsAre(Pair(0U, 0xFU))) << "every stage hears of it";
  }
  std::shared_ptr<ScriptedStage> aborter_, other_;
  std::vector<std::uint32_t> loaded_;  ///< by lanes that were not aborted
};

TEST_F(AbortTest, WhatIsUnderWayChangesNoRegister) {
  run_with([](auto&, models::LaneOffer& offer) { pass_all(offer); });
  EXPECT_THAT(loaded_, Each(7U));
}

TEST_F(AbortTest, WhatIsHeldIsNotOfferedAgain) {
  run_with([](auto&, models::LaneOffer&) {}, true);
  EXPECT_THAT(loaded_, Each(7U));
  EXPECT_EQ(statistic("sm0.lane_holds"), 1);
}

TEST_F(AbortTest, WhatHasPassedAStageDoesNotGoOn) {
  run_with([](auto&, models::LaneOffer& offer) { offer.pass(0xFF); }, true);
  EXPECT_THAT(loaded_, Each(7U));
}

TEST_F(AbortTest, AnInstructionWithoutLanesNeedsNoRetry) {
  run_with([](auto&, models::LaneOffer& offer) {
    std::array<std::uint8_t, 128> values{};
    offer.answer(0xFFFFFFF0, values.data(), 0);
  });
  EXPECT_THAT(loaded_, Each(0U));
  for (const FakeL1::Seen& one : l1s[0]->seen) EXPECT_NE(one.message_class, models::MessageClass::load_request);
}

TEST_F(AbortTest, NobodyWaitsForWhatIsKept) {
  run_with([](auto&, models::LaneOffer& offer) {
    offer.keep(0xF);
    pass_all(offer);
  });
  EXPECT_THAT(loaded_, Each(7U));
}

TEST_F(AbortTest, AllLanesOfAnInstructionCanGo) {
  run_with([](auto&, models::LaneOffer& offer) {
    offer.keep(0xF);
    offer.drop(offer.access().lanes);
  });
  EXPECT_THAT(loaded_, Each(1U));
}

TEST_F(AbortTest, WithoutStagesToo) {
  // A listener aborts what is under way.
  class Aborter final : public models::WarpEvents {
   public:
    void exited(const models::WarpIdentity& warp) override {
      if (warp.index == 1) control->abort(0, 0xF);
    }
    models::LaneControl* control = nullptr;
  };
  const auto aborter = std::make_shared<Aborter>();
  listener = aborter;
  build_with({});
  aborter->control = sms[0].get();
  const auto data = allocate(1024);
  for (unsigned i = 0; i < 32; ++i) at<std::uint32_t>(data)[i] = 7;
  execute(program(), {"k", {1}, {64}, {data}});
  const auto got = words(data + 512, 32);
  EXPECT_THAT(std::vector(got.begin(), got.begin() + 4), Each(1U));
  EXPECT_THAT(std::vector(got.begin() + 4, got.end()), Each(7U));
}

}  // namespace
}  // namespace syncline::tests
