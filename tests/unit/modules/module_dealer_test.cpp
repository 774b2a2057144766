// CTAs of a grid on the modules of a device.
#include "models/work_distributor/module_dealer.h"

#include <gmock/gmock.h>

#include <vector>

namespace syncline::models {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// SMs with room for so many CTAs.
class Rooms final : public SmList {
 public:
  explicit Rooms(std::vector<unsigned> rooms) : rooms_(std::move(rooms)) {}
  unsigned count() const override { return static_cast<unsigned>(rooms_.size()); }
  bool has_room(unsigned sm, const GridLaunch&) const override { return rooms_[sm] != 0; }
  SmResources resources() const override { return {}; }
  void take(unsigned sm) { --rooms_[sm]; }
  void free(unsigned sm) { ++rooms_[sm]; }

 private:
  std::vector<unsigned> rooms_;
};

GridLaunch grid_of(unsigned ctas, unsigned id = 0, SmRange sms = {}) {
  GridLaunch grid{base::GridId(id), {}, {}, 0, sms, nullptr};
  grid.context.grid = {ctas, 1, 1};
  return grid;
}

/// CTAs with their SMs, until one has to wait.
std::vector<std::pair<std::uint64_t, unsigned>> deal(ModuleDealer& dealer, const GridLaunch& grid, Rooms& rooms) {
  std::vector<std::pair<std::uint64_t, unsigned>> dealt;
  while (const auto next = dealer.next(grid, dealt.size(), rooms)) {
    rooms.take(next->sm);
    dealt.emplace_back(next->cta, next->sm);
  }
  return dealt;
}

TEST(ModuleDealer, EachModuleHasAPartOfNeighboursAndItsSmsTakeTurns) {
  ModuleDealer dealer(2);
  Rooms rooms({8, 8, 8, 8});
  EXPECT_THAT(deal(dealer, grid_of(8), rooms), ElementsAre(Pair(0, 0), Pair(4, 2), Pair(1, 1), Pair(5, 3), Pair(2, 0),
                                                           Pair(6, 2), Pair(3, 1), Pair(7, 3)));
}

TEST(ModuleDealer, NoModuleTakesFromAnotherOne) {
  ModuleDealer dealer(2);
  Rooms rooms({1, 0, 8, 8});
  const GridLaunch grid = grid_of(6);
  EXPECT_THAT(deal(dealer, grid, rooms), ElementsAre(Pair(0, 0), Pair(3, 2), Pair(4, 3), Pair(5, 2)));
  rooms.free(1);
  EXPECT_THAT(deal(dealer, grid, rooms), ElementsAre(Pair(1, 1)));
  rooms.free(0);
  EXPECT_THAT(deal(dealer, grid, rooms), ElementsAre(Pair(2, 0)));
}

TEST(ModuleDealer, PartsOfAGridThatIsNoMultipleDifferByOne) {
  ModuleDealer dealer(4);
  Rooms rooms({8, 8, 8, 8});
  EXPECT_THAT(deal(dealer, grid_of(6), rooms),
              ElementsAre(Pair(0, 0), Pair(1, 1), Pair(3, 2), Pair(4, 3), Pair(2, 1), Pair(5, 3)));
  EXPECT_THAT(deal(dealer, grid_of(1, 1), rooms), ElementsAre(Pair(0, 3))) << "the last module has the only part";
}

TEST(ModuleDealer, GridsAreDealtEachByItself) {
  ModuleDealer dealer(2);
  Rooms rooms({1, 1});
  const GridLaunch first = grid_of(4, 0), second = grid_of(4, 1);
  EXPECT_THAT(deal(dealer, first, rooms), ElementsAre(Pair(0, 0), Pair(2, 1)));
  rooms.free(0);
  EXPECT_THAT(deal(dealer, second, rooms), ElementsAre(Pair(0, 0)));
  EXPECT_TRUE(dealer.may_complete(first));
  rooms.free(1);
  EXPECT_THAT(deal(dealer, second, rooms), ElementsAre(Pair(2, 1)));
}

TEST(ModuleDealer, AGridForSomeModulesIsCutIntoPartsForThese) {
  ModuleDealer dealer(4);
  Rooms rooms({8, 8, 8, 8, 8, 8, 8, 8});
  EXPECT_THAT(deal(dealer, grid_of(4, 0, {4, 4}), rooms), ElementsAre(Pair(0, 4), Pair(2, 6), Pair(1, 5), Pair(3, 7)));
  EXPECT_THAT(deal(dealer, grid_of(1, 1, {2, 2}), rooms), ElementsAre(Pair(0, 2)));
}

TEST(InOrderDealer, AGridForSomeSmsIsPlacedOnThese) {
  InOrderDealer dealer(PlacementPolicy::first_free);
  Rooms rooms({8, 8, 8, 8});
  const GridLaunch second = grid_of(4, 0, {2, 2}), all = grid_of(4, 1);
  EXPECT_EQ(dealer.next(second, 0, rooms)->sm, 2U);
  EXPECT_EQ(dealer.next(all, 0, rooms)->sm, 0U) << "who has all SMs has turns of its own";
  EXPECT_EQ(dealer.next(second, 1, rooms)->sm, 3U);
  EXPECT_EQ(dealer.next(second, 2, rooms)->sm, 2U);
  Rooms full({8, 8, 0, 0});
  EXPECT_FALSE(dealer.next(second, 3, full));
}

}  // namespace
}  // namespace syncline::models
