// The Z-unit in RTL in lock step with that in C++: the same writes before L2s of the same times leave the same bytes.
#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "base/random.h"
#include "models/cache/translate.h"
#include "models/partition/address_map.h"
#include "models/rtl/rtl_blocks.h"
#include "models/z_unit/z_unit.h"
#include "protocols/coherence/none/none.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/z_unit/fake_l2.h"

namespace syncline::tests {
namespace {

constexpr unsigned z_line_bytes = 128;
constexpr std::uint64_t z_depth_base = std::uint64_t{1} << 32;

/// A unit with what is around it.
struct ZSide {
  ZSide(const std::string& name, models::ClockDomain& l2_clock, const protocols::CoherencePolicy& policy)
      : network((name + "_network").c_str()),
        acks((name + "_acks").c_str()),
        l2((name + "_l2").c_str(), l2_clock, policy) {}
  void bind(std::unique_ptr<models::PartitionUnit> made) {
    unit = std::move(made);
    bind_partition_path(network.port.socket, {unit.get()}, l2.requests.socket, l2.replies.socket, acks.port.socket);
  }
  MessageSource network;
  MessageSink acks;
  FakeL2 l2;
  std::unique_ptr<models::PartitionUnit> unit;
};

class ZLockStep : public PlatformFixture {
 protected:
  void build() {
    const base::PartitionId partition(0);
    tlm.bind(std::make_unique<models::ZUnit>("tlm", context, z_clock, spec, policy, partition, map, z_line_bytes,
                                             z_depth_base));
    rtl.bind(
        rtl::rtl_blocks()->z_unit("rtl", {context, z_clock, spec, policy, partition, map, z_line_bytes, z_depth_base}));
    run_ns(100);
  }
  void send(ZSide& side, models::DepthKind kind, std::uint64_t line, const base::ByteMask& mask, std::uint32_t depth,
            std::uint64_t value) {
    models::Message& m = pool.get();
    m.line = base::LineAddress(line);
    m.source = m.requester = models::l1_node(base::SmId(3));
    m.tag = sent;
    models::dress(m, policy, policy.plain->store, z_line_bytes);
    models::order_by_depth(m, kind, depth);
    m.mask = mask;
    for (unsigned byte = 0; byte < z_line_bytes; ++byte)
      m.data[byte] = static_cast<std::uint8_t>(base::mix64(value * z_line_bytes + byte));
    side.network.send(m);
  }
  void send_random(unsigned lines) {
    const std::uint64_t line = std::uint64_t{random.below(lines)} * z_line_bytes;
    base::ByteMask mask;
    const unsigned kind = random.below(8);
    if (kind == 0) mask = base::ByteMask::all(z_line_bytes);
    for (unsigned n = 0; kind > 1 && n < kind; ++n) mask.set(random.below(z_line_bytes / 4) * 4, 1 + random.below(4));
    const bool clears = random.below(200) == 0;
    const std::uint32_t depth = random.below(3) == 0 ? ~random.below(depths) : random.below(depths);
    ++sent;
    for (ZSide* const side : {&tlm, &rtl})
      send(*side, clears ? models::DepthKind::clear : models::DepthKind::write, clears ? 0 : line,
           clears ? base::ByteMask() : mask, clears ? 0 : depth, sent);
  }
  /// Until both have answered everything; false: one does not.
  bool drained() {
    for (int i = 0; i < 20'000; ++i) {
      if (tlm.acks.arrivals.size() == sent && rtl.acks.arrivals.size() == sent) return true;
      run_ns(10);
    }
    for (const ZSide* const side : {&tlm, &rtl}) {
      for (const std::string& line : side->unit->describe_waiting()) ADD_FAILURE() << line;
    }
    return false;
  }
  void expect_alike() {
    for (auto& [address, line] : tlm.l2.memory) {
      if (address >= z_depth_base) continue;
      ASSERT_EQ(line, rtl.l2.line(address)) << "line " << address << " after " << sent << " writes";
    }
  }
  /// `bound`: how many times as long all bursts may take in RTL.
  void lock_step(unsigned bursts, unsigned longest, unsigned lines, double bound) {
    tlm.l2.max_delay = rtl.l2.max_delay = 9;
    build();
    std::uint64_t in_tlm = 0, in_rtl = 0;
    for (unsigned n = 0; n < bursts && !HasFailure(); ++n) {
      const unsigned writes = 1 + random.below(longest);
      const std::uint64_t begun = sc_core::sc_time_stamp().value();
      for (unsigned i = 0; i < writes; ++i) send_random(lines);
      ASSERT_TRUE(drained());
      expect_alike();
      in_tlm += tlm.acks.arrivals.back().at_ps - begun;
      in_rtl += rtl.acks.arrivals.back().at_ps - begun;
    }
    run_ns(1000);
    expect_clean();
    EXPECT_EQ(statistic("rtl.requests"), sent);
    EXPECT_EQ(statistic("rtl.passed_on") + statistic("rtl.answered"), sent);
    EXPECT_GT(statistic("tlm.granules_lost"), 0);
    EXPECT_GT(statistic("tlm.write_backs"), 0);
    // Messages leave and arrive by registers: a few cycles a burst, of which the longest hides most.
    EXPECT_GE(in_rtl, in_tlm);
    EXPECT_LE(static_cast<double>(in_rtl), bound * static_cast<double>(in_tlm));
  }

  models::ZUnitSpec spec;
  models::InterleavingSpec interleaving = [] {
    models::InterleavingSpec one;
    one.partitions = 1;
    return one;
  }();
  const protocols::CoherencePolicy policy = protocols::make_none({});
  models::ClockDomain& z_clock = scheduler.add_domain("z_unit", 650'000'000);
  models::ClockDomain& l2_clock = scheduler.add_domain("l2", 700'000'000);
  const models::AddressMap map{interleaving};
  base::Random random{20, "z_lock_step"};
  ZSide tlm{"tlm", l2_clock, policy}, rtl{"rtl", l2_clock, policy};
  std::size_t sent = 0;
  std::uint32_t depths = 20;  ///< different ones, near and far
};

TEST_F(ZLockStep, RequestByRequest) {
  spec.cache_size = 4 * z_line_bytes;
  lock_step(1500, 1, 12, 1.45);
}

TEST_F(ZLockStep, OfTheThesisInBursts) {
  lock_step(120, 100, 600, 1.12);
}

TEST_F(ZLockStep, WithDepthsOfBytesAndAFullCache) {
  spec.granule = 1;
  depths = 1;  // of equal ones the later wins, line of depths by line of depths
  spec.cache_size = 8 * z_line_bytes;
  lock_step(150, 40, 12, 1.2);
}

TEST_F(ZLockStep, WithDepthsOfHalfwordsOneWayAndFewRequests) {
  spec.granule = 2;
  spec.cache_size = 2 * z_line_bytes;
  spec.ways = 1;
  spec.requests = 3;
  spec.comparators = 2;
  lock_step(150, 20, 6, 1.3);
}

}  // namespace
}  // namespace syncline::tests
