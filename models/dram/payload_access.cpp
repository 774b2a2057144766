#include "models/dram/payload_access.h"

#include <algorithm>
#include <cstring>

namespace syncline::models {
namespace {

/// Bytes of address space that the payload touches: a stream wraps at its width.
std::uint64_t span(const tlm::tlm_generic_payload& payload) {
  return std::min(payload.get_data_length(), payload.get_streaming_width());
}

void move(SparseMemory& memory, bool is_read, std::uint64_t address, std::uint8_t* data, std::uint64_t bytes) {
  if (is_read) {
    memory.read(address, data, bytes);
  } else {
    memory.write(address, data, bytes);
  }
}

}  // namespace

tlm::tlm_response_status check_access(std::uint64_t capacity, const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (!payload.is_read() && !payload.is_write()) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0 || payload.get_streaming_width() == 0)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (payload.get_address() >= capacity || span(payload) > capacity - payload.get_address())
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

void perform_access(SparseMemory& memory, tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length(), width = payload.get_streaming_width();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  if (enables == nullptr && width >= length) {
    move(memory, payload.is_read(), address, payload.get_data_ptr(), length);
    return;
  }
  const unsigned enable_length = payload.get_byte_enable_length();
  if (enables != nullptr && enable_length >= length && width >= length) {  // the common case: runs, nothing repeats
    for (unsigned end = 0; end < length;) {
      const void* const enabled = std::memchr(enables + end, TLM_BYTE_ENABLED, length - end);
      if (enabled == nullptr) return;
      const auto first = static_cast<unsigned>(static_cast<const std::uint8_t*>(enabled) - enables);
      for (end = first + 1; end < length && enables[end] == TLM_BYTE_ENABLED;) ++end;
      move(memory, payload.is_read(), address + first, payload.get_data_ptr() + first, end - first);
    }
    return;
  }
  const auto enabled = [&](unsigned i) {
    return enables == nullptr || enables[i < enable_length ? i : i % enable_length] == TLM_BYTE_ENABLED;
  };
  for (unsigned first = 0; first < length;) {  // runs of enabled bytes, which streaming cuts
    const unsigned limit = std::min(length, (first / width + 1) * width);
    unsigned end = first;
    while (end < limit && enabled(end)) ++end;
    if (end != first)
      move(memory, payload.is_read(), address + first % width, payload.get_data_ptr() + first, end - first);
    first = std::max(end, first + 1);
  }
}

unsigned debug_access(SparseMemory& memory, tlm::tlm_generic_payload& payload) {
  if ((!payload.is_read() && !payload.is_write()) || payload.get_data_ptr() == nullptr ||
      payload.get_address() >= memory.capacity())
    return 0;
  const auto bytes = static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), memory.capacity() - payload.get_address()));
  move(memory, payload.is_read(), payload.get_address(), payload.get_data_ptr(), bytes);
  return bytes;
}

}  // namespace syncline::models
