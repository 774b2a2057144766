// What the unit is for: memory does not depend on the order in which writes arrive, nor on the times of the L2.
#include <gmock/gmock.h>
#include <rapidcheck.h>

#include "tests/unit/z_unit/bench.h"

namespace syncline::tests {
namespace {

struct Write {
  unsigned line, id;
  std::uint32_t depth;
  base::ByteMask mask;
};

class ZUnitOrder : public ZUnitBench {
 protected:
  /// The winner of each granule, worked out by a comparison of all writes to it.
  void expect_nearest(std::uint64_t first, const std::vector<Write>& writes) {
    for (unsigned line = 0; line < lines; ++line) {
      for (unsigned byte = 0; byte < line_bytes; ++byte) {
        const Write* winner = nullptr;
        for (const Write& one : writes) {
          if (one.line != line || !one.mask.test(byte)) continue;
          if (winner == nullptr || one.depth <= winner->depth) winner = &one;  // of equal ones the later
        }
        RC_ASSERT(byte_at(first + line * line_bytes, byte) == (winner == nullptr ? 0 : byte_of(winner->id, byte)));
      }
    }
  }
  /// Random overlapping writes to fresh lines. `ties`: depths may be equal.
  void episode(bool ties) {
    const auto count = *rc::gen::inRange(1U, 60U);
    const auto offset = *rc::gen::element(0U, 0x7ffffff0U, 0xffffffffU - 60U);
    std::vector<std::uint32_t> depths(count);
    for (unsigned i = 0; i < count; ++i) depths[i] = offset + i / (ties ? 4 : 1);
    const auto shuffled = *rc::gen::container<std::vector<std::uint32_t>>(count, rc::gen::arbitrary<std::uint32_t>());
    for (unsigned i = count; i > 1; --i) std::swap(depths[i - 1], depths[shuffled[i - 1] % i]);
    l2.max_delay = *rc::gen::element(1, 7, 60);
    l2.capacity = *rc::gen::element(1U, 8U);
    const std::uint64_t first = next_line;
    next_line += std::uint64_t{lines} * line_bytes;
    std::vector<Write> writes;
    for (unsigned i = 0; i < count; ++i) {
      Write one{*rc::gen::inRange(0U, lines), next_id++, depths[i], {}};
      const auto covered = *rc::gen::arbitrary<std::uint32_t>();
      for (unsigned n = 0; n < line_bytes / spec.granule; ++n) {
        if (((covered >> (n % 32)) & 1U) != 0) one.mask.set(n * spec.granule, spec.granule);
      }
      const auto quarter = *rc::gen::inRange(0U, 4U);  // so that writes share some lines of depths and not others
      const auto quarters = *rc::gen::inRange(1U, 5U - quarter);
      one.mask = one.mask & base::ByteMask::range(quarter * line_bytes / 4, quarters * line_bytes / 4);
      writes.push_back(one);
      write(first + one.line * line_bytes, one.mask, one.depth, one.id);
      if (*rc::gen::inRange(0, 4) == 0) run_ns(*rc::gen::inRange(1, 50));
    }
    RC_ASSERT(drained());
    expect_nearest(first, writes);
  }
  void random_orders() {
    build();
    EXPECT_TRUE(rc::check("the nearest write stays", [this] { episode(false); }));
    EXPECT_TRUE(rc::check("of equally near writes the later one stays", [this] { episode(true); }));
    run_ns(1000);  // acknowledgements of write-backs
    expect_clean();
    EXPECT_EQ(stat("writes"), sent);
    EXPECT_EQ(stat("residence"), sent);
    EXPECT_EQ(stat("comparisons"), stat("hits") + stat("misses"));
    EXPECT_EQ(stat("sent_GETU"), stat("misses") - stat("unwritten"));
    EXPECT_LT(stat("sent_ACK"), sent) << "the L2 answers some";
    EXPECT_GT(stat("sent_ACK"), 0) << "and those of which no byte was to be written never got there";
    EXPECT_GT(stat("granules_lost"), 0);
    EXPECT_GT(stat("write_backs"), 0);
  }
  static constexpr unsigned lines = 3;
  std::uint64_t next_line = 0;
  unsigned next_id = 1;
};

TEST_F(ZUnitOrder, DoesNotShowWithTheThesisParameters) {
  random_orders();
  EXPECT_GT(stat("blocked"), 0);
}

TEST_F(ZUnitOrder, DoesNotShowWithDepthsOfBytes) {
  spec.granule = 1;
  spec.cache_size = 2 * 4 * 128;
  random_orders();
}

TEST_F(ZUnitOrder, DoesNotShowWithDepthsOfHalfwords) {
  spec.granule = 2;
  spec.cache_size = 4 * 128;
  random_orders();
}

TEST_F(ZUnitOrder, DoesNotShowWithOneBlockOneComparatorAndTwoRequests) {
  spec.cache_size = 128;
  spec.ways = 1;
  spec.requests = 2;
  spec.comparators = 1;
  random_orders();
  EXPECT_GT(stat("stall_full"), 0);
}

TEST_F(ZUnitOrder, DoesNotShowWithOneSetAndDepthsOfBytes) {
  spec.granule = 1;
  spec.cache_size = 2 * 128;
  spec.ways = 2;
  spec.requests = 5;
  spec.comparators = 2;
  random_orders();
}

}  // namespace
}  // namespace syncline::tests
