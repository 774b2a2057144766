// The policy `ideal`: SC-IDEAL of the RCC evaluation (Ren, thesis fig. 3.1d). It is `mesi`, but permissions cost
// nothing: invalidations, forwards, acknowledgements and unblocks cross the network in one cycle and take no bandwidth.
// It bounds what a coherence protocol could gain by getting write permissions faster. It has the keys of `mesi`.
#pragma once

#include "protocols/coherence/mesi/mesi.h"

namespace syncline::protocols {

CoherencePolicy make_ideal(const MesiSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
