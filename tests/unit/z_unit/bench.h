// A Z-unit between a source and a sink of messages and an L2 that the test rules.
#pragma once

#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "models/partition/address_map.h"
#include "models/z_unit/z_unit.h"
#include "protocols/coherence/none/none.h"
#include "tests/support/message_endpoints.h"
#include "tests/support/platform_fixture.h"
#include "tests/unit/z_unit/fake_l2.h"

namespace syncline::tests {

class ZUnitBench : public PlatformFixture {
 protected:
  static constexpr unsigned line_bytes = 128;
  static constexpr std::uint64_t depth_base = std::uint64_t{1} << 32;

  ZUnitBench() {
    interleaving.partitions = 1;
    acks.on_message = [this](models::Message& m, const sc_core::sc_time&) { on_reply(m); };
  }
  void build() {
    map.emplace(interleaving);
    unit = std::make_unique<models::ZUnit>("z_unit", context, z_clock, spec, policy, base::PartitionId(0), *map,
                                           line_bytes, depth_base);
    bind_partition_path(network.port.socket, {unit.get()}, l2.requests.socket, l2.replies.socket, acks.port.socket);
    run_ns(1);
  }

  models::Message& message(protocols::Code kind, std::uint64_t line) {
    models::Message& m = pool.get();
    m.line = base::LineAddress(line);
    m.source = models::l1_node(base::SmId(3));
    m.requester = models::l1_node(base::SmId(3));
    m.tag = next_tag++;
    models::dress(m, policy, kind, line_bytes);
    return m;
  }
  /// A write of `id` to the bytes of `mask`, on its way: byte b becomes byte_of(id, b). Returns its tag.
  std::uint32_t write(std::uint64_t line, const base::ByteMask& mask, std::uint32_t depth, unsigned id) {
    models::Message& m = message(policy.plain->store, line);
    models::order_by_depth(m, models::DepthKind::write, depth);
    m.mask = mask;
    for (unsigned byte = 0; byte < line_bytes; ++byte) m.data[byte] = byte_of(id, byte);
    ++sent;
    const std::uint32_t tag = m.tag;
    network.send(m);
    return tag;
  }
  std::uint32_t write(std::uint64_t line, std::uint32_t depth = 1, unsigned id = 1) {
    return write(line, base::ByteMask::all(line_bytes), depth, id);
  }
  std::uint32_t clear() {
    models::Message& m = message(policy.plain->store, 0);
    models::order_by_depth(m, models::DepthKind::clear);
    ++sent;
    const std::uint32_t tag = m.tag;
    network.send(m);
    return tag;
  }
  std::uint32_t load(std::uint64_t line) {
    models::Message& m = message(policy.plain->load, line);
    m.mask = base::ByteMask::all(line_bytes);
    const std::uint32_t tag = m.tag;
    network.send(m);
    return tag;
  }
  /// Memory has depths of these lines, all farthest, and the Z-cache is full of others that have not changed. The log
  /// of the L2, the replies and the counts begin anew.
  void put_depths_in_memory(std::initializer_list<std::uint64_t> lines) {
    const auto write_others = [this](std::uint64_t first, std::uint32_t depth) {
      for (unsigned n = 0; n < spec.cache_size / line_bytes; ++n) write(first + n * line_bytes, depth);
    };
    for (const std::uint64_t line : lines) write(line, ~0U, 0);
    write_others(1 << 24, 0);
    write_others(1 << 25, 0);
    write_others(1 << 24, 1);  // none of these wins
    EXPECT_TRUE(drained());
    run_ns(100);
    l2.log.clear();
    order.clear();
    for (const base::Statistic* const one : statistics.sorted())
      before_[one->full_name()] = statistic(one->full_name());
  }
  static std::uint8_t byte_of(unsigned id, unsigned byte) {
    return static_cast<std::uint8_t>(base::mix64(id * 128ULL + byte));
  }
  std::uint8_t byte_at(std::uint64_t line, unsigned byte) { return l2.line(line)[byte]; }
  /// Runs until every write and clear is answered, `ns` nanoseconds at most.
  bool drained(double ns = 1e6) {
    for (double t = 0; t < ns && answered < sent; t += 100) run_ns(100);
    return answered == sent;
  }
  void run_cycles(unsigned cycles) { run_ns(cycles / 0.65); }
  double stat(const std::string& name) const {
    const auto before = before_.find("z_unit." + name);
    return statistic("z_unit." + name) - (before == before_.end() ? 0 : before->second);
  }
  /// How often the L2 performed a message of this kind.
  std::size_t performed(const std::string& kind) const {
    return static_cast<std::size_t>(std::count_if(
        l2.log.begin(), l2.log.end(), [&](const std::string& one) { return one.compare(0, kind.size(), kind) == 0; }));
  }

  models::ZUnitSpec spec;
  models::InterleavingSpec interleaving;
  const protocols::CoherencePolicy policy = protocols::make_none({});
  models::ClockDomain& z_clock = scheduler.add_domain("z_unit", 650'000'000);
  models::ClockDomain& l2_clock = scheduler.add_domain("l2", 700'000'000);
  std::optional<models::AddressMap> map;
  MessageSource network{"network"};
  MessageSink acks{"acks"};
  FakeL2 l2{"l2", l2_clock, policy};
  std::unique_ptr<models::ZUnit> unit;
  std::uint32_t next_tag = 1;
  unsigned sent = 0, answered = 0;
  std::vector<std::uint32_t> order;  ///< tags of all replies

 private:
  std::map<std::string, double> before_;  ///< values of statistics at which they count as 0

  void on_reply(models::Message& m) {
    order.push_back(m.tag);
    if (m.kind != policy.plain->store_ack) return;
    EXPECT_EQ(m.message_class, models::MessageClass::store_ack);
    EXPECT_EQ(m.family, &models::coherence_family);
    EXPECT_EQ(m.destination, models::l1_node(base::SmId(3)));
    EXPECT_EQ(m.bytes, policy.header_bytes);
    ++answered;
  }
};

}  // namespace syncline::tests
