#include "models/sm/coalescer.h"

#include <array>

namespace syncline::models {
namespace {

/// Lanes of `group` only; parts before `begin` belong to other groups or other bytes and are not joined.
void coalesce_group(unsigned segment_bytes, unsigned line_bytes, base::LaneMask group, const std::uint64_t* address,
                    unsigned lane_bytes, unsigned data_offset, std::size_t begin, std::vector<LinePart>& parts) {
  const std::uint64_t segment_mask = ~std::uint64_t{segment_bytes - 1};
  const std::uint64_t line_mask = ~std::uint64_t{line_bytes - 1};
  LinePart* current = nullptr;
  std::uint64_t current_segment = 0;
  base::for_each_lane(group, [&](unsigned lane) {
    const std::uint64_t segment = address[lane] & segment_mask;
    if (current == nullptr || segment != current_segment) {
      current = nullptr;
      for (std::size_t i = begin; i < parts.size(); ++i) {
        if (parts[i].line.value() == (segment & line_mask) &&
            parts[i].mask.overlaps(base::ByteMask::range(static_cast<unsigned>(segment & ~line_mask), segment_bytes))) {
          current = &parts[i];
          break;
        }
      }
      if (current == nullptr) {
        parts.emplace_back();
        current = &parts.back();
        current->line = base::LineAddress(segment & line_mask);
        current->lane_bytes = static_cast<std::uint8_t>(lane_bytes);
        current->data_offset = static_cast<std::uint8_t>(data_offset);
      }
      current_segment = segment;
    }
    current->lanes |= base::lane_bit(lane);
    current->mask.set(static_cast<unsigned>(address[lane] & ~line_mask), lane_bytes);
  });
}

}  // namespace

const base::ChoiceTable<CoalesceMode>& coalesce_modes() {
  static const base::ChoiceTable<CoalesceMode> table = {
      {"warp", CoalesceMode::warp}, {"half_warp", CoalesceMode::half_warp}, {"lane", CoalesceMode::lane}};
  return table;
}

void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, base::LaneMask lanes,
              const std::uint64_t* address, unsigned lane_bytes, unsigned data_offset, std::vector<LinePart>& parts) {
  const unsigned segment = spec.segment_bytes < line_bytes ? spec.segment_bytes : line_bytes;
  const auto group = [&](base::LaneMask part) {
    if (part != 0) coalesce_group(segment, line_bytes, part, address, lane_bytes, data_offset, parts.size(), parts);
  };
  switch (spec.mode) {
    case CoalesceMode::warp:
      group(lanes);
      break;
    case CoalesceMode::half_warp: {
      const base::LaneMask low = base::all_lanes(warp_size / 2);
      group(lanes & low);
      group(lanes & ~low);
      break;
    }
    case CoalesceMode::lane:
      base::for_each_lane(lanes, [&](unsigned lane) { group(base::lane_bit(lane)); });
      break;
  }
}

void coalesce(const CoalescerSpec& spec, unsigned line_bytes, unsigned warp_size, const isa::MemoryAccess& access,
              std::vector<LinePart>& parts) {
  if ((access.atomic == isa::AtomicOp::none || access.elements == 1) && access.skipped == 0) {
    coalesce(spec, line_bytes, warp_size, access.lanes, access.address.data(), access.stride, 0, parts);
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
