// A cache between L1s and a home, of the parts that L1 and L2 are made of: clients above, homes below, no memory. The
// policy is `none` with a role more, in which lines are kept for all L1s above.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "models/atomic_unit/atomic_unit.h"
#include "models/cache/links/client_link.h"
#include "models/cache/links/home_link.h"
#include "models/l1_cache/l1_cache.h"
#include "models/l2_slice/l2_slice.h"
#include "models/partition/address_map.h"
#include "platform/stress/core.h"
#include "platform/stress/delay_network.h"
#include "platform/stress/random_memory.h"
#include "protocols/coherence/engine/action_names.h"
#include "protocols/coherence/engine/words.h"
#include "protocols/coherence/none/none.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using namespace protocols;

constexpr Role middle{"middle"};

enum class MiddleState : std::uint8_t { I, V, IV, IX };
enum class MiddleEvent : std::uint8_t { Gets, Getu, Write, Atomic, Replacement, Data, Data_U, Ack, Atomic_Data };
enum class MiddleAction : std::uint8_t {
  stall,
  allocate,
  park,
  send_GETS,
  send_DATA,
  forward_GETU,
  forward_WRITE,
  forward_ATOMIC,
  relay_DATA_U,
  relay_ACK,
  relay_ATOMIC_DATA,
  fill,
  replay,
  drop
};

Vocabulary middle_words() {
  return {"none",
          "middle",
          none::messages(),
          {{"I", true, ""}, {"V", true, ""}, {"IV", false, ""}, {"IX", false, ""}},
          {{"Gets", on::message(none::Message::GETS), ""},
           {"Getu", on::message(none::Message::GETU), ""},
           {"Write", on::message(none::Message::WRITE), ""},
           {"Atomic", on::message(none::Message::ATOMIC), ""},
           {"Replacement", on::replacement, ""},
           {"Data", on::message(none::Message::DATA), ""},
           {"Data_U", on::message(none::Message::DATA_U), ""},
           {"Ack", on::message(none::Message::ACK), ""},
           {"Atomic_Data", on::message(none::Message::ATOMIC_DATA), ""}},
          {},
          {act::stall(), act::allocate(), act::park(), act::send("send_GETS", none::Message::GETS, ""),
           act::reply("send_DATA", none::Message::DATA, ""), act::forward("forward_GETU", none::Message::GETU, ""),
           act::forward("forward_WRITE", none::Message::WRITE, ""),
           act::forward("forward_ATOMIC", none::Message::ATOMIC, ""),
           act::relay("relay_DATA_U", none::Message::DATA_U, ""), act::relay("relay_ACK", none::Message::ACK, ""),
           act::relay("relay_ATOMIC_DATA", none::Message::ATOMIC_DATA, ""), act::fill(), act::replay(), act::drop()}};
}

using MS = MiddleState;
using ME = MiddleEvent;
using MA = MiddleAction;
/// Replies of the home keep the order of requests to a line, so that none of an older access comes when the line is
/// here.
constexpr Row middle_rows[] = {
    {MS::I, ME::Gets, {MA::allocate, MA::park, MA::send_GETS}, MS::IV, ""},
    {MS::I, ME::Getu, {MA::forward_GETU}, MS::I, ""},
    {MS::I, ME::Write, {MA::forward_WRITE}, MS::I, ""},
    {MS::I, ME::Atomic, {MA::forward_ATOMIC}, MS::I, ""},
    {MS::I, ME::Data_U, {MA::relay_DATA_U}, MS::I, ""},
    {MS::I, ME::Ack, {MA::relay_ACK}, MS::I, ""},
    {MS::I, ME::Atomic_Data, {MA::relay_ATOMIC_DATA}, MS::I, ""},
    {MS::V, ME::Gets, {MA::send_DATA}, MS::V, ""},
    {MS::V, ME::Getu, {MA::drop, MA::forward_GETU}, MS::I, ""},
    {MS::V, ME::Write, {MA::drop, MA::forward_WRITE}, MS::I, ""},
    {MS::V, ME::Atomic, {MA::drop, MA::forward_ATOMIC}, MS::I, ""},
    {MS::V, ME::Replacement, {MA::drop}, MS::I, ""},
    {MS::IV, ME::Gets, {MA::park}, MS::IV, ""},
    {MS::IV, ME::Getu, {MA::forward_GETU}, MS::IX, ""},
    {MS::IV, ME::Write, {MA::forward_WRITE}, MS::IX, "the line on its way lacks these bytes"},
    {MS::IV, ME::Atomic, {MA::forward_ATOMIC}, MS::IX, ""},
    {MS::IV, ME::Replacement, {MA::stall}, MS::IV, ""},
    {MS::IV, ME::Data, {MA::fill, MA::replay}, MS::V, ""},
    {MS::IV, ME::Data_U, {MA::relay_DATA_U}, MS::IV, ""},
    {MS::IV, ME::Ack, {MA::relay_ACK}, MS::IV, ""},
    {MS::IV, ME::Atomic_Data, {MA::relay_ATOMIC_DATA}, MS::IV, ""},
    {MS::IX, ME::Gets, {MA::park}, MS::IX, ""},
    {MS::IX, ME::Getu, {MA::forward_GETU}, MS::IX, ""},
    {MS::IX, ME::Write, {MA::forward_WRITE}, MS::IX, ""},
    {MS::IX, ME::Atomic, {MA::forward_ATOMIC}, MS::IX, ""},
    {MS::IX, ME::Replacement, {MA::stall}, MS::IX, ""},
    {MS::IX, ME::Data, {MA::drop, MA::replay}, MS::I, "who waits asks again, behind what made it old"},
    {MS::IX, ME::Data_U, {MA::relay_DATA_U}, MS::IX, ""},
    {MS::IX, ME::Ack, {MA::relay_ACK}, MS::IX, ""},
    {MS::IX, ME::Atomic_Data, {MA::relay_ATOMIC_DATA}, MS::IX, ""},
};

