// Between messages on the wire and what the machines speak.
#pragma once

#include "models/transport/message_family.h"
#include "protocols/coherence/engine/policy.h"
#include "protocols/coherence/engine/stimulus.h"

namespace syncline::models {

/// What the program says of a request; `is_private` and such are the caller's, who knows where it came from.
protocols::AccessTraits traits_of(const Message& message);

/// Size on the wire of a message with this payload whose mask is set (header included).
std::uint16_t wire_bytes(const protocols::CoherencePolicy& policy, protocols::Payload payload,
                         const base::ByteMask& mask, unsigned line_bytes);

/// Makes `message` one of coherence of this kind: family, kind, class, network, size. Its body stays.
void dress(Message& message, const protocols::CoherencePolicy& policy, std::uint8_t kind, unsigned line_bytes);

/// Makes `message` one of another family, of its own kind (Passage::by), for networks where `policy` rules coherence.
void dress(Message& message, const MessageFamily& family, std::uint8_t kind, const MessageFamilies& spoken,
           const protocols::CoherencePolicy& policy, unsigned line_bytes);

/// The machine's view of a message of the policy.
protocols::Stimulus stimulus_of(const Message& message);

/// `mask` widened to whole sectors of `sector_bytes`.
base::ByteMask widen(const base::ByteMask& mask, unsigned sector_bytes, unsigned line_bytes);

}  // namespace syncline::models
