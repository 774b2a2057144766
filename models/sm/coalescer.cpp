#include "models/sm/coalescer.h"

#include <array>

#include "models/sm/lane_values.h"

namespace syncline::models {
namespace {

/// What lanes at raw addresses are known to lie like.
constexpr std::array<isa::LaneShape, base::max_lanes / isa::MemoryAccess::shape_lanes> no_shapes{};

struct LaneBytes {
  const std::uint64_t* address;
  const isa::LaneShape* shapes;
  unsigned bytes;        ///< of each lane
  unsigned data_offset;  ///< LinePart
};

/// Lanes of `group` only; parts before `begin` belong to other groups or other bytes and are not joined.
void coalesce_group(unsigned segment_bytes, unsigned line_bytes, base::LaneMask group, const LaneBytes& lanes,
                    std::size_t begin, std::vector<LinePart>& parts) {
  const std::uint64_t segment_mask = ~std::uint64_t{segment_bytes - 1};
  const std::uint64_t line_mask = ~std::uint64_t{line_bytes - 1};
  LinePart* current = nullptr;
  std::uint64_t current_segment = 0;
  const auto part_of = [&](std::uint64_t segment) -> LinePart& {
    if (current != nullptr && segment == current_segment) return *current;
    current_segment = segment;
    for (std::size_t i = begin; i < parts.size(); ++i) {
      current = &parts[i];
      if (current->line.value() == (segment & line_mask) &&
          current->mask.overlaps(base::ByteMask::range(static_cast<unsigned>(segment & ~line_mask), segment_bytes)))
        return *current;
    }
    current = &parts.emplace_back();
    current->line = base::LineAddress(segment & line_mask);
    current->lane_bytes = static_cast<std::uint8_t>(lanes.bytes);
    current->data_offset = static_cast<std::uint8_t>(lanes.data_offset);
    return *current;
  };
  const auto join = [&](unsigned lane) {
    LinePart& part = part_of(lanes.address[lane] & segment_mask);
    part.lanes |= base::lane_bit(lane);
    part.mask.set(static_cast<unsigned>(lanes.address[lane] & ~line_mask), lanes.bytes);
  };
  const auto join_together = [&](unsigned first, isa::LaneShape) {
    constexpr unsigned size = isa::MemoryAccess::shape_lanes;
    const std::uint64_t low = lanes.address[first], high = lanes.address[first + size - 1];
    if (((low ^ high) & segment_mask) != 0) return base::for_each_lane(base::all_lanes(size) << first, join);
    LinePart& part = part_of(low & segment_mask);
    part.lanes |= base::all_lanes(size) << first;
    part.mask.set(static_cast<unsigned>(low & ~line_mask), static_cast<unsigned>(high - low) + lanes.bytes);
  };
  visit_shapes(lanes.shapes, group, join_together, join);
}

void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, base::LaneMask active,
              const LaneBytes& lanes, std::vector<LinePart>& parts) {
  const unsigned segment = spec.segment_bytes < line_bytes ? spec.segment_bytes : line_bytes;
  const auto group = [&](base::LaneMask part) {
    if (part != 0) coalesce_group(segment, line_bytes, part, lanes, parts.size(), parts);
  };
  switch (spec.mode) {
    case CoalesceMode::warp:
      group(active);
      break;
    case CoalesceMode::half_warp: {
      const base::LaneMask low = base::all_lanes(warp_size / 2);
      group(active & low);
      group(active & ~low);
      break;
    }
    case CoalesceMode::lane:
      base::for_each_lane(active, [&](unsigned lane) { group(base::lane_bit(lane)); });
      break;
  }
}

}  // namespace

const base::ChoiceTable<CoalesceMode>& coalesce_modes() {
  static const base::ChoiceTable<CoalesceMode> table = {
      {"warp", CoalesceMode::warp}, {"half_warp", CoalesceMode::half_warp}, {"lane", CoalesceMode::lane}};
  return table;
}

void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, base::LaneMask lanes,
              const std::uint64_t* address, unsigned lane_bytes, unsigned data_offset, std::vector<LinePart>& parts) {
  coalesce(spec, line_bytes, warp_size, lanes, {address, no_shapes.data(), lane_bytes, data_offset}, parts);
}

void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, const isa::MemoryAccess& access,
              std::vector<LinePart>& parts) {
  if ((access.atomic == isa::AtomicOp::none || access.elements == 1) && access.skipped == 0) {
    coalesce(spec, line_bytes, warp_size, access.lanes, {access.address.data(), access.shape.data(), access.stride, 0},
             parts);
    return;
  }
  std::array<std::uint64_t, base::max_lanes> address;
  for (unsigned element = 0; element < access.elements; ++element) {
    if ((access.skipped >> element & 1U) != 0) continue;
    const unsigned offset = element * access.element_bytes;
    base::for_each_lane(access.lanes, [&](unsigned lane) { address[lane] = access.address[lane] + offset; });
    coalesce(spec, line_bytes, warp_size, access.lanes, address.data(), access.element_bytes, offset, parts);
  }
}

}  // namespace syncline::models