CoherencePolicy none_with_a_middle() {
  CoherencePolicy policy = make_none({});
  policy.roles.push_back({middle, make_table(middle_words(), middle_rows),
                          [](auto table) { return std::make_unique<Machine>(std::move(table)); }});
  return policy;
}

class MiddleCache : public models::CacheController {
 public:
  MiddleCache(const sc_core::sc_module_name& name, models::PlatformContext& context, models::ClockDomain& clock,
              const CoherencePolicy& policy, const models::HomeMap& homes)
      : CacheController(name, context, clock,
                        {models::home_node(base::PartitionId(0)),
                         {middle},
                         models::TickRank::l2_slice,
                         "middle.replacement",
                         {2, 2, 128, 4, 2, models::Replacement::lru, 0}},
                        policy, homes),
        clients(*this, {1, 1, 1, 0, 3, 1, 1}),
        below(*this, {32, 4, 1, 1, 0}) {
    models::CacheLinks links;
    links.clients = &clients;
    links.homes = &below;
    join(links);
  }
  models::ClientLink clients;
  models::HomeLink below;
};

/// Two L1s, the cache between, and a home behind it; queues of one entry.
class MiddleCacheTest : public PlatformFixture {
 protected:
  static constexpr unsigned l1s = 2;
  explicit MiddleCacheTest(CoherencePolicy policy = none_with_a_middle()) : policy_(std::move(policy)) {
    models::L1Spec l1;
    l1.size = 4 * 128;
    l1.ways = 2;
    l1.mshr_entries = l1.mshr_merges = 2;
    l1.handles = 3;
    l1.input_queue = l1.reply_queue = l1.output_queue = 1;
    models::L2Spec l2;
    l2.size = 4 * 128;
    l2.ways = 2;
    l2.mshr_entries = l2.mshr_merges = 2;
    l2.input_queue = l2.output_queue = 1;
    l2.memory_queue = 3;
    middle_ = std::make_unique<MiddleCache>("middle", context, clock_, policy_, far_);
    slice_ = std::make_unique<models::L2Slice>("slice", context, clock_, l2, policy_, base::PartitionId(0), far_,
                                               models::GpuPlace{1, 0});
    slice_->memory.socket.bind(memory_.socket);
    slice_->atomics.socket.bind(unit_.socket);
    const models::NetworkPorts up = up_.ports(), down = down_.ports();
    for (unsigned i = 0; i < l1s; ++i) {
      const base::SmId sm(static_cast<std::uint16_t>(i));
      l1s_.push_back(std::make_unique<models::L1Cache>(("l1_" + std::to_string(i)).c_str(), context, clock_, l1,
                                                       policy_, sm, near_));
      cores_.push_back(std::make_unique<stress::Core>(("core" + std::to_string(i)).c_str(), pool));
      cores_[i]->to_l1.socket.bind(l1s_[i]->from_sm.socket);
      l1s_[i]->to_sm.socket.bind(cores_[i]->from_l1.socket);
      l1s_[i]->to_network.socket.bind(*up.inputs[i]);
      down.outputs[i]->bind(l1s_[i]->from_network.socket);
    }
    up.outputs[0]->bind(middle_->clients.requests.socket);
    middle_->clients.replies.socket.bind(*down.inputs[0]);
    middle_->below.to_network.socket.bind(slice_->requests.socket);
    slice_->replies.socket.bind(middle_->below.from_network.socket);
  }

