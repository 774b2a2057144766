// Proxies: which operations stay in order that causality orders, and take different paths to one location.
#pragma once

#include "consistency/execution.h"

namespace syncline::consistency {

/// Proxy-preserved base causality order (PTX ISA from 7.5 on; Lustig, Cooksey and Giroux, ISCA 2022): the pairs of
/// `base` on one location, of operations that go there
///  - by one generic address, both by the generic proxy;
///  - by one generic address and one proxy, in one CTA;
///  - by one generic address, where fences stand on the way from the first to the second: one of the first's proxy
///    in its CTA, unless that is the generic one, and behind it one of the second's in its CTA;
///  - by two generic addresses, where an alias fence stands on the way, behind the first's proxy fence and before the
///    second's.
/// The ISA has of these fences only fence.proxy.alias; those of textures, surfaces and constants are the paper's.
Relation proxy_preserved(const Execution& execution, const Relation& base, const Relation& same_location);

}  // namespace syncline::consistency
