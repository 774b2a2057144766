#include "models/gpudet/shared_races.h"

#include <algorithm>

#include "base/lane_mask.h"

namespace syncline::models {

bool SharedRaces::access(unsigned warp, const isa::MemoryAccess& access) {
  Kind kind = Kind::write;
  if (access.kind == isa::AccessKind::load) kind = Kind::read;
  if (access.kind == isa::AccessKind::reduction) kind = Kind::reduction;
  bool races = false;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    for (std::uint64_t word = access.address[lane] / 4; word <= (access.address[lane] + access.stride - 1) / 4;
         ++word) {
      if (word >= words_.size()) words_.resize(word + 1);
      Word& known = words_[word];
      if (known.interval != interval_) {
        known = {interval_, static_cast<std::uint16_t>(warp), false, kind};
        continue;
      }
      if (known.warp != warp) known.several = true;
      const bool alike = known.kind == kind && kind != Kind::write;
      races = races || (known.several && !alike);
      if (!alike) known.kind = Kind::write;  // from now on whatever another warp does is a race
      known.warp = static_cast<std::uint16_t>(warp);
    }
  });
  return races;
}

}  // namespace syncline::models
