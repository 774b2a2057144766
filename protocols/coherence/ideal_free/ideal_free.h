// The policy `ideal_free`: `mesi`, but permissions cost nothing: invalidations, forwards, acknowledgements and unblocks
// cross the network in one cycle and take no bandwidth. It is an upper bound of `ideal`, and of what a protocol could
// gain by getting write permissions faster. It has the keys of `mesi`.
#pragma once

#include "protocols/coherence/mesi/mesi.h"

namespace syncline::protocols {

CoherencePolicy make_ideal_free(const MesiSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
