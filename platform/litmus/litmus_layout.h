// Where the threads of a litmus test run: copies of the test, side by side on the SMs of a machine.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "consistency/program.h"

namespace syncline::platform {

/// The place of one thread within a copy of its test.
struct LitmusRole {
  unsigned sm = 0;     ///< of the copy, from 0: CTAs have an SM of their own unless the test says which they share
  unsigned layer = 0;  ///< of the CTA among those of its SM
  unsigned warp = 0;   ///< of the thread in its CTA
};

/// The grid is a table of `layers` rows with a CTA for each SM; a copy takes neighbouring columns. CTAs are dealt to
/// the SMs in turn (work_distributor.placement: first_free), and the kernel reports where it ran.
class LitmusLayout {
 public:
  /// For a machine of `sms` SMs. A test that asks for more SMs shares those that there are.
  LitmusLayout(const consistency::Program& program, unsigned sms);

  const std::vector<LitmusRole>& roles() const { return roles_; }
  unsigned sms_per_copy() const { return sms_per_copy_; }
  unsigned copies() const { return copies_; }
  unsigned ctas() const { return layers_ * sms_; }
  unsigned warps_per_cta() const { return warps_; }

  /// Who runs as warp `warp` of CTA `cta`: the copy and the thread; nothing for a place that stays empty.
  struct Actor {
    unsigned copy, thread;
  };
  std::optional<Actor> actor(unsigned cta, unsigned warp) const;

 private:
  unsigned sms_;
  std::vector<LitmusRole> roles_;  ///< by thread
  unsigned sms_per_copy_ = 1, copies_ = 1, layers_ = 1, warps_ = 1;
};

}  // namespace syncline::platform
