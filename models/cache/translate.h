// Between messages on the wire and what the machines speak.
#pragma once

#include "models/transport/message.h"
#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/engine/stimulus.h"

namespace syncline::models {

/// The host's class of a policy's traffic class (the lists have the same order).
MessageClass message_class(protocols::TrafficClass traffic_class);

/// What the program says of a request; `is_private` and such are the caller's, who knows where it came from.
protocols::AccessTraits traits_of(const Message& message);

/// Size on the wire of a message of `kind` whose mask is set (header included).
std::uint16_t wire_bytes(const protocols::CoherencePolicy& policy, const protocols::MessageKind& kind,
                         const base::ByteMask& mask, unsigned line_bytes);

/// Makes `message` one of `kind`: kind, class, network, size.
void dress(Message& message, const protocols::CoherencePolicy& policy, std::uint8_t kind, unsigned line_bytes);

/// A dressed store becomes one that is ordered by depth: of the class that such units claim, and larger by the depth.
void mark_depth(Message& message);

/// The machine's view of a message of the policy.
protocols::Stimulus stimulus_of(const Message& message);

/// `mask` widened to whole sectors of `sector_bytes`.
base::ByteMask widen(const base::ByteMask& mask, unsigned sector_bytes, unsigned line_bytes);

}  // namespace syncline::models
