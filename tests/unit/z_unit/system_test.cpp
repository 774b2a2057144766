// The unit where it belongs: from L1s of the policy `none` over networks of random times to L2 slices with DRAM.
#include <rapidcheck.h>

#include <memory>
#include <optional>
#include <vector>

#include "models/atomic_unit/atomic_unit.h"
#include "models/dram/dram.h"
#include "models/z_unit/z_unit.h"
#include "platform/stress/core.h"
#include "platform/stress/delay_network.h"
#include "platform/stress/memory_system.h"
#include "protocols/coherence/none/none.h"
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
  void build() {
    models::InterleavingSpec interleaving;
    interleaving.partitions = partitions;
    interleaving.hash = true;
    map.emplace(interleaving);
    for (unsigned i = 0; i < sms; ++i) {
      const std::string number = std::to_string(i);
      const base::SmId id(static_cast<std::uint16_t>(i));
      l1s.push_back(std::make_unique<models::L1Cache>(("l1_" + number).c_str(), context, core_clock, caches.l1, policy,
                                                      id, *map));
      cores.push_back(std::make_unique<stress::Core>(("core" + number).c_str(), pool, id));
      cores[i]->to_l1.socket.bind(l1s[i]->from_sm.socket);
      l1s[i]->to_sm.socket.bind(cores[i]->from_l1.socket);
      l1s[i]->to_network.socket.bind(up.input(i).socket);
      down.output(i).socket.bind(l1s[i]->from_network.socket);
    }
    models::DramSpec dram;
    dram.capacity = 16 << 20;
    for (unsigned i = 0; i < partitions; ++i) {
      const std::string number = std::to_string(i);
      const base::PartitionId id(static_cast<std::uint16_t>(i));
      l2s.push_back(
          std::make_unique<models::L2Slice>(("l2_" + number).c_str(), context, l2_clock, caches.l2, policy, id, *map));
      drams.push_back(std::make_unique<models::Dram>(("dram_" + number).c_str(), context, dram_clock, dram));
      units.push_back(std::make_unique<models::ZUnit>(("z_unit_" + number).c_str(), context, z_clock, spec, policy, id,
                                                      *map, line_bytes, 1 << 20));
      bind_partition_path(up.output(i), {units[i].get()}, l2s[i]->requests, l2s[i]->replies, down.input(i),
                          models::home_node(id));
      l2s[i]->memory.socket.bind(drams[i]->socket);
      atomic_units.push_back(std::make_unique<models::AtomicUnit>(("atomic_" + number).c_str(), context, l2_clock,
                                                                  models::AtomicUnitSpec{}));
      l2s[i]->atomics.socket.bind(atomic_units[i]->socket);
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
      store(0, map->global(base::PartitionId(static_cast<std::uint16_t>(i)), 0), DepthKind::clear, {}, 0, 0);
  }
  bool drained() {
    for (int i = 0; i < 20'000 && outstanding != 0; ++i) run_ns(100);
    return outstanding == 0;
  }
  std::uint32_t word(std::uint64_t address) {
    std::uint32_t value = 0;
    EXPECT_TRUE(l2s[map->partition(address).value()]->debug_read(base::ByteAddress(address),
                                                                 reinterpret_cast<std::uint8_t*>(&value), 4));
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
      const std::string unit = "z_unit_" + std::to_string(i);
      EXPECT_GT(statistic(unit + ".writes"), 100);
      EXPECT_GT(statistic(unit + ".granules_lost"), 0);
      EXPECT_EQ(statistic(unit + ".residence"), statistic(unit + ".writes") + statistic(unit + ".clears"));
    }
  }

  stress::MemorySystemSpec caches = stress::MemorySystemSpec::tiny();
  models::ZUnitSpec spec;
  models::ClockDomain& core_clock = scheduler.add_domain("core", 1'400'000'000);
  models::ClockDomain& l2_clock = scheduler.add_domain("l2", 700'000'000);
  models::ClockDomain& dram_clock = scheduler.add_domain("dram", 924'000'000);
  models::ClockDomain& z_clock = scheduler.add_domain("z_unit", 650'000'000);
  const protocols::CoherencePolicy policy = protocols::make_none({});
  stress::DelayNetwork up{"up", sms, models::Router::to(models::NodeKind::home, partitions), 40'000, 2, 1},
      down{"down", partitions, models::Router::to(models::NodeKind::l1, sms), 40'000, 2, 2};
  std::optional<models::AddressMap> map;
  std::vector<std::unique_ptr<models::L1Cache>> l1s;
  std::vector<std::unique_ptr<stress::Core>> cores;
  std::vector<std::unique_ptr<models::L2Slice>> l2s;
  std::vector<std::unique_ptr<models::AtomicUnit>> atomic_units;
  std::vector<std::unique_ptr<models::Dram>> drams;
  std::vector<std::unique_ptr<models::ZUnit>> units;
  unsigned outstanding = 0;
  std::uint32_t next_value = 0;
};

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithTinyCaches) {
  spec.cache_size = 2 * line_bytes;
  spec.ways = 1;
  spec.requests = 3;
  spec.comparators = 2;
  random_episodes();
  EXPECT_GT(statistic("z_unit_0.write_backs"), 0);
  EXPECT_GT(statistic("l2_0.memory_writes"), 0);
}

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithTheThesisParameters) {
  caches.l2 = {};
  random_episodes();
  EXPECT_GT(statistic("z_unit_0.blocked"), 0);
}

TEST_F(ZUnitSystem, KeepsTheNearestWriteWithDepthsOfBytes) {
  spec.granule = 1;
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
