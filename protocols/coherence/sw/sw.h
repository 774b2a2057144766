// The policy `sw`: L2s of modules cache lines of other modules, as under `nhcc`, and software keeps these copies as it
// keeps those of L1s: who acquires for the GPU or the system empties the L2 of its module of them, and then its L1.
// There is no directory, and nobody is told of a store; a release waits until its own are acknowledged by their homes.
// Loads of these scopes are answered by homes.
//
// Sources: Ren, thesis, 5.7 (non-hierarchical software coherence). It has the key `coherence.nhcc.order`.
#pragma once

#include "protocols/coherence/nhcc/nhcc.h"

namespace syncline::protocols {

CoherencePolicy make_sw(const NhccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
