#include "models/atomic_unit/atomic_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/error.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::models {

bool apply_atomics(Message& message, base::LineData& line) {
  bool changed = false;
  const unsigned bytes = isa::type_bytes(message.atomic_type);
  for (unsigned i = 0; i < message.atomic_count; ++i) {
    AtomicLane& lane = message.atomics[i];
    if (bytes == 0 || lane.offset % bytes != 0 || lane.offset + bytes > base::max_line_bytes)
      throw base::ModelError(fmt::format("atomic of {} bytes at offset {} of line {:#x}, lane {}", bytes, lane.offset,
                                         message.line.value(), lane.lane));
    AtomicValue old;
    isa::update_atomic(message.atomic, message.atomic_type, message.ftz, line.data() + lane.offset, lane.operand.data(),
                       lane.compare.data(), old.data());
    changed = changed || std::memcmp(old.data(), line.data() + lane.offset, bytes) != 0;
    message.mask.set(lane.offset, bytes);
    if (message.returns_value) lane.operand = old;
  }
  return changed;
}

AtomicContention atomic_contention(const Message& message) {
  AtomicContention contention;
  contention.lanes = message.atomic_count;
  std::array<std::uint8_t, base::max_line_bytes> hits{};
  for (unsigned i = 0; i < message.atomic_count; ++i) {
    const unsigned count = ++hits[message.atomics[i].offset % base::max_line_bytes];
    contention.worst_address = std::max(contention.worst_address, count);
  }
  return contention;
}

base::Cycle AtomicUnit::occupancy(const AtomicContention& contention) const {
  const auto rounds = [](unsigned operations, std::uint32_t rate) { return (operations + rate - 1) / rate; };
  return std::max<base::Cycle>(1, std::max(rounds(contention.worst_address, spec_.same_address_rate),
                                           rounds(contention.lanes, spec_.line_rate)));
}

base::Cycle AtomicUnit::reserve(const Message& message, base::Cycle cycle) {
  const AtomicContention contention = atomic_contention(message);
  const base::Cycle start = std::max(cycle, free_at_);
  const base::Cycle busy = occupancy(contention);
  free_at_ = start + busy;
  requests_.add();
  operations_.add(contention.lanes);
  busy_cycles_.add(busy);
  contention_.sample(contention.worst_address);
  queueing_.sample(start - cycle);
  return free_at_ - 1 + spec_.latency;
}

}  // namespace syncline::models
