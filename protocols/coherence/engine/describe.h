// A policy as text: what `syncline describe` prints. Made from the tables that run.
#pragma once

#include <string>

#include "protocols/coherence/engine/policy.h"

namespace syncline::protocols {

/// Networks, messages, seams, and for each machine its counts, states, table and the reasons of its rows.
std::string describe_markdown(const CoherencePolicy& policy);
/// Both machines as Graphviz clusters: states and the transitions between them, without those that only wait.
std::string describe_dot(const CoherencePolicy& policy);

}  // namespace syncline::protocols
