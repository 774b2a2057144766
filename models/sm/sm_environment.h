// The special registers whose values an SM provides while a warp executes.
#pragma once

#include <systemc>

#include <cstdint>

#include "base/ids.h"
#include "isa/exec/warp.h"
#include "models/clock/turn.h"

namespace syncline::models {

class SmEnvironment final : public isa::Environment {
 public:
  SmEnvironment(base::SmId sm, unsigned sms, unsigned warps) : sm_(sm), sms_(sms), warps_(warps) {}
  /// The warp at `place` executes at `cycle`.
  void enter(unsigned place, base::Cycle cycle) {
    place_ = place;
    cycle_ = cycle;
  }
  std::uint64_t clock() override { return cycle_; }
  std::uint64_t globaltimer() override { return now_ps() / 1000; }
  std::uint32_t smid() override { return sm_.value(); }
  std::uint32_t nsmid() override { return sms_; }
  std::uint32_t warpid() override { return place_; }
  std::uint32_t nwarpid() override { return warps_; }

 private:
  base::SmId sm_;
  unsigned sms_, warps_, place_ = 0;
  base::Cycle cycle_ = 0;
};

}  // namespace syncline::models
