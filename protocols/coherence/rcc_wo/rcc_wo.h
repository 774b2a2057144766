// The policy `rcc_wo`: RCC, weakly ordered (Ren 3.4.6). It is `rcc` whose SMs have two logical clocks: loads consult
// and advance the read view, stores and atomics the write view, so that neither orders the other. A fence makes both
// the later one. Its keys are those of `rcc`.
#pragma once

#include "protocols/coherence/rcc/rcc.h"

namespace syncline::protocols {

namespace rcc_wo {
inline constexpr rcc::Clocks two_views{&NodeMeta::read_view, &NodeMeta::write_view};
}

CoherencePolicy make_rcc_wo(const RccSpec& spec, const CoherenceContext& context);

}  // namespace syncline::protocols
