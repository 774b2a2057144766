// The SM as a whole: ordering, fairness, seams, the account of lost issue slots, traces.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.h"
#include "models/z_unit/depth_family.h"
#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

class SmTest : public SmMachine {
 protected:
  double stalls(const std::string& sm) const {
    double sum = 0;
    for (const base::Statistic* s : statistics.sorted()) {
      if (s->block == sm && s->name.rfind("stall_", 0) == 0) sum += static_cast<double>(s->counter->value());
    }
    return sum;
  }
};

/// Every machine gives the same memory: warp sizes, segments, modes, widths, a starved memory path, several seeds.
struct Machine {
  const char* name;
  void (*change)(models::SmSpec&);
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << machine.name;
}

class MachineTest : public SmMachine, public testing::WithParamInterface<Machine> {};

TEST_P(MachineTest, GivesTheMemoryOfTheEmulator) {
  GetParam().change(spec);
  build();
  const auto in = allocate(128 * 24 * 4, true), out = allocate(128 * 24 * 4), vectors = allocate(16 * 192);
  const auto bins = allocate(64), most = allocate(4);
  compare(reverse, {"reverse", {24}, {128}, {in, out}});
  compare(spaces, {"spaces", {3}, {64}, {in, vectors}});
  compare(histogram, {"histogram", {24}, {128}, {in, bins, most}});
}

INSTANTIATE_TEST_SUITE_P(
    Variants, MachineTest,
    testing::Values(Machine{"fermi", [](models::SmSpec&) {}},
                    Machine{"wide_warps",
                            [](models::SmSpec& s) {
                              s.warp_size = 64;
                              s.max_warps = 24;
                            }},
                    Machine{"narrow_warps",
                            [](models::SmSpec& s) {
                              s.warp_size = 8;
                              s.max_threads = 384;
                            }},
                    Machine{"small_segments", [](models::SmSpec& s) { s.coalescer.segment_bytes = 32; }},
                    Machine{"half_warps",
                            [](models::SmSpec& s) { s.coalescer.mode = models::CoalesceMode::half_warp; }},
                    Machine{"no_coalescing", [](models::SmSpec& s) { s.coalescer.mode = models::CoalesceMode::lane; }},
                    Machine{"starved_path",
                            [](models::SmSpec& s) {
                              s.memory.instructions = 1;
                              s.memory.queue = 1;
                            }},
                    Machine{"four_schedulers_wide_issue",
                            [](models::SmSpec& s) {
                              s.schedulers = 4;
                              s.issue_width = 2;
                              s.units.sp = {4, 32};
                              s.scheduler.policy = models::SchedulerPolicy::gto;
                            }}),
    [](const auto& variant) { return variant.param.name; });

/// Other delays and another order of replies change when things happen, never what comes out.
class SeedTest : public SmMachine, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(SeedTest, RepliesInAnyOrderGiveTheSameMemory) {
  seed = GetParam();
  l1 = {1, static_cast<std::uint32_t>(20 + 100 * (seed % 5)), static_cast<std::uint32_t>(seed % 4)};
  if (l1.refuse_one_in == 1) l1.refuse_one_in = 2;
  build();
  const auto in = allocate(128 * 24 * 4, true), out = allocate(128 * 24 * 4), vectors = allocate(16 * 192);
  const auto bins = allocate(64), most = allocate(4), lock = allocate(4), counter = allocate(4);
  compare(reverse, {"reverse", {24}, {128}, {in, out}});
  compare(spaces, {"spaces", {3}, {64}, {in, vectors}});
  compare(histogram, {"histogram", {24}, {128}, {in, bins, most}});
  compare(spin, {"spin", {3}, {64}, {lock, counter, 2}});
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeedTest, testing::Range<std::uint64_t>(1, 13));

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

