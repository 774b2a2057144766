// Orders of operations from what they saw, and the two checks of programs that share data under transactions.
#include "workloads/common/serial_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/random.h"
#include "workloads/sorted_list/lists.h"
#include "workloads/vacation/agency.h"

namespace syncline::workloads {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SerialOrder, PutsReadersBetweenTheWritersOfTheirVersions) {
  // 0 reads what 1 writes; 2 reads what both left.
  const SerialOrder order = serial_order(1, {{{0, 1, false}}, {{0, 0, true}}, {{0, 2, false}}, {{0, 1, true}}});
  EXPECT_EQ(order.wrong, "");
  EXPECT_THAT(order.operations, ElementsAre(1, 0, 3, 2));
}

TEST(SerialOrder, HasNoneForWhatNoOrderGives) {
  const auto wrong = [](std::uint32_t objects, const std::vector<std::vector<Sight>>& sights) {
    const SerialOrder order = serial_order(objects, sights);
    EXPECT_TRUE(order.operations.empty());
    return order.wrong;
  };
  EXPECT_EQ(wrong(1, {{{0, 0, true}}, {{0, 0, true}}}), "operations 0 and 1 both wrote object 0 when it had version 0");
  EXPECT_EQ(wrong(1, {{{0, 2, false}}, {{0, 0, true}}}),
            "operation 0 saw version 2 of object 0, which was written 1 times");
  EXPECT_EQ(wrong(1, {{{0, 1, true}}}), "operation 0 saw version 1 of object 0, which was written 1 times");
  EXPECT_EQ(wrong(1, {{{1, 0, false}}}), "there is no object 1");
  // Write skew: each writes what the other has read.
  EXPECT_EQ(wrong(2, {{{0, 0, false}, {1, 0, true}}, {{1, 0, false}, {0, 0, true}}}),
            "no order agrees with what they saw: 2 of 2 operations wait for each other");
  // A reader that sees one half of a writer's work.
  EXPECT_EQ(wrong(2, {{{0, 0, true}, {1, 0, true}}, {{0, 0, false}, {1, 1, false}}}),
            "no order agrees with what they saw: 2 of 2 operations wait for each other");
}

/// Requests to an agency of few rows, and what came of them in the order in which they stand.
struct Day {
  vacation::Agency before;
  std::vector<vacation::Request> requests;
  std::vector<vacation::Receipt> receipts;
  vacation::Agency after;
  Verdict check() const { return check_agency(before, requests, receipts, after); }
};
Day day(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed);
  Day day;
  for (int i = 0; i < 6; ++i) day.before.rows.push_back({1 + random.below(3), 50 + random.below(4), 0, 0});
  day.before.customers.resize(3);
  day.after = day.before;
  for (std::uint32_t i = 0; i < count; ++i) {
    vacation::Request request;
    request.kind = static_cast<vacation::Kind>(random.below(4));
    request.customer = random.below(3);
    request.price = 50 + random.below(4);
    const std::uint32_t first = random.below(3);
    request.rows = {first, first + 1, first + 2, first + 3};
    day.requests.push_back(request);
    day.receipts.push_back(serve(day.after, request));
  }
  return day;
}

RC_GTEST_PROP(Vacation, IsExplainedByAnOrderOfTheRequests, ()) {
  Day served = day(*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<std::uint32_t>(1, 80));
  RC_ASSERT(served.check().verified);
  for (std::size_t kind = 0; kind < vacation::kinds; ++kind) RC_ASSERT(served.after.rows[kind].lock == 0);
  std::uint64_t reserved = 0;
  std::uint64_t bills = 0;
  std::uint64_t prices = 0;
  for (const vacation::Customer& customer : served.after.customers) {
    reserved += customer.reservations;
    bills += customer.bill;
    for (std::uint32_t i = 0; i < customer.reservations; ++i) prices += customer.price[i];
  }
  std::uint64_t free = 0;
  for (std::size_t row = 0; row < served.before.rows.size(); ++row)
    free += served.before.rows[row].free - served.after.rows[row].free;
  RC_ASSERT(free == reserved);
  RC_ASSERT(bills == prices);

  // What is not as it was served is noticed.
  Day spoilt = served;
  const auto i = *rc::gen::inRange<std::size_t>(0, spoilt.receipts.size());
  switch (*rc::gen::inRange(0, 4)) {
    case 0:
      ++spoilt.receipts[i].amount;
      break;
    case 1:
      ++spoilt.after.rows[i % 6].free;
      break;
    case 2:
      ++spoilt.after.customers[i % 3].bill;
      break;
    default:
      spoilt.receipts[i].changes[0] += 1000;
      spoilt.receipts[i].rows[0] |= 2U;
  }
  RC_ASSERT(!spoilt.check().verified);
}

