// The policy `sw_hierarchical`: `sw` with a home in each GPU, as `hmg` has it: it caches for all modules of the GPU,
// performs stores and atomics of the GPU's scope, and passes what they leave on. Who acquires for the GPU empties the
// L2 of its module of what it has beside homes; who acquires for the system empties the homes of its GPU, too. A
// release of the GPU needs nothing but its acknowledgements, which are those of the GPU's homes; one of the system asks
// these whether what they have passed on has arrived.
//
// Sources: Ren, thesis, 5.7 (hierarchical software coherence). The text says once that an acquire of the system empties
// all caches up to its home, and once all L2s of the GPU: here, what other modules have beside homes stays. It has the
// key `coherence.nhcc.order`.
#pragma once

#include "protocols/coherence/nhcc/nhcc.h"

namespace syncline::protocols {

CoherencePolicy make_sw_hierarchical(const NhccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
