#include "models/transactions/kept_accesses.h"

#include <algorithm>

namespace syncline::models {

KeptAccesses::Number KeptAccesses::keep(const LaneOffer& offer, base::LaneMask lanes) {
  const isa::MemoryAccess& access = offer.access();
  const Number number = kept_.take();
  numbers_ = std::max(numbers_, number + 1);
  Kept& kept = kept_[number];
  kept.ticket = offer.ticket();
  kept.slot = offer.warp().slot;
  kept.loads = access.kind == isa::AccessKind::load;
  kept.stride = access.stride;
  kept.pieces = 0;
  kept.lanes = lanes;
  base::for_each_lane(lanes, [&](unsigned lane) {
    kept.waits[lane] = 0;
    kept.known[lane] = 0;
    kept.address[lane] = access.address[lane];
  });
  return number;
}

void KeptAccesses::put(Number number, unsigned lane, const std::uint8_t* values, std::uint32_t bytes) {
  Kept& kept = kept_[number];
  kept.known[lane] |= bytes;
  for (unsigned byte = 0; byte < kept.stride; ++byte) {
    if ((bytes >> byte & 1U) != 0) kept.values[lane * kept.stride + byte] = values[byte];
  }
}

void KeptAccesses::await(Number number, base::LaneMask lanes) {
  Kept& kept = kept_[number];
  ++kept.pieces;
  base::for_each_lane(lanes, [&](unsigned lane) { ++kept.waits[lane]; });
}

void KeptAccesses::arrived(Number number, base::LaneMask lanes, base::LineAddress line, const base::ByteMask& mask,
                           const base::LineData& data, base::Cycle now) {
  Kept& kept = kept_[number];
  base::for_each_lane(lanes & kept.lanes, [&](unsigned lane) {
    for (unsigned byte = 0; byte < kept.stride; ++byte) {
      const std::uint64_t at = kept.address[lane] + byte - line.value();
      const bool comes = at < base::max_line_bytes && mask.test(static_cast<unsigned>(at));
      if (comes && (kept.known[lane] >> byte & 1U) == 0) kept.values[lane * kept.stride + byte] = data[at];
    }
  });
  arrived(number, lanes, now);
}

void KeptAccesses::arrived(Number number, base::LaneMask lanes, base::Cycle now) {
  Kept& kept = kept_[number];
  --kept.pieces;
  base::LaneMask done = 0;
  base::for_each_lane(lanes, [&](unsigned lane) {
    if (--kept.waits[lane] == 0) done |= base::lane_bit(lane);
  });
  done &= kept.lanes;
  kept.lanes &= ~done;
  if (done != 0) chain_->answer(stage_, kept.ticket, done, kept.loads ? kept.values.data() : nullptr, now);
  if (kept_[number].pieces == 0) kept_.release(number);
}

void KeptAccesses::aborted(unsigned slot, base::LaneMask lanes) {
  for (Number number = 0; number < numbers_; ++number) {
    if (kept_[number].slot == slot) kept_[number].lanes &= ~lanes;
  }
}

}  // namespace syncline::models
