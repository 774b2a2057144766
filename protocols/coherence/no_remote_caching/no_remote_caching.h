// The policy `no_remote_caching`: an L2 keeps lines of its own module's memory alone. What its L1s want of others it
// passes on, and the answers back. L1s are those of `none`, kept by software, with all written through; so a store is
// performed when it is acknowledged, and nothing else is to be kept current.
//
// Sources: Ren, thesis, figures 5.2, 5.8 and 5.9 (what all else is normalised to). Figure 5.9 says that data of other
// GPUs is not cached; that data of other modules of the GPU is not cached either is our reading (figure 5.8).
#pragma once

#include "protocols/coherence/nhcc/nhcc.h"

namespace syncline::protocols {

CoherencePolicy make_no_remote_caching(const NhccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
