// The policy `hmg`: NHCC with a level more. Each GPU has a home of its own for every line, the L2 of one of its
// modules, which caches for all of them, notes which of them have copies, and passes on to the system's home: loads
// that miss, and all stores. The system's home knows GPUs, not modules of other GPUs: an invalidation that reaches a
// GPU's home goes on from there. What has the scope of the GPU ends at the GPU's home. It has the keys of `nhcc`.
//
// Sources: Ren, thesis, 5.6 and table 5.1 (HMG); what the text leaves open is said in docs/modules.md.
#pragma once

#include "protocols/coherence/nhcc/nhcc.h"

namespace syncline::protocols {

CoherencePolicy make_hmg(const NhccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
