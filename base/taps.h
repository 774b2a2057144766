// Whether blocks have taps: where they ask whether somebody listens to them.
#pragma once

#include "base/error.h"

namespace syncline::base {

/// They have, but in a build with SYNCLINE_TAPS=OFF, which exists to measure what asking costs (benchmarks/taps.sh).
#ifdef SYNCLINE_WITHOUT_TAPS
inline constexpr bool has_taps = false;
#else
inline constexpr bool has_taps = true;
#endif

/// Whoever begins to listen says so. UserError in a build without taps.
inline void require_taps() {
  if constexpr (!has_taps) throw UserError("this build has no taps (SYNCLINE_TAPS=OFF): nobody can listen to blocks");
}

}  // namespace syncline::base
