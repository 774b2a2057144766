// The unit where it belongs: from L1s of the policy `none` over networks of random times to L2 slices with DRAM.
#include <rapidcheck.h>

#include <memory>
#include <optional>
#include <vector>

#include "models/l1_cache/l1_cache.h"
#include "models/z_unit/depth_family.h"
#include "platform/gpu/memory_side.h"
#include "platform/stress/core.h"
#include "platform/stress/delay_network.h"
#include "platform/stress/memory_system.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::DepthKind;
using models::L1Kind;
using models::Message;
using models::MessageClass;

constexpr unsigned sms = 3, partitions = 2, line_bytes = 128;

class ZUnitSystem : public PlatformFixture {
 protected:
  ZUnitSystem() {
    const auto tiny = stress::MemorySystemSpec::tiny();
    spec.sms = 0;
    spec.l1 = tiny.l1;
    spec.l2 = tiny.l2;
    spec.memory.partitions = partitions;
    spec.memory.hash = true;
    options.foreign_ports = sms;
    options.z_units = true;
  }
  void build() {
    platform::MemorySideOptions networks;
    networks.network = stress::delay_networks(40'000, 2, 1);
    plan.emplace(context, spec, options);
    side.emplace(*plan, networks);
    for (unsigned i = 0; i < sms; ++i) {
      const std::string number = std::to_string(i);
      const base::SmId id(static_cast<std::uint16_t>(i));
      l1s.push_back(std::make_unique<models::L1Cache>(("l1_" + number).c_str(), context, plan->core(), spec.l1,
                                                      plan->policy(), id, plan->homes()));
      cores.push_back(std::make_unique<stress::Core>(("core" + number).c_str(), pool));
      cores[i]->to_l1.socket.bind(l1s[i]->from_sm.socket);
      l1s[i]->to_sm.socket.bind(cores[i]->from_l1.socket);
      side->bind_l1(models::ports_of(*l1s[i]).network, i);
    }
  }
  void store(unsigned sm, std::uint64_t line, std::optional<DepthKind> kind, const base::ByteMask& mask,
             std::uint32_t depth, std::uint32_t value) {
    Message& m = cores[sm]->request(MessageClass::store_request, L1Kind::global, line);
    if (kind) models::order_by_depth(m, *kind, depth);
    m.mask = mask;
    for (unsigned byte = 0; byte < line_bytes; byte += 4) std::memcpy(m.data.data() + byte, &value, 4);
    ++outstanding;
    cores[sm]->send(m, [this](Message& reply) {
      EXPECT_EQ(reply.message_class, MessageClass::store_ack);
      --outstanding;
    });
  }
  void clear() {
    for (unsigned i = 0; i < partitions; ++i)
      store(0, plan->address_map().global(base::PartitionId(static_cast<std::uint16_t>(i)), 0), DepthKind::clear, {}, 0,
            0);
  }
  bool drained() {
    for (int i = 0; i < 20'000 && outstanding != 0; ++i) run_ns(100);
    return outstanding == 0;
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    side->debug_read(address, &value, sizeof value);
    return value;
  }
  std::uint32_t load(unsigned sm, std::uint64_t address) {
    Message& m = cores[sm]->request(MessageClass::load_request, L1Kind::global, address / line_bytes * line_bytes);
    m.mask.set(address % line_bytes, 4);
    m.semantics = isa::Semantics::volatile_;
    std::uint32_t value = 0;
    ++outstanding;
    cores[sm]->send(m, [&](Message& reply) {
      std::memcpy(&value, reply.data.data() + address % line_bytes, 4);
      --outstanding;
    });
    EXPECT_TRUE(drained());
    return value;
  }
  /// Random writes of all SMs to `lines` lines from `first` on, all depths different and at least `nearest`.
  void episode(std::uint64_t first, std::uint32_t nearest) {
    constexpr unsigned lines = 8, words = line_bytes / 4;
    const auto count = *rc::gen::inRange(1U, 80U);
    std::vector<std::uint32_t> depth(lines * words, ~0U), value(lines * words, 0);
    const auto stride = *rc::gen::element(1U, 7U, 31U, 59U);  // all prime to the 81 depths
    for (unsigned i = 0; i < count; ++i) {
      const auto line = *rc::gen::inRange(0U, lines);
      const auto covered = *rc::gen::arbitrary<std::uint32_t>();
      const std::uint32_t its_depth = nearest + i * stride % 80, its_value = ++next_value;
      base::ByteMask mask;
      for (unsigned w = 0; w < words; ++w) {
        if (((covered >> w) & 1U) == 0) continue;
        mask.set(w * 4, 4);
        if (its_depth > depth[line * words + w]) continue;
        depth[line * words + w] = its_depth;
        value[line * words + w] = its_value;
      }
      store(*rc::gen::inRange(0U, sms), first + line * line_bytes, DepthKind::write, mask, its_depth, its_value);
    }
    RC_ASSERT(drained());
    for (unsigned w = 0; w < lines * words; ++w) {
      if (depth[w] != ~0U) RC_ASSERT(word(first + w * 4) == value[w]);
    }
    const auto some = *rc::gen::inRange(0U, lines * words);
    if (depth[some] != ~0U) RC_ASSERT(load(*rc::gen::inRange(0U, sms), first + some * 4) == value[some]);
  }
  void random_episodes() {
    build();
    std::uint64_t first = 0;
    EXPECT_TRUE(rc::check("over fresh lines", [&] { episode(first += 8 * line_bytes, 0xffffff00); }));
    EXPECT_TRUE(rc::check("over the same lines, after a clear", [&] {
      clear();
      RC_ASSERT(drained());
      episode(0, 0xffffff00);
    }));
    run_ns(2000);
    expect_clean();
    for (unsigned i = 0; i < partitions; ++i) {
      const std::string unit = "part" + std::to_string(i) + "_z_unit";
      EXPECT_GT(statistic(unit + ".writes"), 100);
      EXPECT_GT(statistic(unit + ".granules_lost"), 0);
      EXPECT_EQ(statistic(unit + ".residence"), statistic(unit + ".writes") + statistic(unit + ".clears"));
    }
  }

  platform::PlatformSpec spec;
  platform::PlanOptions options;
  std::optional<platform::GpuPlan> plan;
  std::optional<platform::MemorySide> side;
  std::vector<std::unique_ptr<models::L1Cache>> l1s;
  std::vector<std::unique_ptr<stress::Core>> cores;
  unsigned outstanding = 0;
  std::uint32_t next_value = 0;
};

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithTinyCaches) {
  spec.z_unit.cache_size = 2 * line_bytes;
  spec.z_unit.ways = 1;
  spec.z_unit.requests = 3;
  spec.z_unit.comparators = 2;
  random_episodes();
  EXPECT_GT(statistic("part0_z_unit.write_backs"), 0);
  EXPECT_GT(statistic("part0_l2.memory_writes"), 0);
}

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithTheThesisParameters) {
  spec.l2 = {};
  random_episodes();
  EXPECT_GT(statistic("part0_z_unit.blocked"), 0);
}

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithDepthsOfBytes) {
  spec.z_unit.granule = 1;
  random_episodes();
}

TEST_F(ZUnitSystem, OrdinaryTrafficSharesThePartition) {
  build();
  for (unsigned i = 0; i < 200; ++i) {
    store(i % sms, i % 5 * line_bytes, DepthKind::write, base::ByteMask::all(line_bytes), 1000 - i, i);
    store((i + 1) % sms, 0x8000 + i % 5 * line_bytes, std::nullopt, base::ByteMask::range(i % 32 * 4, 4), 0, i);
  }
  ASSERT_TRUE(drained());
  for (unsigned i = 195; i < 200; ++i) EXPECT_EQ(word(i % 5 * line_bytes), i);
  run_ns(2000);
  expect_clean();
}

}  // namespace
}  // namespace syncline::tests
