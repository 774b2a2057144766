// Programs whose CTAs share data while a grid runs: their checks notice what goes wrong when the sharing does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "base/random.h"
#include "platform/functional/functional_device.h"
#include "workloads/cloth/replay.h"
#include "workloads/hash_table/chains.h"
#include "workloads/registry.h"

namespace syncline::workloads {
namespace {

using cloth::Particle;
using cloth::Spring;
using cloth::Tickets;
using testing::HasSubstr;

TEST(Stencil, MeetsAtItsBarriersWhateverTheNumberOfSms) {
  const Workload& workload = find_workload("stencil");
  for (const unsigned sms : {1U, 2U, 7U, 300U}) {  // more CTAs than threads of CTA 0, and than rows of the plate
    platform::FunctionalDevice::Config config;
    config.emulator.sms = sms;
    config.emulator.cta_slice = 50;
    config.emulator.warp_slice = 3;
    platform::FunctionalDevice device(config);
    const Verdict verdict = workload.run({device, Size::small, 1, ptx_path(workload)});
    EXPECT_TRUE(verdict.verified) << sms << " SMs: " << verdict.detail;
  }
}

/// Four nodes in two buckets; 2654435769 * key modulo 2^32 is above 2^31 for the keys 1, 3, and below for 2, 5.
struct Table {
  std::vector<std::uint32_t> keys{1, 2, 3, 5};
  std::vector<std::uint32_t> heads{4, 1};
  std::vector<hash_table::Node> nodes{{1, 3}, {2, 0}, {3, 0}, {5, 2}};
  Verdict check() const { return hash_table::check_chains(keys, heads, nodes); }
};

TEST(HashTable, HoldsEveryKeyOnceInAnyOrder) {
  Table table;
  EXPECT_TRUE(table.check().verified) << table.check().detail;
  EXPECT_THAT(table.check().detail, HasSubstr("the longest chain has 2"));
  table.heads = {2, 3};
  table.nodes = {{1, 0}, {2, 4}, {3, 1}, {5, 0}};
  EXPECT_TRUE(table.check().verified) << table.check().detail;
}

/// Also where there are many more buckets than keys; multiples of one number, hashed by a product, never meet there.
TEST(HashTable, OfThePapersHasKeysThatMeet) {
  for (const char* name : {"hash_table", "hash_table_m", "hash_table_l", "hash_table_cas"}) {
    platform::FunctionalDevice device;
    const Workload& workload = find_workload(name);
    const Verdict verdict = workload.run({device, Size::paper, 1, ptx_path(workload)});
    EXPECT_TRUE(verdict.verified) << name << ": " << verdict.detail;
    EXPECT_THAT(verdict.detail, testing::Not(testing::EndsWith("the longest chain has 1"))) << name;
  }
}

TEST(HashTable, ToldWhatIsWrongWithAChain) {
  const auto wrong = [](auto spoil) {
    Table table;
    spoil(table);
    EXPECT_FALSE(table.check().verified);
    return table.check().detail;
  };
  EXPECT_THAT(wrong([](Table& t) { t.nodes[3].next = 0; }), HasSubstr("1 of 4 keys are not found, first key 2"));
  EXPECT_THAT(wrong([](Table& t) { t.nodes[2].next = 1; }), HasSubstr("key 1 is found twice"));
  EXPECT_THAT(wrong([](Table& t) { t.heads = {1, 4}; }), HasSubstr("key 1 is in bucket 0, not 1"));
  EXPECT_THAT(wrong([](Table& t) { t.nodes[0].key = 7; }), HasSubstr("node 1 holds key 7, not 1"));
  EXPECT_THAT(wrong([](Table& t) { t.heads[0] = 5; }), HasSubstr("bucket 0 leads to node 5 of 4"));
}

/// A chain of particles, too far from each other, the first of which is held.
struct Rope {
  std::vector<Particle> particles;
  std::vector<Spring> springs;
};
Rope rope(std::uint32_t links) {
  Rope rope;
  for (std::uint32_t i = 0; i <= links; ++i) {
    rope.particles.push_back({static_cast<std::int32_t>(i) * 80'000, static_cast<std::int32_t>(i * i) * 9'000, 0, 0});
    if (i > 0) rope.springs.push_back({i - 1, i, 65'536, i == 1 ? 0.0F : 0.5F});
  }
  return rope;
}

/// Distance, over all coordinates (z is 0), to the straight rope at rest. The places of two particles where their
/// spring is not stretched are a convex set, and a solve is the projection onto it. So no solve takes the rope farther
/// from a place where no spring is stretched.
double distance_to_rest(const Rope& rope) {
  double squares = 0;
  for (std::size_t i = 0; i < rope.particles.size(); ++i) {
    const Particle& p = rope.particles[i];
    const double x = p.x - 65'536.0 * static_cast<double>(i);
    const double y = p.y;
    squares += x * x + y * y;
  }
  return std::sqrt(squares);
}

/// Solves every spring `rounds` times in an order drawn from `seed`, which keeps the rounds of a spring in order.
std::vector<Tickets> solve_in_any_order(Rope& rope, std::uint32_t rounds, std::uint64_t seed) {
  base::Random random(seed);
  std::vector<Tickets> tickets(rope.springs.size() * rounds);
  std::vector<std::uint32_t> done(rope.springs.size());
  for (std::size_t left = tickets.size(); left > 0;) {
    const std::uint32_t i = random.below(static_cast<std::uint32_t>(rope.springs.size()));
    if (done[i] == rounds) continue;
    const Spring& spring = rope.springs[i];
    tickets[done[i]++ * rope.springs.size() + i] = {rope.particles[spring.a].solves, rope.particles[spring.b].solves};
    cloth::solve(spring, rope.particles[spring.a], rope.particles[spring.b]);
    --left;
  }
  return tickets;
}

RC_GTEST_PROP(Cloth, IsReplayedFromItsTickets, ()) {
  const auto links = *rc::gen::inRange<std::uint32_t>(1, 30);
  const auto rounds = *rc::gen::inRange<std::uint32_t>(1, 5);
  const Rope start = rope(links);
  Rope end = start;
  const std::vector<Tickets> tickets = solve_in_any_order(end, rounds, *rc::gen::arbitrary<std::uint64_t>());
  std::vector<Particle> replayed = start.particles;
  RC_ASSERT(cloth::replay(replayed, start.springs, tickets).verified);
  RC_ASSERT(replayed == end.particles);
  RC_ASSERT(end.particles[0].x == 0 && end.particles[0].y == 0);
  const double roundings = 2.5 * static_cast<double>(tickets.size());  // each solve rounds six coordinates
  RC_ASSERT(distance_to_rest(end) <= distance_to_rest(start) + roundings);
}

TEST(Cloth, OrderOfSolvesShowsInTheResult) {
  const Rope start = rope(2);
  std::vector<Particle> forwards = start.particles;
  std::vector<Particle> backwards = start.particles;
  EXPECT_TRUE(cloth::replay(forwards, start.springs, {{0, 0}, {1, 0}}).verified);
  EXPECT_TRUE(cloth::replay(backwards, start.springs, {{0, 1}, {0, 0}}).verified);
  EXPECT_FALSE(forwards == backwards);
}

TEST(Cloth, RefusesTicketsThatNoOrderGives) {
  const auto refusal = [](std::uint32_t links, const std::vector<Tickets>& tickets) {
    Rope start = rope(links);
    const Verdict verdict = cloth::replay(start.particles, start.springs, tickets);
    EXPECT_FALSE(verdict.verified);
    return verdict.detail;
  };
  EXPECT_THAT(refusal(2, {{0, 0}, {0, 0}}),
              HasSubstr("solve 1 found particle 1 after 0 solves, which another one had found before"));
  EXPECT_THAT(refusal(2, {{0, 0}, {2, 0}}),
              HasSubstr("solve 1 found particle 1 after 2 solves, which is more than it has springs for"));
  EXPECT_THAT(refusal(1, {{1, 1}, {0, 0}}), HasSubstr("solve 1 came before solve 0, which its thread did first"));

  // A triangle, each of whose springs comes before the next one.
  Rope triangle = rope(2);
  triangle.springs.push_back({0, 2, 65'536, 0});
  const Verdict verdict = cloth::replay(triangle.particles, triangle.springs, {{1, 0}, {1, 0}, {0, 1}});
  EXPECT_FALSE(verdict.verified);
  EXPECT_THAT(verdict.detail, HasSubstr("no order of the solves agrees with what they found: 3 of 3 wait"));
}

TEST(Cloth, PullsTheEndsOfASpringToItsLengthAtRest) {
  Particle a{0, 0, 0, 0};
  Particle b{300'000, 0, 400'000, 0};  // 500000 apart
  cloth::solve({0, 1, 100'000, 0.5F}, a, b);
  EXPECT_NEAR(a.x, 120'000, 1);
  EXPECT_NEAR(a.z, 160'000, 1);
  EXPECT_NEAR(b.x, 180'000, 1);
  EXPECT_NEAR(b.z, 240'000, 1);
  const Particle moved = a;
  cloth::solve({0, 1, 200'000, 0.5F}, a, b);  // is short enough
  EXPECT_EQ(a.x, moved.x);
  EXPECT_EQ(a.solves, 2U);
  EXPECT_EQ(b.solves, 2U);
}

}  // namespace
}  // namespace syncline::workloads
