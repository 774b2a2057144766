// Real PTX on SMs whose L1 answers in random order: the memory must end as the functional emulator leaves it.
#include <gtest/gtest.h>

#include "tests/unit/sm/kernels.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

class KernelTest : public SmMachine {};

TEST_F(KernelTest, SaxpyWithAPartialLastWarp) {
  build();
  const auto x = allocate(4000, true), y = allocate(4000, true), out = allocate(4000);
  compare(saxpy, {"saxpy", {4}, {256}, {x, y, out, 7, 1000}});
  EXPECT_GT(statistic("sm0.warp_instructions"), 0);
}

TEST_F(KernelTest, SharedMemoryBarriersAndDivergence) {
  build();
  const auto in = allocate(128 * 4 * 24, true), out = allocate(128 * 4 * 24);
  compare(reverse, {"reverse", {24}, {128}, {in, out}});
}

TEST_F(KernelTest, LanesInARowAndAtOnePlace) {
  build();
  const auto in = allocate(64 * 4, true), out = allocate(64 * 4), last = allocate(4 * 4);
  compare(rows, {"rows", {1}, {64}, {in, out, last}});
}

TEST_F(KernelTest, AtomicsInSharedAndGlobalMemory) {
  build();
  const auto in = allocate(128 * 20, true), bins = allocate(64), most = allocate(4);
  compare(histogram, {"histogram", {20}, {128}, {in, bins, most}});
}

TEST_F(KernelTest, FloatAtomicsTakeSubnormalsAsZeroInGlobalMemoryOnly) {
  build();
  const auto out = allocate(8);
  compare(subnormals, {"subnormals", {1}, {1}, {out}});
}

TEST_F(KernelTest, AtomicsOf128Bits) {
  build();
  const auto out = allocate(32);
  compare(wide_atomics, {"wide_atomics", {6}, {64}, {out}});
  // All threads were counted in both halves.
  EXPECT_EQ(*at<std::uint64_t>(out), 6U * (63 * 64 / 2));
  EXPECT_EQ(*at<std::uint64_t>(out + 8), 64U * 1000003 * 15);
}

TEST_F(KernelTest, VectorsOf256Bits) {
  build();
  const auto in = allocate(32 * 192, true), out = allocate(32 * 192, true), sums = allocate(16);
  compare(wide_vectors, {"wide_vectors", {3}, {64}, {in, out, sums}});
  EXPECT_GT(statistic("sm0.atomics"), 0);
}

TEST_F(KernelTest, LocalConstantAndVectorAccesses) {
  build();
  const auto in = allocate(16 * 192, true), out = allocate(16 * 192);
  compare(spaces, {"spaces", {3}, {64}, {in, out}});
  EXPECT_GT(statistic("sm0.constant_misses"), 0);
  EXPECT_GT(statistic("sm0.local_accesses"), 0);
}

TEST_F(KernelTest, BarriersWithCountsArrivalsAndReductions) {
  build();
  const auto out = allocate(64 * 4);
  compare(barriers, {"barriers", {1}, {64}, {out}});
}

}  // namespace
}  // namespace syncline::tests
