// A coherent policy for tests of the hosts: write-through with invalidations, four virtual networks, sharer sets, acks
// at the home and recalls of lines that others hold. It uses what `none` leaves alone: messages that the home begins,
// broadcasts, acknowledgement counts, stalls by the protocol, and lines that live on in a miss register.
#pragma once

#include "protocols/coherence/engine/policy.h"

namespace syncline::tests {

protocols::CoherencePolicy make_invalidating_policy();

/// The same with a directory of its own, an entry of which may be of several lines.
protocols::CoherencePolicy make_regional_policy(const protocols::DirectoryGeometry& directory);

}  // namespace syncline::tests
