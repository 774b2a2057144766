// How messages of observers name a warp.
#pragma once

#include <string>

#include "models/sm/seams/warp_events.h"

namespace syncline::platform {

/// "SM 0, slot 1 (grid 2, CTA (3, 0, 0), warp 1)"
std::string name_of(const models::WarpIdentity& warp);

}  // namespace syncline::platform
