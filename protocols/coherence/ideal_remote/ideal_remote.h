// The policy `ideal_remote`: `hmg`, whose coherence costs nothing between modules. Invalidations, questions of
// releases, markers and answers cross all networks in a cycle and take no bandwidth, and the directory notes each line
// by itself. As they overtake lines on their way, an L2 does not keep a line that has been invalidated before it was
// there. It is an upper bound of what L2s could gain by coherence of their copies; L1s are kept by software as under
// all policies of several modules, stores are written through, and a release waits for its stores.
//
// Sources: Ren, thesis, 5.7 and figures 5.2, 5.8 and 5.9 (idealized caching, which enforces no coherence; here programs
// compute with the bytes of caches, so copies have to be current). It has the keys of `nhcc`.
#pragma once

#include "protocols/coherence/nhcc/nhcc.h"

namespace syncline::protocols {

CoherencePolicy make_ideal_remote(const NhccSpec& spec, const CoherenceContext& context);

namespace ideal_remote {

std::vector<MessageKind> messages();
std::shared_ptr<const TransitionTable> gpm_table();
std::shared_ptr<const TransitionTable> gpu_home_table();
std::unique_ptr<Machine> make_gpu_home(std::shared_ptr<const TransitionTable> table);

}  // namespace ideal_remote

}  // namespace syncline::protocols
