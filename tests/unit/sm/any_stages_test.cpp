// Lane stages that decide by chance: whatever they do, a program without races computes what it computes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <ostream>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/lane_machine.h"

namespace syncline::tests {
namespace {

using isa::AccessKind;
using isa::Space;

/// Decides on each lane by chance, always so that the result is what memory would give.
class AnyStage final : public models::LaneStage {
 public:
  AnyStage(isa::FlatMemory& memory, std::uint64_t seed, unsigned number)
      : memory_(memory), random_(seed, "any_stage", number) {}
  std::string_view name() const override { return "any"; }
  void attach(models::LaneChain& chain, models::LaneControl&) override { chain_ = &chain; }
  void offer(models::LaneOffer& offer, base::Cycle now) override {
    if (random_.below(4) == 0) offer.delay(random_.below(20));
    if (random_.below(4) == 0) offer.occupy(random_.below(4));
    const isa::MemoryAccess& access = offer.access();
    // Not atomics: who answers one must apply it, in the order of all.
    const bool may_answer = (access.space == Space::global || access.space == Space::shared) && access.skipped == 0 &&
                            (access.kind == AccessKind::load || access.kind == AccessKind::store);
    if (random_.below(5) == 0) offer.pass(access.lanes);
    if (may_answer && random_.below(2) == 0) {
      const base::LaneMask lanes = some(access.lanes);
      perform(access, lanes, offer.warp().cta_slot);
      offer.answer(lanes, values_.data(), now + random_.below(600));
    }
    if (may_answer && random_.below(2) == 0) {
      const base::LaneMask lanes = some(access.lanes);
      perform(access, lanes, offer.warp().cta_slot);
      offer.keep(lanes);
      kept_.push_back({offer.ticket(), lanes, values_});
      models::Message& request = chain_->make_request(models::MessageClass::load_request, models::L1Kind::local);
      request.line = base::LineAddress(lines);
      request.mask = base::ByteMask::all(128);
      chain_->send(*this, request, static_cast<std::uint32_t>(kept_.size() - 1));
    }
    if (random_.below(3) == 0) {
      chain_->retry(offer.warp().slot, now + random_.below(300));
      return offer.hold();
    }
    offer.pass(access.lanes);
  }
  void replied(std::uint32_t token, const models::Message& reply, base::Cycle now) override {
    EXPECT_EQ(reply.line.value(), lines);
    ++replies;
    Kept& kept = kept_[token];
    const base::LaneMask first = some(kept.lanes);
    if (first != 0) chain_->answer(*this, kept.ticket, first, kept.values.data(), now + random_.below(100));
    if (kept.lanes != first)
      chain_->answer(*this, kept.ticket, kept.lanes & ~first, kept.values.data(), now + random_.below(100));
  }
  unsigned replies = 0;

 private:
  static constexpr std::uint64_t lines = 0x60000000;
  using Values = std::array<std::uint8_t, base::max_lanes * isa::max_access_bytes>;
  struct Kept {
    models::LaneTicket ticket;
    base::LaneMask lanes;
    Values values;
  };
  base::LaneMask some(base::LaneMask lanes) {
    base::LaneMask chosen = 0;
    base::for_each_lane(lanes, [&](unsigned lane) {
      if (random_.below(3) == 0) chosen |= base::lane_bit(lane);
    });
    return chosen;
  }
  void perform(const isa::MemoryAccess& access, base::LaneMask lanes, base::CtaSlot cta) {
    base::for_each_lane(lanes, [&](unsigned lane) {
      std::uint8_t* const place = access.space == Space::shared ? chain_->shared(cta).data() + access.address[lane]
                                                                : memory_.host(access.address[lane]);
      if (access.kind == AccessKind::store)
        std::memcpy(place, access.data.data() + lane * access.stride, access.stride);
      else
        std::memcpy(values_.data() + lane * access.stride, place, access.stride);
    });
  }

  isa::FlatMemory& memory_;
  base::Random random_;
  models::LaneChain* chain_ = nullptr;
  Values values_{};
  std::vector<Kept> kept_;
};

struct StagedKernel {
  const char* name;
  const char* ptx;
  unsigned buffers, scalars;  ///< parameters
};

class AnyStages : public LaneMachine, public testing::WithParamInterface<std::tuple<StagedKernel, unsigned>> {};

/// Whatever stages decide, and however little room there is, a program without races computes what it computes.
TEST_P(AnyStages, ComputeWhatTheEmulatorDoes) {
  const auto& [program, number] = GetParam();
  seed = number + 1;
  if (number % 2 == 1) {
    spec.memory.queue = 1;
    spec.memory.instructions = 48;  // as many as warps: each may be held
  }
  std::vector<std::shared_ptr<AnyStage>> stages;
  seams = [&](unsigned sm) {
    models::SmSeams policies;
    for (unsigned i = 0; i < 1 + seed % 3; ++i) {
      stages.push_back(std::make_shared<AnyStage>(memory, seed, sm * 8 + i));
      policies.lane_stages.push_back(stages.back());
    }
    return policies;
  };
  build();
  Launch launch{program.name, {3}, {128}, {}};
  for (unsigned i = 0; i < program.buffers; ++i) launch.arguments.push_back(allocate(16384, i != 2));
  for (unsigned i = 0; i < program.scalars; ++i) launch.arguments.push_back(300);
  compare(program.ptx, launch);
  unsigned replies = 0;
  for (const auto& one : stages) replies += one->replies;
  EXPECT_GT(replies, 0U);
  EXPECT_GT(statistic("sm0.lane_holds") + statistic("sm1.lane_holds"), 0);
}

void PrintTo(const StagedKernel& program, std::ostream* out) {
  *out << program.name;
}
INSTANTIATE_TEST_SUITE_P(
    Seeds, AnyStages,
    testing::Combine(testing::Values(StagedKernel{"saxpy", saxpy, 3, 2}, StagedKernel{"reverse", reverse, 2, 0},
                                     StagedKernel{"spaces", spaces, 2, 0}, StagedKernel{"histogram", histogram, 3, 0},
                                     StagedKernel{"wide_vectors", wide_vectors, 3, 0}),
                     testing::Range(0U, 6U)),
    [](const auto& one) { return fmt::format("{}_{}", std::get<0>(one.param).name, std::get<1>(one.param)); });

}  // namespace
}  // namespace syncline::tests
