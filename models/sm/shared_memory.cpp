#include "models/sm/shared_memory.h"

#include <cstring>

#include "isa/lanes/atomic_value.h"
#include "models/sm/lane_values.h"

namespace syncline::models {
namespace {

bool perform_atomic(isa::MemoryAccess& access, unsigned lane, std::vector<std::uint8_t>& bytes) {
  bool changed = false;
  for (unsigned element = 0; element < access.elements; ++element) {
    std::uint8_t* const place = bytes.data() + access.address[lane] + element * access.element_bytes;
    std::uint8_t* const operand = access.data.data() + lane * access.stride + element * access.element_bytes;
    // atom.cas: the first operand is what the location is compared with, the second what it becomes.
    isa::update_atomic(access.atomic, access.type, access.ftz, place, operand,
                       access.compare.data() + lane * isa::MemoryAccess::compare_bytes, operand);
    changed = changed || std::memcmp(place, operand, access.element_bytes) != 0;
  }
  return changed;
}

}  // namespace

bool perform_shared(isa::MemoryAccess& access, std::vector<std::uint8_t>& bytes) {
  bool changed = false;
  std::uint8_t* const values = access.data.data();
  std::uint8_t* const memory = bytes.data();
  switch (access.kind) {
    case isa::AccessKind::load:
      with_size(access.stride, [&](auto size) {
        const auto load = [&](unsigned lane) {
          std::memcpy(values + lane * size, memory + access.address[lane], size);
        };
        const auto load_some = [&](unsigned first, isa::LaneShape shape) {
          load_together(values + first * size, memory + access.address[first], shape, size);
        };
        visit_shapes(access.shape.data(), access.lanes, load_some, load);
      });
      break;
    case isa::AccessKind::store:
      with_size(access.stride, [&](auto size) {
        const auto store = [&](unsigned lane) {
          std::memcpy(memory + access.address[lane], values + lane * size, size);
        };
        const auto store_some = [&](unsigned first, isa::LaneShape shape) {
          store_together(memory + access.address[first], values + first * size, shape, size);
        };
        visit_shapes(access.shape.data(), access.lanes, store_some, store);
      });
      changed = true;
      break;
    case isa::AccessKind::atomic:
    case isa::AccessKind::reduction:
      base::for_each_lane(access.lanes, [&](unsigned lane) {
        if (perform_atomic(access, lane, bytes)) changed = true;
      });
      break;
    case isa::AccessKind::prefetch:
      break;
  }
  return changed;
}

}  // namespace syncline::models
