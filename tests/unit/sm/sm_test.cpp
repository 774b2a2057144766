// The SM as a whole: the account of lost issue slots, stages, schedulers, listeners and traces, wrong replies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "models/z_unit/depth_family.h"
#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_test.h"

namespace syncline::tests {
namespace {

TEST_F(SmTest, EveryIssueSlotOfAnActiveSmIsBooked) {
  build();
  const auto in = allocate(128 * 24 * 4, true), out = allocate(128 * 24 * 4);
  execute(reverse, {"reverse", {24}, {128}, {in, out}});
  for (const std::string sm : {"sm0", "sm1"}) {
    const double slots = statistic(sm + ".active_cycles") * spec.schedulers * spec.issue_width;
    EXPECT_EQ(slots, statistic(sm + ".warp_instructions") + stalls(sm)) << sm;
    EXPECT_GT(statistic(sm + ".stall_memory"), 0) << sm;
    EXPECT_GT(statistic(sm + ".divergent_branches"), 0) << sm;
  }
}

TEST_F(SmTest, AWarpThatWaitsAtABarrierIsCountedSo) {
  sm_count = 1;
  build();
  // Warp 0 has the first scheduler to itself and waits for warp 1, which works for 100 rounds of dependent additions.
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k() {
  .reg .pred %p<3>; .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x; mov.u32 %r2, 100; setp.lt.u32 %p1, %r1, 32;
  @%p1 bra meet;
work:
  sub.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0;
  @%p2 bra work;
meet:
  bar.sync 0;
  ret;
})",
          {"k", {1}, {64}, {}});
  const double round = 2 * spec.units.integer.latency + spec.units.control_flow.latency;
  EXPECT_NEAR(statistic("sm0.stall_barrier"), 100 * round, round);
  EXPECT_NEAR(statistic("sm0.stall_scoreboard"), 100 * 2 * (spec.units.integer.latency - 1), 3 * round);
}

/// Answers loads of one line itself, keeps every third store for a while and splits nothing.
class TestStage : public models::MemoryStage {
 public:
  explicit TestStage(isa::FlatMemory& memory) : memory_(memory) {}
  void attach(models::MemoryChain& chain) override { chain_ = &chain; }
  Offer offer(models::Message& request, base::Cycle now) override {
    if (kept_ != nullptr && request.message_class != models::MessageClass::control) {
      if (!waited_) {
        waited_ = true;
        ++waits;
        models::Message* const first = kept_;
        kept_ = nullptr;
        chain_->forward(*this, *first);
        chain_->retry();
        return Offer::wait;
      }
    }
    waited_ = false;
    if (request.message_class == models::MessageClass::load_request && ++loads_ % 4 == 0) {
      std::memcpy(request.data.data(), memory_.host(request.line.value()), request.data.size());
      request.message_class = models::MessageClass::data_reply;
      chain_->answer(*this, request, now + 3);
      ++answered;
      return Offer::take;
    }
    if (request.message_class == models::MessageClass::load_request && loads_ % 5 == 0) {
      kept_ = &request;
      return Offer::take;
    }
    return Offer::pass;
  }
  bool reply(models::Message&, base::Cycle) override {
    ++replies;
    return false;
  }
  unsigned answered = 0, waits = 0, replies = 0;
  bool release() {
    if (kept_ == nullptr) return false;
    chain_->forward(*this, *kept_);
    kept_ = nullptr;
    return true;
  }

 private:
  isa::FlatMemory& memory_;
  models::MemoryChain* chain_ = nullptr;
  models::Message* kept_ = nullptr;
  bool waited_ = false;
  unsigned loads_ = 0;
};

TEST_F(SmTest, StagesAnswerHoldAndForward) {
  sm_count = 1;
  const auto stage = std::make_shared<TestStage>(memory);
  seams = [&](unsigned) {
    models::SmSeams policies;
    policies.stages = {std::make_shared<models::PassStage>(), stage};
    return policies;
  };
  build();
  const auto x = allocate(4096, true), y = allocate(4096, true), out = allocate(4096);
  start(saxpy, {"saxpy", {4}, {256}, {x, y, out, 7, 1000}});
  run();
  if (stage->release()) run();  // what is kept when nothing comes any more
  emulate(saxpy, {"saxpy", {4}, {256}, {x, y, out, 7, 1000}});
  expect_same_memory();
  expect_clean();
  EXPECT_GT(stage->answered, 0U);
  EXPECT_GT(stage->waits, 0U);
  EXPECT_GT(stage->replies, stage->answered);
}

/// Slots of the warps that issue, in their order.
class IssueOrder : public models::WarpEvents {
 public:
  void issued(const models::WarpIdentity& warp, const isa::Op&, base::LaneMask) override { slots.push_back(warp.slot); }
  std::vector<unsigned> slots;
};

TEST_F(SmTest, StateOfSchedulersIsAStartThatTheSeedSays) {
  sm_count = 1;
  spec.schedulers = 1;
  spec.max_warps = 8;
  perturbation.arbiter_state = true;
  perturbation.seed = 2;
  const unsigned start = perturbation.random(1, "sm0.arbiter_state").below(8);
  ASSERT_NE(start, 0U) << "a seed whose start shows";
  const auto order = std::make_shared<IssueOrder>();
  listener = order;
  build();
  const auto in = allocate(256 * 4, true), bins = allocate(64), most = allocate(4);
  execute(histogram, {"histogram", {1}, {256}, {in, bins, most}});
  ASSERT_GE(order->slots.size(), 2U);
  EXPECT_EQ(order->slots[0], start);
  EXPECT_EQ(order->slots[1], (start + 1) % 8);
}

