// What is known of how lanes lie to each other saves time, and changes nothing.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <numeric>

#include "models/sm/bank_conflicts.h"
#include "models/sm/coalescer.h"
#include "models/sm/lane_values.h"
#include "models/sm/memory_instruction.h"
#include "models/sm/shared_memory.h"

namespace syncline::models {
namespace {

constexpr unsigned group_lanes = isa::MemoryAccess::shape_lanes;

/// Within the 4096 bytes before `base + 4096`, in groups of all shapes; perhaps not all lanes take part.
isa::MemoryAccess any_access(std::uint64_t base) {
  isa::MemoryAccess access;
  const unsigned bytes = *rc::gen::element(1u, 2u, 4u, 8u, 16u);
  access.element_bytes = access.stride = static_cast<std::uint8_t>(bytes);
  access.lanes = *rc::gen::arbitrary<bool>() ? base::all_lanes(32) : *rc::gen::inRange<base::LaneMask>(1, 1ull << 32);
  for (unsigned group = 0; group < 2; ++group) {
    const std::uint64_t room = 4096 - group_lanes * bytes;
    const auto place = [&] { return base + *rc::gen::inRange<std::uint64_t>(0, room / bytes + 1) * bytes; };
    const std::uint64_t first = place();
    access.shape[group] = *rc::gen::element(isa::LaneShape::any, isa::LaneShape::uniform, isa::LaneShape::contiguous);
    for (unsigned lane = 0; lane < group_lanes; ++lane)
      access.address[group * group_lanes + lane] = access.shape[group] == isa::LaneShape::any ? place()
                                                   : access.shape[group] == isa::LaneShape::uniform
                                                       ? first
                                                       : first + lane * bytes;
  }
  std::iota(access.data.begin(), access.data.end(), std::uint8_t{1});
  return access;
}

isa::MemoryAccess without_shapes(isa::MemoryAccess access) {
  access.shape = {};
  return access;
}

RC_GTEST_PROP(LaneShapes, DoNotChangeRanges, ()) {
  const isa::MemoryAccess access = any_access(0);
  const AddressRange one = address_range(access, access.lanes);
  const AddressRange other = address_range(without_shapes(access), access.lanes);
  RC_ASSERT(one.low == other.low);
  RC_ASSERT(one.high == other.high);
  RC_ASSERT((one.bits & (access.stride - 1u)) == (other.bits & (access.stride - 1u)));
}

RC_GTEST_PROP(LaneShapes, DoNotChangeWhatSharedMemoryDoes, ()) {
  isa::MemoryAccess access = any_access(0);
  access.kind = *rc::gen::element(isa::AccessKind::load, isa::AccessKind::store);
  isa::MemoryAccess other = without_shapes(access);
  const BankGeometry banks{*rc::gen::element(16u, 32u), 4};
  RC_ASSERT(shared_passes(access, access.lanes, banks, 32) == shared_passes(other, other.lanes, banks, 32));
  std::vector<std::uint8_t> bytes(4096);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{7});
  std::vector<std::uint8_t> same = bytes;
  RC_ASSERT(perform_shared(access, bytes) == perform_shared(other, same));
  RC_ASSERT(bytes == same);
  RC_ASSERT(access.data == other.data);
}

RC_GTEST_PROP(LaneShapes, DoNotChangeLinesOrWhatIsCopied, ()) {
  CoalescerSpec spec;
  spec.segment_bytes = *rc::gen::element(32u, 64u, 128u);
  spec.mode = *rc::gen::element(CoalesceMode::warp, CoalesceMode::half_warp, CoalesceMode::lane);
  MemoryInstruction one, other;
  one.access = any_access(0x1000);
  other.access = without_shapes(one.access);
  for (MemoryInstruction* const instruction : {&one, &other}) {
    instruction->shift_per_byte = 1;
    coalesce(spec, 128, 32, instruction->access, instruction->parts);
  }
  RC_ASSERT(one.parts.size() == other.parts.size());
  for (std::size_t i = 0; i < one.parts.size(); ++i) {
    RC_ASSERT(one.parts[i].line == other.parts[i].line);
    RC_ASSERT(one.parts[i].lanes == other.parts[i].lanes);
    RC_ASSERT(one.parts[i].mask == other.parts[i].mask);
    base::LineData line{}, same{};
    gather(one, one.parts[i], line);
    gather(other, other.parts[i], same);
    RC_ASSERT(line == same);
    std::iota(line.begin(), line.end(), std::uint8_t{99});
    scatter(one, one.parts[i], line);
    scatter(other, other.parts[i], line);
    RC_ASSERT(one.access.data == other.access.data);
  }
}

}  // namespace
}  // namespace syncline::models
