// The policies of coherence among those of all families: their machines stand in the caches, and nothing at the seams
// of a package, but they are listed, described and chosen as the others.
#pragma once

#include <vector>

namespace syncline::protocols {
struct CoherenceEntry;
}

namespace syncline::platform {

class Package;

/// One for each entry of protocols/coherence/registry.h, in its order.
std::vector<const Package*> coherence_packages();
/// A new one for `entry`, which, like the result, stays.
const Package& coherence_package(const protocols::CoherenceEntry& entry);

}  // namespace syncline::platform