  /// One warp: words of its own in lines that others use too, each with a counter that is everybody's at its end.
  struct Walk {
    unsigned core, warp, left;
    base::Random random;
    std::array<std::uint32_t, 8> words{};  ///< what it wrote last, by line
  };
  static constexpr unsigned lines = 8, counter = 124;
  void step(Walk& walk) {
    if (walk.left-- == 0) return;
    const unsigned number = walk.random.below(lines), what = walk.random.below(10);
    const std::uint64_t line = number * 128;
    const unsigned offset = (walk.core * 4 + walk.warp) * 4;
    stress::Core& core = *cores_[walk.core];
    if (what < 5) {
      models::Message& m = core.request(models::MessageClass::load_request, models::L1Kind::global, line, walk.warp);
      m.semantics = what == 0 ? isa::Semantics::relaxed : isa::Semantics::weak;  // around the L1, or by it
      m.scope = what == 0 ? isa::Scope::gpu : isa::Scope::none;
      m.mask.set(offset, 4);
      core.send(m, [this, &walk, number, offset](models::Message& reply) {
        std::uint32_t word = 0;
        std::memcpy(&word, reply.data.data() + offset, 4);
        EXPECT_EQ(word, walk.words[number]) << "line " << number << " of core " << walk.core << " warp " << walk.warp;
        step(walk);
      });
    } else if (what < 8) {
      models::Message& m = core.request(models::MessageClass::store_request, models::L1Kind::global, line, walk.warp);
      const std::uint32_t word = ++walk.words[number];
      m.mask.set(offset, 4);
      std::memcpy(m.data.data() + offset, &word, 4);
      core.send(m, [this, &walk](models::Message&) { step(walk); });
    } else {
      models::Message& m = core.request(models::MessageClass::atomic_request, models::L1Kind::global, line, walk.warp);
      m.atomic = isa::AtomicOp::add;
      m.atomic_type = isa::Type::u32;
      m.atomic_count = 1;
      m.atomics[0] = {};
      m.atomics[0].offset = counter;
      m.atomics[0].operand = 1;
      m.mask.set(counter, 4);
      ++added_;
      core.send(m, [this, &walk](models::Message&) { step(walk); });
    }
  }

  CoherencePolicy policy_;
  models::ClockDomain& clock_ = scheduler.add_domain("core", 1'000'000'000);
  models::InterleavingSpec one_home_ = [] {
    models::InterleavingSpec spec;
    spec.partitions = 1;
    return spec;
  }();
  models::AddressMap near_{one_home_}, far_{one_home_, models::GpuPlace{1, 0}};
  stress::DelayNetwork up_{"up", l1s, models::Router::to(models::NodeKind::home, 1), 20'000, 2, 1};
  stress::DelayNetwork down_{"down", 1, models::Router::to(models::NodeKind::l1, l1s), 20'000, 2, 2};
  stress::RandomMemory memory_{"memory", 1 << 14, 50'000, 3};
  models::AtomicUnit unit_{"unit", context, clock_, models::AtomicUnitSpec{}};
  std::unique_ptr<MiddleCache> middle_;
  std::unique_ptr<models::L2Slice> slice_;
  std::vector<std::unique_ptr<models::L1Cache>> l1s_;
  std::vector<std::unique_ptr<stress::Core>> cores_;
  std::uint32_t added_ = 0;
};

TEST_F(MiddleCacheTest, EachWarpReadsWhatItWroteAndNoAdditionIsLost) {
  std::vector<std::unique_ptr<Walk>> walks;
  walks.reserve(8);
  for (unsigned i = 0; i < 8; ++i)
    walks.push_back(std::make_unique<Walk>(Walk{i / 4, i % 4, 1000, base::Random(7, "walk", i)}));
  for (const auto& walk : walks) step(*walk);
  for (int i = 0; i < 2000 && !(cores_[0]->idle() && cores_[1]->idle()); ++i) run_ns(10'000);
  ASSERT_FALSE(scheduler.failure());
  for (const auto& walk : walks) EXPECT_EQ(walk->left, ~0U) << "core " << walk->core << " warp " << walk->warp;
  std::uint32_t sum = 0;
  for (unsigned line = 0; line < lines; ++line) {
    std::uint32_t count = 0;
    slice_->debug_read(base::ByteAddress(line * 128 + counter), reinterpret_cast<std::uint8_t*>(&count), sizeof count);
    sum += count;
  }
  EXPECT_EQ(sum, added_);
  const RowsTaken rows = rows_taken(*policy_.table(middle), middle_->lines().machine().taken());
  for (const Transition* row : rows.missing) ADD_FAILURE() << row_name(row->row, middle_words()) << " never happened";
  run_ns(10'000);
  expect_clean();
}

/// A machine that asks for what lies in a direction without a link.
class MiddleCacheWithoutMemory : public MiddleCacheTest {
 protected:
  static CoherencePolicy fetching() {
    CoherencePolicy policy = none_with_a_middle();
    policy.at(middle) = {middle, policy.table(Role::home), policy.at(Role::home).make};
    return policy;
  }
  MiddleCacheWithoutMemory() : MiddleCacheTest(fetching()) {}
};

TEST_F(MiddleCacheWithoutMemory, AnActionThatNeedsALinkThatIsNotThereIsAModelError) {
  Walk walk{0, 0, 20, base::Random(7, "walk", 0)};
  step(walk);
  for (int i = 0; i < 100 && !scheduler.failure(); ++i) run_ns(1'000);
  ASSERT_TRUE(scheduler.failure());
  try {
    std::rethrow_exception(scheduler.failure());
  } catch (const base::ModelError& error) {
    EXPECT_EQ(std::string(error.what())
                  .rfind("middle: `none` asks for something that a link to memory does, and this cache has none", 0),
              0U)
        << error.what();
  }
}

}  // namespace
}  // namespace syncline::tests
