// Where the threads of a litmus test run: copies of the test, side by side on the SMs of a machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "consistency/program.h"

namespace syncline::platform {

/// SMs as the layout has to know them: those of a GPU, and of a module, are neighbours, and all have the same many.
struct LitmusSms {
  unsigned sms = 1;
  unsigned gpus = 1;
  unsigned modules = 1;  ///< of which each is dealt a part of the grid, of neighbouring CTAs

  unsigned per_gpu() const { return sms / gpus; }
};

/// The place of one thread within a copy of its test.
struct LitmusRole {
  unsigned gpu = 0;  ///< of the copy, from 0
  unsigned sm = 0;  ///< of those of the copy on this GPU: CTAs have an SM of their own unless the test says which share
  unsigned layer = 0;  ///< of the CTA among those of its SM
  unsigned warp = 0;   ///< of the thread in its CTA
};

/// The grid is a table of `layers` rows with a CTA for each SM; a copy takes neighbouring columns, the same many on as
/// many neighbouring GPUs as its test names. CTAs are dealt to the SMs of each module in turn
/// (work_distributor.placement: first_free), and the kernel reports where it ran.
class LitmusLayout {
 public:
  /// A test that asks for more SMs of a GPU shares those that there are. ModelError for one that asks for more GPUs.
  LitmusLayout(const consistency::Program& program, const LitmusSms& machine);

  const std::vector<LitmusRole>& roles() const { return roles_; }
  unsigned sms_per_copy() const { return width_ * gpus_of_copy_; }
  unsigned copies() const { return columns_ * (machine_.gpus / gpus_of_copy_); }
  unsigned ctas() const { return layers_ * machine_.sms; }
  unsigned warps_per_cta() const { return warps_; }

  /// Who runs as warp `warp` of CTA `cta`: the copy and the thread; nothing for a place that stays empty.
  struct Actor {
    unsigned copy, thread;
  };
  std::optional<Actor> actor(unsigned cta, unsigned warp) const;

 private:
  LitmusSms machine_;
  std::vector<LitmusRole> roles_;  ///< by thread
  unsigned gpus_of_copy_ = 1;
  unsigned width_ = 1;    ///< SMs of a copy on each of its GPUs
  unsigned columns_ = 1;  ///< copies beside each other on a GPU
  unsigned layers_ = 1, warps_ = 1;
};

}  // namespace syncline::platform
