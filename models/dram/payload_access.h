// What a generic payload asks of a memory, by the letter of LRM 14.
#pragma once

#include <tlm>

#include "models/dram/sparse_memory.h"

namespace syncline::models {

/// Checks the attributes of `payload` for a memory of `capacity` bytes: TLM_OK_RESPONSE, or the error response that
/// the LRM prescribes: address outside (14.10: address error), no data pointer or a length of 0 (14.11, 14.12: burst
/// error), streaming width 0 (14.15: burst error), byte enables without length (14.14: byte enable error), unknown
/// command (14.9: command error).
tlm::tlm_response_status check_access(std::uint64_t capacity, const tlm::tlm_generic_payload& payload);

/// Moves the bytes of a checked payload, honouring byte enables (repeating, LRM 14.14) and streaming (14.15).
/// TLM_IGNORE_COMMAND moves nothing.
void perform_access(SparseMemory& memory, tlm::tlm_generic_payload& payload);

/// Debug access (LRM 11.3): byte enables and streaming do not apply; as many bytes as there are. Returns their number.
unsigned debug_access(SparseMemory& memory, tlm::tlm_generic_payload& payload);

}  // namespace syncline::models
