// Addresses of a warp's lanes, their shape, and which of them are bad: every build against lane after lane.
#include "isa/exec/lane_addresses.h"
#include "tests/unit/lanes/lane_harness.h"

namespace syncline::isa::test {
namespace {

/// Base registers and addresses with room before them, so that neither lies at a multiple of a vector.
struct Buffers {
  alignas(64) std::uint64_t base[kernel_lanes + 1];
  alignas(64) std::uint64_t address[kernel_lanes + 1];
};

std::uint64_t random_step(std::mt19937_64& random, unsigned bytes) {
  const std::uint64_t steps[] = {0, bytes, bytes, 2 * std::uint64_t{bytes}, random()};
  return steps[random() % 5];
}

/// Sixteen lanes at a time lie at even steps, and often one of them somewhere else.
void fill(std::mt19937_64& random, unsigned bytes, std::uint64_t* lanes) {
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t first = random() >> random() % 64, step = random_step(random, bytes);
    for (unsigned lane = 0; lane < 16; ++lane) lanes[half * 16 + lane] = first + lane * step;
    if (random() % 3 == 0) lanes[half * 16 + random() % 16] += std::uint64_t{1} << random() % 64;
  }
}

bool lie_apart(const std::uint64_t* address, std::uint64_t step) {
  for (unsigned lane = 0; lane < 16; ++lane)
    if (address[lane] != address[0] + lane * step) return false;
  return true;
}

/// `bytes_of_base`: 4 for 32-bit registers.
void compare(std::mt19937_64& random, unsigned bytes_of_base, unsigned shift) {
  const unsigned bytes = 1u << random() % 5;
  std::uint64_t lanes[kernel_lanes];
  fill(random, bytes, lanes);
  Buffers buffers;
  auto* const base = reinterpret_cast<unsigned char*>(buffers.base) + shift * bytes_of_base;
  std::uint64_t* const address = buffers.address + shift;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    std::memcpy(base + lane * bytes_of_base, &lanes[lane], bytes_of_base);
  const std::uint64_t offset = random() % 2 == 0 ? random() % 256 : random();

  const AddressShape shape = address_kernels().compute({base, offset, bytes_of_base == 4}, bytes, address);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    const std::uint64_t sum = lanes[lane] + offset;
    ASSERT_EQ(address[lane], bytes_of_base == 4 ? static_cast<std::uint32_t>(sum) : sum) << "lane " << lane;
  }
  for (unsigned half = 0; half < 2; ++half) {
    ASSERT_EQ(shape[half] == LaneShape::uniform, lie_apart(address + half * 16, 0)) << "half " << half;
    ASSERT_EQ(shape[half] == LaneShape::contiguous, lie_apart(address + half * 16, bytes)) << "half " << half;
  }

  const std::uint64_t begin = address[random() % kernel_lanes] - random() % 256, room = random() % 1024;
  std::uint32_t bad = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    bad |= std::uint32_t{address[lane] - begin > room || address[lane] % bytes != 0} << lane;
  ASSERT_EQ(address_kernels().bad_lanes(address, begin, room, bytes), bad);
}

TEST(Addresses, AreWhatLaneAfterLaneGives) {
  const LaneIsa before = selected_lane_isa();
  for (const LaneIsa isa : runnable_builds()) {
    SCOPED_TRACE(build_name(isa));
    select_lane_isa(isa);
    std::mt19937_64 random(7);
    for (unsigned trial = 0; trial < 4000 && !HasFatalFailure(); ++trial) {
      for (const unsigned bytes_of_base : {4u, 8u})
        for (const unsigned shift : {0u, 1u}) compare(random, bytes_of_base, shift);
    }
  }
  select_lane_isa(before);
}

}  // namespace
}  // namespace syncline::isa::test