TEST_F(SmTest, FencesWaitForEverythingBefore) {
  sm_count = 1;
  build();
  const auto lock = allocate(4), counter = allocate(4);
  execute(spin, {"spin", {1}, {32}, {lock, counter, 4}});
  EXPECT_EQ(statistic("sm0.fences"), 8);
  // A warp's fence reaches the L1 after the answer to its store: no request of the warp is behind it and unanswered.
  const auto& seen = l1s[0]->seen;
  unsigned asked = 0;
  for (std::size_t i = 1; i < seen.size(); ++i) {
    if (seen[i].kind != models::L1Kind::fence) continue;
    ++asked;
    EXPECT_GE(seen[i].at_ps, seen[i - 1].at_ps + 1000U * l1.min_delay_ns);
  }
  EXPECT_EQ(asked, 8U);
}

models::SmSeams scoped(unsigned) {
  models::SmSeams seams;
  seams.fences = std::make_shared<models::ScopedFence>();
  return seams;
}

TEST_F(SmTest, AFenceOfACtaWaitsForNothingAndHandsOnWhatItDidNotWaitFor) {
  sm_count = 1;
  seams = scoped;
  l1.min_delay_ns = 300;
  build();
  const auto x = allocate(256), y = allocate(256);
  // Warp 0 stores x, passes a fence of the CTA and tells warp 1, whose fence of the GPU must find x performed.
  execute(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y) {
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<6>;
  .shared .align 4 .b32 told;
  ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
  mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 0;
  @%p1 st.shared.u32 [told], 0;
  bar.sync 0;
  setp.gt.u32 %p2, %r1, 31;
  @%p2 bra SECOND;
  mov.u64 %rd3, %clock64;
  st.global.u32 [%rd1], 1;
  membar.cta;
  st.volatile.shared.u32 [told], 1;
  mov.u64 %rd4, %clock64;
  sub.u64 %rd4, %rd4, %rd3;
  st.global.u64 [%rd1+128], %rd4;
  ret;
SECOND:
  ld.volatile.shared.u32 %r2, [told];
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra SECOND;
  membar.gl;
  st.global.u32 [%rd2], 1;
  ret;
})",
          {"k", {1}, {64}, {x, y}});
  EXPECT_LT(*at<std::uint64_t>(x + 128), 100U) << "cycles from the store to behind the fence";
  const auto& seen = l1s[0]->seen;
  const auto fence =
      std::find_if(seen.begin(), seen.end(), [](const auto& s) { return s.kind == models::L1Kind::fence; });
  ASSERT_NE(fence, seen.end());
  EXPECT_EQ(std::count_if(seen.begin(), seen.end(), [](const auto& s) { return s.kind == models::L1Kind::fence; }), 1);
  const auto store = std::find_if(seen.begin(), seen.end(), [](const auto& s) {
    return s.kind == models::L1Kind::global && s.message_class == models::MessageClass::store_request;
  });
  ASSERT_NE(store, seen.end());
  EXPECT_GE(fence->at_ps, store->at_ps + 1000U * l1.min_delay_ns);
}

TEST_F(SmTest, AGridBeginsAtTheL1BeforeItsFirstAccess) {
  sm_count = 1;
  build();
  const auto x = allocate(128, true), y = allocate(128, true), out = allocate(128);
  compare(saxpy, {"saxpy", {1}, {32}, {x, y, out, 7, 32}});
  compare(saxpy, {"saxpy", {1}, {32}, {x, y, out, 9, 32}});
  unsigned begins = 0;
  for (const auto& request : l1s[0]->seen) begins += request.kind == models::L1Kind::grid_begin;
  EXPECT_EQ(begins, 2U);
  EXPECT_EQ(l1s[0]->seen.front().kind, models::L1Kind::grid_begin);
}

TEST_F(SmTest, AConstantOnItsWayAtAKernelBoundaryIsNotKept) {
  sm_count = 1;
  l1 = {4000, 4000, 0};
  build();
  const auto table = allocate(128), first = allocate(4), second = allocate(4);
  const char* const fetch = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry fetch(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<2>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  ld.const.u32 %r1, [%rd1];
  st.global.u32 [%rd2], %r1;
  ret;
})";
  *at<std::uint32_t>(table) = 1;
  start(fetch, {"fetch", {1}, {1}, {table, first}});
  run_ns(7000);  // the load has read the table, its reply is on the way
  ASSERT_EQ(l1s[0]->seen.back().kind, models::L1Kind::constant);
  *at<std::uint32_t>(table) = 2;
  start(fetch, {"fetch", {1}, {1}, {table, second}});
  run();
  EXPECT_EQ(*at<std::uint32_t>(first), 1U);
  EXPECT_EQ(*at<std::uint32_t>(second), 2U) << "launched after the table was written";
}

