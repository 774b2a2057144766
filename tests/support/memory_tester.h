// An initiator for tests of memories: sends reads and writes over the plain base protocol as fast as the link takes
// them and keeps what comes back.
#pragma once

#include <tlm.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <algorithm>
#include <deque>
#include <map>
#include <systemc>
#include <vector>

#include "base/line_data.h"

namespace syncline::tests {

class MemoryTester : public sc_core::sc_module, public tlm::tlm_mm_interface {
 public:
  struct Result {
    std::vector<std::uint8_t> data;  ///< empty for writes
    std::uint64_t at_ps = 0;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  };
  explicit MemoryTester(const sc_core::sc_module_name& name) : sc_core::sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &MemoryTester::backward);
  }

  /// Each returns the tag under which the answer will be found.
  std::uint32_t read(std::uint64_t address, unsigned bytes) {
    Transaction& t = create(tlm::TLM_READ_COMMAND, address, bytes);
    return push(t);
  }
  std::uint32_t write(std::uint64_t address, const std::vector<std::uint8_t>& bytes) {
    Transaction& t = create(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned>(bytes.size()));
    t.data = bytes;
    t.payload.set_data_ptr(t.data.data());
    return push(t);
  }
  /// Writes the bytes of `mask` only.
  std::uint32_t write(std::uint64_t address, const std::vector<std::uint8_t>& bytes, const base::ByteMask& mask) {
    Transaction& t = create(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned>(bytes.size()));
    t.data = bytes;
    t.payload.set_data_ptr(t.data.data());
    t.enables.resize(bytes.size());
    for (unsigned i = 0; i < bytes.size(); ++i) t.enables[i] = mask.test(i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    t.payload.set_byte_enable_ptr(t.enables.data());
    t.payload.set_byte_enable_length(static_cast<unsigned>(bytes.size()));
    return push(t);
  }
  unsigned debug(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data, unsigned bytes) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    return socket->transport_dbg(payload);
  }

  bool done() const { return queue_.empty() && in_flight_ == 0; }
  std::size_t unsent() const { return queue_.size(); }
  /// Payloads to which somebody still holds a reference.
  std::size_t in_flight() const { return in_flight_; }
  bool ready() const { return requesting_ == nullptr; }

  tlm_utils::simple_initiator_socket<MemoryTester> socket;
  std::map<std::uint32_t, Result> results;

 private:
  struct Transaction {
    explicit Transaction(tlm::tlm_mm_interface* mm) : payload(mm) {}
    tlm::tlm_generic_payload payload;
    std::vector<std::uint8_t> data, enables;
    std::uint32_t tag = 0;
  };
  Transaction& create(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    Transaction& t = transactions_.emplace_back(this);
    t.tag = static_cast<std::uint32_t>(transactions_.size() - 1);
    t.data.resize(bytes);
    t.payload.set_command(command);
    t.payload.set_address(address);
    t.payload.set_data_ptr(t.data.data());
    t.payload.set_data_length(bytes);
    t.payload.set_streaming_width(bytes);
    by_payload_[&t.payload] = t.tag;
    return t;
  }
  std::uint32_t push(Transaction& t) {
    queue_.push_back(&t);
    drain();
    return t.tag;
  }
  void drain() {
    while (!draining_ && !queue_.empty() && ready()) {
      Transaction& t = *queue_.front();
      queue_.pop_front();
      draining_ = true;
      send(t.payload);
      draining_ = false;
    }
  }
  void send(tlm::tlm_generic_payload& payload) {
    payload.acquire();
    ++in_flight_;
    requesting_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    requesting_ = nullptr;
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) return;
    payload.acquire();
    finish(payload, delay);
    if (status == tlm::TLM_UPDATED) {
      phase = tlm::END_RESP;
      delay = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(payload, phase, delay);
    }
    payload.release();
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (requesting_ == &payload) requesting_ = nullptr;
    if (phase == tlm::BEGIN_RESP) finish(payload, delay);
    const bool ended = phase == tlm::BEGIN_RESP;
    drain();
    return ended ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void finish(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    Transaction& t = transactions_[by_payload_.at(&payload)];
    Result& result = results[t.tag];
    if (payload.is_read()) result.data = t.data;
    result.at_ps = (sc_core::sc_time_stamp() + delay).value();
    result.status = payload.get_response_status();
    payload.release();
  }
  void free(tlm::tlm_generic_payload*) override { --in_flight_; }

  std::deque<Transaction> transactions_;
  std::map<const tlm::tlm_generic_payload*, std::uint32_t> by_payload_;
  std::deque<Transaction*> queue_;
  const tlm::tlm_generic_payload* requesting_ = nullptr;
  std::size_t in_flight_ = 0;
  bool draining_ = false;
};

}  // namespace syncline::tests