/// Two lists of the keys 1 to 3; nodes 2 and 3 hold keys 1 and 3 of list 0, node 4 is of the operation.
struct Shelf {
  sorted_list::Lists before{2, 3, {{0, 2}, {0, 0}, {1, 3}, {3, 0}, {0, 0}}};
  sorted_list::Lists after = before;
  std::vector<sorted_list::Operation> operations{{sorted_list::Kind::insert, 0, 2, 4}};
  std::vector<std::uint32_t> successes{1};
  Shelf() {
    after.nodes[2].next = 4;
    after.nodes[4] = {2, 3};
  }
  Verdict check() const { return check_lists(before, operations, successes, after); }
};

TEST(SortedList, HoldsWhatItsChangesLeave) {
  EXPECT_TRUE(Shelf().check().verified) << Shelf().check().detail;
  EXPECT_EQ(Shelf().check().detail, "2 lists are sorted, and hold what 1 changes leave");
}

TEST(SortedList, ToldWhatIsWrongWithIt) {
  using sorted_list::Kind;
  const auto wrong = [](auto spoil) {
    Shelf shelf;
    spoil(shelf);
    EXPECT_FALSE(shelf.check().verified);
    return shelf.check().detail;
  };
  EXPECT_EQ(wrong([](Shelf& s) { s.after = s.before; }),
            "key 2 of list 0 was there 0 times, inserted 1 and removed 0, and is there 0");
  EXPECT_EQ(wrong([](Shelf& s) { s.successes = {0}; }),
            "key 2 of list 0 was there 0 times, inserted 0 and removed 0, and is there 1");
  EXPECT_EQ(wrong([](Shelf& s) { s.after.nodes[3].next = 2; }), "list 0 has key 1 behind 3");
  EXPECT_EQ(wrong([](Shelf& s) { s.after.nodes[4].key = 4; }), "list 0 has key 4 behind 1");
  EXPECT_EQ(wrong([](Shelf& s) { s.after.nodes[1].next = 0x1000; }), "list 1 leads to node 4096");
  EXPECT_EQ(wrong([](Shelf& s) { s.after.nodes[1].next = 1; }), "list 1 leads to node 1");
  const auto alone = [&](Kind kind, std::uint32_t list, std::uint32_t key, std::uint32_t success) {
    return wrong([&](Shelf& s) {
      s.after = s.before;
      s.operations = {{kind, list, key, 4}};
      s.successes = {success};
    });
  };
  EXPECT_EQ(alone(Kind::look_up, 0, 1, 0), "operation 0 did not find key 1 of list 0, which is always there");
  EXPECT_EQ(alone(Kind::look_up, 1, 1, 1), "operation 0 found key 1 of list 1, which is never there");
  EXPECT_EQ(alone(Kind::insert, 1, 1, 0), "operation 0 found key 1 of list 1, which is never there");
  EXPECT_EQ(alone(Kind::remove, 0, 3, 0), "operation 0 did not find key 3 of list 0, which is always there");
  EXPECT_THAT(alone(Kind::remove, 1, 3, 1), HasSubstr("was there 0 times, inserted 0 and removed 1, and is there 0"));
}

}  // namespace
}  // namespace syncline::workloads
