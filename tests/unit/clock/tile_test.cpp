// Tiles: to which one a block belongs, what a tile counts, and that nobody reaches into another one.
#include "models/tile/tile.h"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <memory>

#include "models/transport/message_port.h"
#include "tests/support/file_text.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using models::Block;
using models::Message;
using models::Tile;
using models::TileScope;
using testing::HasSubstr;

/// Has one number, and links to others of its kind in both ways: by a message, and past all sockets.
class Neighbour : public Block, public models::Ticked, private models::MessageSender, private models::MessageReceiver {
 public:
  Neighbour(const sc_core::sc_module_name& name, models::PlatformContext& context, models::ClockDomain& clock)
      : Block(name, context), out("out", *this), in("in", *this) {
    clock.add(*this, models::TickRank::sm, this->name());
  }
  base::Cycle tick(base::Cycle) override {
    if (reaches_into != nullptr) reaches_into->set(1);
    if (sends != nullptr) out.send(*sends);
    ++tile().progress;
    return base::never;
  }
  void set(int value) {
    touched();
    value_ = value;
  }
  int value() const { return value_; }

  models::MessageInitiator out;
  models::MessageTarget in;
  Neighbour* reaches_into = nullptr;
  Message* sends = nullptr;

 private:
  bool receive(Message& message, const sc_core::sc_time&, unsigned) override {
    set(2);
    message.payload()->release();
    return true;
  }
  void on_ready(models::VirtualNetwork, unsigned) override {}
  int value_ = 0;
};

struct TileTest : PlatformFixture {
  std::unique_ptr<Neighbour> make(const char* name, const std::string& tile) {
    if (tile.empty()) return std::make_unique<Neighbour>(name, context, clock);
    const TileScope scope(context.tiles, tile);
    return std::make_unique<Neighbour>(name, context, clock);
  }
  models::ClockDomain& clock = scheduler.add_domain("core", 1'000'000'000);
};

TEST_F(TileTest, ABlockBelongsToTheTileInWhichItIsMade) {
  const auto sm = make("sm", "gpu.sm0"), l1 = make("l1", "gpu.sm0"), l2 = make("l2", "gpu.part0");
  const auto distributor = make("distributor", "");
  EXPECT_EQ(sm->tile().name(), "gpu.sm0");
  EXPECT_EQ(&sm->tile(), &l1->tile());
  EXPECT_EQ(l2->tile().name(), "gpu.part0");
  EXPECT_TRUE(distributor->tile().is_sequential());
  EXPECT_EQ(context.tiles.all().size(), 3U);
}

TEST_F(TileTest, CountsAndMessagesOfTilesAddUp) {
  const auto sm = make("sm", "gpu.sm0"), l2 = make("l2", "gpu.part0");
  sm->tile().progress = 3;
  l2->tile().progress = 4;
  sm->tile().effects = 5;
  l2->tile().asleep_until = 70;
  context.tiles.sequential().asleep_until = 60;
  EXPECT_EQ(context.tiles.progress(), 7U);
  EXPECT_EQ(context.tiles.effects(), 5U);
  EXPECT_EQ(context.tiles.asleep_until(), 70U);

  Message& own = sm->tile().messages().get();
  Message& of_nobody = context.tiles.sequential().messages().get();
  EXPECT_EQ(context.tiles.messages_in_flight(), 2U);
  EXPECT_EQ(pool.in_flight(), 1U) << "the pool that the context was made with is the sequential part's";
  own.payload()->release();
  EXPECT_EQ(sm->tile().messages().in_flight(), 0U);
  of_nobody.payload()->release();
  EXPECT_EQ(context.tiles.messages_in_flight(), 0U);
}

/// Two blocks whose first cycle does what `wire` says.
struct Meeting : TileTest {
  Meeting() : first(make("first", "gpu.sm0")), second(make("second", "gpu.part0")), self(make("self", "gpu.sm0")) {
    first->out.socket.bind(second->in.socket);
    second->out.socket.bind(first->in.socket);
    self->out.socket.bind(self->in.socket);
  }
  void run() {
    first->wake(0);
    run_ns(2);
  }
  std::unique_ptr<Neighbour> first, second, self;
};

TEST_F(Meeting, ByMessage) {
  first->sends = &first->tile().messages().get();
  run();
  EXPECT_EQ(second->value(), 2);
  EXPECT_EQ(context.tiles.messages_in_flight(), 0U);
}

TEST_F(Meeting, WithinATile) {
  first->reaches_into = self.get();
  run();
  EXPECT_EQ(self->value(), 1);
}

TEST(Leaks, StandInTheArchitecture) {
  const std::string page = test::text_of("docs/architecture.md");
  for (const models::LeakDescription& leak : models::leaks())
    EXPECT_THAT(page, HasSubstr(fmt::format("| {} | {} | {} | {} |", leak.name, leak.from, leak.to, leak.what)));
}

#ifdef SYNCLINE_CHECK_TILES
using MeetingDeathTest = Meeting;

TEST_F(MeetingDeathTest, PastTheSockets) {
  first->reaches_into = second.get();
  EXPECT_DEATH(run(), "tile gpu.sm0 touches the state of second, which belongs to tile gpu.part0");
}

TEST_F(MeetingDeathTest, OfATileAndTheSequentialPart) {
  const auto shared = make("shared", "");
  shared->out.socket.bind(shared->in.socket);
  first->reaches_into = shared.get();
  EXPECT_DEATH(run(), "tile gpu.sm0 touches the state of shared, which belongs to tile sequential");
}

TEST_F(Meeting, TheSequentialPartMayTouchAll) {
  const auto shared = make("shared", "");
  shared->out.socket.bind(shared->in.socket);
  shared->reaches_into = second.get();
  shared->wake(0);
  run_ns(2);
  EXPECT_EQ(second->value(), 1);
}
#endif

/// Sanitizers see it where it is not so.
TEST(BlocksOfUsers, MayBeThereWhenAllElseHasEnded) {
  models::Scheduler scheduler("scheduler");
  models::MessagePool pool;
  base::StatisticsRegistry statistics;
  std::unique_ptr<Block> left;
  {
    models::PlatformContext context{scheduler, pool, statistics};
    left = std::make_unique<Block>("left", context);
    const auto gone = std::make_unique<Block>("gone", context);
    EXPECT_EQ(context.blocks.size(), 2U);
  }
  left.reset();
}

}  // namespace
}  // namespace syncline::tests
