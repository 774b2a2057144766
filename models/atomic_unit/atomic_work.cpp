#include "models/atomic_unit/atomic_work.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/lanes/atomic_value.h"

namespace syncline::models {

base::ByteMask AtomicWork::bytes() const {
  base::ByteMask touched;
  const unsigned size = isa::type_bytes(type);
  for (unsigned i = 0; i < count; ++i) touched.set(lanes[i].offset, size);
  return touched;
}

AtomicWork& atomic_work_of(const tlm::tlm_generic_payload& payload) {
  AtomicWork* const work = payload.get_extension<AtomicWork>();
  if (work == nullptr) throw base::ModelError("an atomic unit got a payload that says nothing of an atomic");
  return *work;
}

void apply_atomics(AtomicWork& work, std::uint8_t* line, unsigned length) {
  const unsigned size = isa::type_bytes(work.type);
  for (unsigned i = 0; i < work.count; ++i) {
    const AtomicLane& lane = work.lanes[i];
    if (size == 0 || lane.offset % size != 0 || lane.offset + size > length)
      throw base::ModelError(fmt::format("atomic of {} bytes at offset {} of a line of {}, lane {}", size, lane.offset,
                                         length, lane.lane));
    isa::update_atomic(work.operation, work.type, work.ftz, line + lane.offset, lane.operand.data(),
                       lane.compare.data(), work.old[i].data());
  }
}

unsigned worst_address(const AtomicLane* lanes, unsigned count) {
  unsigned worst = 0;
  std::array<std::uint8_t, base::max_line_bytes> hits{};
  for (unsigned i = 0; i < count; ++i)
    worst = std::max<unsigned>(worst, ++hits[lanes[i].offset % base::max_line_bytes]);
  return worst;
}

}  // namespace syncline::models
