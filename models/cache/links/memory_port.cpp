#include "models/cache/links/memory_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "models/clock/turn.h"

namespace syncline::models {
namespace {

/// Of a byte of a mask: a byte of enables for each bit, 0 or 0xff.
std::uint64_t spread(std::uint64_t bits) {
  constexpr std::uint64_t each = 0x0101'0101'0101'0101;
  const std::uint64_t chosen = (bits & 0xff) * each & 0x8040'2010'0804'0201;  // bit n stays in byte n
  return (((chosen + 0x7f * each) | chosen) >> 7 & each) * 0xff;
}

}  // namespace

MemoryPort::MemoryPort(const std::string& name, Listener& listener, unsigned line_bytes, std::uint32_t capacity)
    : link_(name, *this),
      listener_(listener),
      line_bytes_(line_bytes),
      storage_(capacity),
      waiting_(capacity),
      responses_(capacity) {
  issued_lines_.reserve(capacity);
  for (Transaction& transaction : storage_) {
    transaction.payload.set_mm(this);
    free_.push_back(&transaction);
  }
}

/// The transaction around a payload: found by where it lies, for an extension would be seen by a foreign memory.
MemoryPort::Transaction& MemoryPort::owner_of(const tlm::tlm_generic_payload& payload) {
  const auto offset = reinterpret_cast<std::uintptr_t>(&payload) - reinterpret_cast<std::uintptr_t>(storage_.data());
  const std::size_t place = offset / sizeof(Transaction);
  if (place >= storage_.size() || &storage_[place].payload != &payload)
    throw base::ModelError("a memory answered a transaction that was never sent");
  return storage_[place];
}

MemoryPort::Transaction& MemoryPort::create(base::LineAddress line, std::uint64_t address, bool write) {
  Transaction& t = *free_.back();
  free_.pop_back();
  t.line = line;
  t.number = created_++;
  t.write = write;
  t.used = true;
  t.issued = false;
  tlm::tlm_generic_payload& p = t.payload;
  p.acquire();
  p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  p.set_address(address);
  p.set_data_ptr(t.data.data());
  p.set_data_length(line_bytes_);
  p.set_streaming_width(line_bytes_);
  p.set_byte_enable_ptr(nullptr);
  p.set_byte_enable_length(0);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  waiting_.push_back(&t);
  return t;
}

void MemoryPort::read(base::LineAddress line, std::uint64_t address) {
  create(line, address, false);
}

void MemoryPort::write(base::LineAddress line, std::uint64_t address, const base::LineData& data,
                       const base::ByteMask& mask) {
  Transaction& t = create(line, address, true);
  t.data = data;
  t.mask = mask;
  if (mask.contains(base::ByteMask::all(line_bytes_))) return;
  for (unsigned byte = 0; byte < base::max_line_bytes; byte += 8) {
    const std::uint64_t enables = spread(mask.word(byte / 64) >> byte % 64);
    std::memcpy(t.enables.data() + byte, &enables, sizeof(enables));
  }
  t.payload.set_byte_enable_ptr(t.enables.data());
  t.payload.set_byte_enable_length(line_bytes_);
}

bool MemoryPort::must_wait(const Transaction& transaction) const {
  return std::find(issued_lines_.begin(), issued_lines_.end(), transaction.line) != issued_lines_.end();
}

void MemoryPort::issue() {
  while (!waiting_.empty() && !link_.busy() && !must_wait(*waiting_.front())) {
    Transaction& t = *waiting_.front();
    waiting_.pop_front();
    t.issued = true;
    issued_lines_.push_back(t.line);
    listener_.begins(t);
    if (const auto at = link_.begin(t.payload)) respond(t, *at);
  }
}

void MemoryPort::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  respond(owner_of(payload), at);
}

void MemoryPort::respond(Transaction& transaction, const sc_core::sc_time& at) {
  if (transaction.payload.get_response_status() != tlm::TLM_OK_RESPONSE)
    throw base::ModelError(fmt::format("{}: memory answered {} of line {:#x} with {}", socket.name(),
                                       transaction.write ? "a write" : "a read", transaction.line.value(),
                                       transaction.payload.get_response_string()));
  transaction.answer_ps = at.value();
  listener_.scheduled(transaction);
  responses_.add(transaction);
  listener_.memory_ready(at);
}

void MemoryPort::done(Transaction& transaction) {
  responses_.pop();
  if (!transaction.host.empty()) {
    debug_write_bytes(transaction.payload.get_address(), transaction.host_data, transaction.host);
    transaction.host = {};
  }
  transaction.issued = false;
  *std::find(issued_lines_.begin(), issued_lines_.end(), transaction.line) = issued_lines_.back();
  issued_lines_.pop_back();
  transaction.mask = {};  // memory has the bytes, even if it holds on to the payload for a while
  transaction.payload.release();
}

void MemoryPort::free(tlm::tlm_generic_payload* payload) {
  Transaction& t = owner_of(*payload);
  t.used = false;
  if (free_.empty()) listener_.memory_ready(time_now());  // somebody may wait for room
  free_.push_back(&t);
}

bool MemoryPort::debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return socket->transport_dbg(payload) == bytes;
}

bool MemoryPort::debug_read(base::LineAddress line, std::uint64_t address, base::LineData& data) {
  if (!debug(tlm::TLM_READ_COMMAND, address, data.data(), line_bytes_)) return false;
  std::uint64_t from = 0;
  for (bool again = true; again;) {  // in the order in which they were made; there is hardly ever more than one
    const Transaction* next = nullptr;
    for (const Transaction& t : storage_) {
      if (t.used && t.write && t.line == line && t.number >= from && (next == nullptr || t.number < next->number))
        next = &t;
    }
    again = next != nullptr;
    if (!again) break;
    next->mask.merge(data, next->data);
    next->host.merge(data, next->host_data);
    from = next->number + 1;
  }
  return true;
}

bool MemoryPort::debug_write(base::LineAddress line, std::uint64_t address, const base::LineData& data,
                             const base::ByteMask& mask) {
  for (Transaction& t : storage_) {
    if (!t.used || !t.write || t.line != line) continue;
    if (!t.issued) {
      mask.merge(t.data, data);
    } else {  // memory has the payload, whose bytes are to stay as they were sent (LRM 14.7)
      mask.merge(t.host_data, data);
      t.host |= mask;
    }
  }
  return debug_write_bytes(address, data, mask);
}

bool MemoryPort::debug_write_bytes(std::uint64_t address, const base::LineData& data, const base::ByteMask& mask) {
  for (unsigned byte = 0; byte < line_bytes_;) {  // runs of bytes: debug transport knows no byte enables
    unsigned end = byte;
    while (end < line_bytes_ && mask.test(end)) ++end;
    base::LineData copy = data;
    if (end > byte && !debug(tlm::TLM_WRITE_COMMAND, address + byte, copy.data() + byte, end - byte)) return false;
    byte = end + 1;
  }
  return true;
}

std::vector<std::string> MemoryPort::describe() const {
  std::vector<std::string> lines;
  for (const Transaction& t : storage_) {
    if (t.used)
      lines.push_back(fmt::format("{} of line {:#x} {}", t.write ? "write" : "read", t.line.value(),
                                  t.issued ? "waits for memory" : "waits for its turn"));
  }
  return lines;
}

}  // namespace syncline::models
