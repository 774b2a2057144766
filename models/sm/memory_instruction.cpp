#include "models/sm/memory_instruction.h"

#include <cstring>

#include "models/sm/lane_values.h"

namespace syncline::models {
namespace {

/// Calls `copy(line offset, value offset)` for each lane of the part, or `copy_together(line offset, first value's
/// offset, shape)` for sixteen whose values lie as lanes do.
template <class CopyTogether, class Copy>
void for_each_place(const MemoryInstruction& instruction, const LinePart& part, CopyTogether&& copy_together,
                    Copy&& copy) {
  const std::uint64_t* const addresses = instruction.addresses();
  const std::uint64_t base = part.line.value() - std::uint64_t{part.data_offset} * instruction.shift_per_byte;
  const isa::MemoryAccess& access = instruction.access;
  const auto one = [&](unsigned lane) {
    copy(static_cast<unsigned>(addresses[lane] - base), lane * access.stride + part.data_offset);
  };
  if (addresses != access.address.data() || part.lane_bytes != access.stride)
    return base::for_each_lane(part.lanes, one);
  visit_shapes(
      access.shape.data(), part.lanes,
      [&](unsigned first, isa::LaneShape shape) {
        copy_together(static_cast<unsigned>(addresses[first] - base), first * access.stride, shape);
      },
      one);
}

}  // namespace

void scatter(MemoryInstruction& instruction, const LinePart& part, const base::LineData& line) {
  std::uint8_t* const values = instruction.access.data.data();
  with_size(part.lane_bytes, [&](auto bytes) {
    const auto copy = [&](unsigned at, unsigned value) { std::memcpy(values + value, line.data() + at, bytes); };
    const auto copy_together = [&](unsigned at, unsigned value, isa::LaneShape shape) {
      load_together(values + value, line.data() + at, shape, bytes);
    };
    for_each_place(instruction, part, copy_together, copy);
  });
}

void gather(const MemoryInstruction& instruction, const LinePart& part, base::LineData& line) {
  const std::uint8_t* const values = instruction.access.data.data();
  with_size(part.lane_bytes, [&](auto bytes) {
    const auto copy = [&](unsigned at, unsigned value) { std::memcpy(line.data() + at, values + value, bytes); };
    const auto copy_together = [&](unsigned at, unsigned value, isa::LaneShape shape) {
      store_together(line.data() + at, values + value, shape, bytes);
    };
    for_each_place(instruction, part, copy_together, copy);
  });
}

void gather_atomics(const MemoryInstruction& instruction, const LinePart& part, Message& message) {
  const isa::MemoryAccess& access = instruction.access;
  message.atomic_count = 0;
  base::for_each_lane(part.lanes, [&](unsigned lane) {
    for (unsigned byte = 0; byte < part.lane_bytes; byte += access.element_bytes) {
      AtomicLane& atomic = message.atomics[message.atomic_count++];
      atomic = {};
      atomic.lane = static_cast<std::uint8_t>(lane);
      atomic.offset = static_cast<std::uint8_t>(instruction.address_in(part, lane) - part.line.value() + byte);
      std::memcpy(atomic.operand.data(), access.data.data() + lane * access.stride + part.data_offset + byte,
                  access.element_bytes);
      if (access.atomic == isa::AtomicOp::cas)
        std::memcpy(atomic.compare.data(), access.compare.data() + lane * isa::MemoryAccess::compare_bytes,
                    access.element_bytes);
    }
  });
}

void scatter_atomics(MemoryInstruction& instruction, const LinePart& part, const Message& message) {
  isa::MemoryAccess& access = instruction.access;
  for (unsigned i = 0; i < message.atomic_count; ++i) {
    const AtomicLane& atomic = message.atomics[i];
    const auto first = static_cast<unsigned>(instruction.address_in(part, atomic.lane) - part.line.value());
    std::memcpy(access.data.data() + atomic.lane * access.stride + part.data_offset + (atomic.offset - first),
                atomic.operand.data(), access.element_bytes);
  }
}

}  // namespace syncline::models
