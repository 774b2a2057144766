// The policy `tc_strong`: TC-Strong. A store waits at the home until all leases of its line are over, so it is seen by
// all at once, and SMs with one access of a warp under way are sequentially consistent.
#pragma once

#include "protocols/coherence/tc/tc.h"

namespace syncline::protocols {

namespace tc_strong {

std::shared_ptr<const TransitionTable> l1_table();
/// `recycles`: a write that must wait for leases goes to the back of the queue (TcSpec::recycle_cycles).
std::shared_ptr<const TransitionTable> home_table(bool recycles = false);

}  // namespace tc_strong

CoherencePolicy make_tc_strong(const TcSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