class Recorder : public models::WarpEvents, public tlm::tlm_analysis_if<models::InstructionEvent> {
 public:
  void cta_launched(base::SmId, base::CtaSlot, base::GridId, base::Dim3, unsigned count) override {
    started_warps += count;
  }
  void cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) override { ++ended_ctas; }
  void warp_started(const models::WarpIdentity&) override { ++warps; }
  void issued(const models::WarpIdentity&, const isa::Op&, base::LaneMask) override { ++issues; }
  void at_barrier(const models::WarpIdentity&, unsigned, bool) override { ++barriers; }
  void barrier_opened(const models::WarpIdentity&, unsigned) override { ++opened; }
  void memory_started(const models::WarpIdentity&, const models::WarpMemory& memory) override {
    EXPECT_GT(memory.order, last_order) << "as their messages have it";
    last_order = memory.order;
    under_way.insert(memory.order);
  }
  void memory_answered(const models::WarpIdentity&, const models::WarpMemory& memory) override {
    EXPECT_EQ(under_way.erase(memory.order), 1U) << "once, and after it began";
  }
  void memory_performed(const models::WarpIdentity&, const isa::Op&) override { ++performances; }
  void exited(const models::WarpIdentity&) override { ++exits; }
  void write(const models::InstructionEvent& event) override {
    ++traced;
    EXPECT_GE(event.cycle, last_cycle);
    last_cycle = event.cycle;
    EXPECT_EQ(event.what.guarded & ~event.what.active, 0U);
    if (event.what.access != nullptr) ++accesses;
    if (event.what.op->is_memory) ++memory_steps;
    if (event.what.taken != 0 && event.what.fall_through != 0) ++divergent;
  }
  unsigned started_warps = 0, ended_ctas = 0, warps = 0, issues = 0, barriers = 0, opened = 0, exits = 0, traced = 0,
           accesses = 0, divergent = 0, performances = 0, memory_steps = 0;
  base::Cycle last_cycle = 0;
  std::uint64_t last_order = 0;
  std::set<std::uint64_t> under_way;  ///< memory instructions
};

TEST_F(SmTest, ListenersAndTracesSeeEveryInstruction) {
  sm_count = 1;
  const auto recorder = std::make_shared<Recorder>();
  listener = recorder;
  build();
  sms[0]->instructions.bind(*recorder);
  const auto in = allocate(128 * 6, true), bins = allocate(64), most = allocate(4);
  execute(histogram, {"histogram", {6}, {128}, {in, bins, most}});
  EXPECT_EQ(recorder->issues, statistic("sm0.warp_instructions"));
  EXPECT_EQ(recorder->traced, recorder->issues);
  EXPECT_EQ(recorder->started_warps, 24U);
  EXPECT_EQ(recorder->warps, 24U);
  EXPECT_EQ(recorder->exits, 24U);
  EXPECT_EQ(recorder->ended_ctas, 6U);
  EXPECT_EQ(recorder->barriers, 48U);
  EXPECT_EQ(recorder->opened, 48U);
  EXPECT_EQ(recorder->performances, recorder->memory_steps) << "each memory instruction is performed once";
  EXPECT_TRUE(recorder->under_way.empty());
  EXPECT_GT(recorder->accesses, 0U);
  EXPECT_GT(recorder->divergent, 0U);
}

TEST_F(SmTest, AReplyWithAForeignTagIsAModelError) {
  sm_count = 1;
  build();
  const auto send = [&] {
    models::Message& bogus = pool.get();
    models::set_l1_kind(bogus, models::L1Kind::global);
    bogus.message_class = models::MessageClass::data_reply;
    bogus.tag = 0x7FFF0000;
    l1s[0]->replies.send(bogus);
  };
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  send();
  EXPECT_THROW(run(), base::ModelError);
}

TEST_F(SmTest, AReplyOfAFamilyThatNoStageKnowsIsAModelError) {
  sm_count = 1;
  build();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  models::Message& stranger = pool.get();
  models::order_by_depth(stranger, models::DepthKind::clear);
  l1s[0]->replies.send(stranger);
  try {
    run();
    FAIL() << "taken";
  } catch (const base::ModelError& error) {
    EXPECT_STREQ(error.what(), "SM 0: no stage waits for a depth clear");
  }
}

TEST_F(SmTest, SaysWhoWaitsForWhat) {
  sm_count = 1;
  l1.min_delay_ns = l1.max_delay_ns = 100'000;
  build();
  const auto x = allocate(128, true), y = allocate(128, true), out = allocate(128);
  start(saxpy, {"saxpy", {1}, {32}, {x, y, out, 7, 32}});
  sc_core::sc_start(150, sc_core::SC_US);
  const auto lines = sms[0]->describe_waiting();
  ASSERT_FALSE(lines.empty());
  EXPECT_THAT(lines.front(), testing::AllOf(testing::HasSubstr("kernel `saxpy`"), testing::HasSubstr("memory"),
                                            testing::HasSubstr("test.ptx:")));
  EXPECT_FALSE(sms[0]->check_end_of_run().empty());
  EXPECT_FALSE(distributor->check_end_of_run().empty());
  EXPECT_THAT(distributor->describe_waiting().front(), testing::HasSubstr("kernel `saxpy`"));
  run();
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
