#include "platform/observe/warp_name.h"

#include <fmt/format.h>

namespace syncline::platform {

std::string name_of(const models::WarpIdentity& w) {
  return fmt::format("SM {}, slot {} (grid {}, CTA ({}, {}, {}), warp {})", w.sm.value(), w.slot, w.grid.value(),
                     w.cta.x, w.cta.y, w.cta.z, w.index);
}

}  // namespace syncline::platform
