// The policy `tc_weak`: TC-Weak. A store is performed at the home at once, although copies with leases may be read
// elsewhere; its reply says when the last of these leases is over (the global write completion time, GWCT), and a fence
// waits until then. Sequential consistency is out of its reach.
#pragma once

#include "protocols/coherence/tc/tc.h"

namespace syncline::protocols {

namespace tc_weak {

std::shared_ptr<const TransitionTable> l1_table(const TcSpec& spec);
std::shared_ptr<const TransitionTable> home_table();

}  // namespace tc_weak

CoherencePolicy make_tc_weak(const TcSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