models::SmSeams sequential(unsigned) {
  models::SmSeams sc;
  sc.gate = std::make_shared<models::SequentialGate>();
  sc.fences = std::make_shared<models::NoFence>();
  return sc;
}

TEST_F(SmTest, ASequentialGateKeepsOneAccessOfAWarpInFlight) {
  sm_count = 1;
  seams = sequential;
  build();
  const auto x = allocate(4096, true), y = allocate(4096, true), out = allocate(4096);
  compare(saxpy, {"saxpy", {4}, {256}, {x, y, out, 7, 1000}});
  EXPECT_GT(statistic("sm0.stall_gate_sc_order"), 0);
  std::map<unsigned, std::uint64_t> last;
  for (const auto& request : l1s[0]->seen) {
    if (request.kind != models::L1Kind::global) continue;
    if (last.count(request.warp) != 0) {
      EXPECT_GE(request.at_ps, last[request.warp] + 1000U * l1.min_delay_ns);
    }
    last[request.warp] = request.at_ps;
  }
}

TEST_F(SmTest, AHeldInstructionIsCountedBehindTheKindOfTheOlderAccess) {
  sm_count = 1;
  l1 = {400, 400, 0};
  seams = sequential;
  build();
  const auto x = allocate(1024, true), out = allocate(1024);
  compare(R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry order(.param .u64 from, .param .u64 to) {
  .reg .b32 %r<4>; .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, 5;
  st.global.u32 [%rd2], %r1;
  st.global.u32 [%rd2+128], %r1;
  atom.global.add.u32 %r2, [%rd2+256], %r1;
  st.global.u32 [%rd2+384], %r1;
  ld.global.u32 %r2, [%rd1];
  ld.global.u32 %r3, [%rd1+128];
  ret;
})",
          {"order", {1}, {32}, {x, out}});
  EXPECT_EQ(statistic("sm0.memory_instructions"), 6);
  EXPECT_EQ(statistic("sm0.held_behind_store"), 3) << "the second store, the atomic and the first load";
  EXPECT_EQ(statistic("sm0.held_behind_atomic"), 1);
  EXPECT_EQ(statistic("sm0.held_behind_load"), 1);
  EXPECT_EQ(statistic("sm0.held_behind_nothing"), 0);
  const double cycles_per_ns = static_cast<double>(core->frequency_hz()) * 1e-9;
  for (const base::Statistic* one : statistics.sorted()) {
    if (one->distribution == nullptr || one->name.rfind("held_behind_", 0) != 0 || one->distribution->count() == 0)
      continue;
    EXPECT_GE(one->distribution->min(), 400 * cycles_per_ns) << one->name;
    EXPECT_LE(one->distribution->max(), 400 * cycles_per_ns + 20) << one->name << ": until the answer, not longer";
  }
}

TEST_F(SmTest, WithoutAGateNobodyIsHeld) {
  sm_count = 1;
  build();
  for (const base::Statistic* one : statistics.sorted()) EXPECT_NE(one->name.rfind("held_behind_", 0), 0U);
}

TEST(HoldAccount, CountsFromTheFirstRefusalToTheIssue) {
  models::HoldAccount account;
  models::Hold hold;
  account.admit(hold, 90);  // never refused
  models::HoldAccount::refuse(hold, models::Behind::store, 100);
  models::HoldAccount::refuse(hold, models::Behind::load, 112);  // the first refusal counts, and says behind what
  account.admit(hold, 130);
  account.admit(hold, 140);
  const auto& store = account.cycles[static_cast<std::size_t>(models::Behind::store)];
  EXPECT_EQ(store.count(), 1U);
  EXPECT_EQ(store.sum(), 30U);
  for (const base::Distribution& one : account.cycles) EXPECT_EQ(one.count(), &one == &store ? 1U : 0U);
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
