// Units that stand before the L2 slices for more than one policy.
#pragma once

#include "platform/packages/package.h"

namespace syncline::platform {

/// models/z_unit, which orders writes by depth, with depths behind the data of its partition.
UnitRequest z_unit(const PlatformSpec& spec);

}  // namespace syncline::platform
