// The policy `ideal`: SC-IDEAL of the RCC evaluation (Ren, thesis fig. 3.1d), as the released simulator has it
// (ideal_MESI_wt): the whole of `mesi`, with its blocked lines, forwards and counts of acknowledgements, but an L1
// sends acknowledgements to other L1s, and unblocks, at once, where all else that it sends waits for `l1.send_latency`.
// What it acknowledges to a home that recalls a line waits like the rest. On a machine where that latency is 0 it is
// `mesi`. It has the keys of `mesi`.
#pragma once

#include "protocols/coherence/mesi/mesi.h"

namespace syncline::protocols {

CoherencePolicy make_ideal(const MesiSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
