// An initiator for tests of memories: sends reads and writes over the plain base protocol as fast as the link takes
// them and keeps what comes back.
#pragma once

#include <tlm.h>
#include <tlm_utils/peq_with_cb_and_phase.h>
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
  /// How it ends a response: TLM_COMPLETED, END_RESP on the return path, or END_RESP by a call a little later.
  enum class Ending { completed, on_return, by_call };
  Ending ending = Ending::completed;
  std::uint64_t annotated_ps = 0;  ///< requests are annotated to come so much later

  explicit MemoryTester(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), socket("socket"), to_end_(this, &MemoryTester::end) {
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
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    sc_core::sc_time delay = std::max(sc_core::sc_time::from_value(annotated_ps), taken_at_ - std::min(taken_at_, now));
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    if (status == tlm::TLM_ACCEPTED) return;
    requesting_ = nullptr;
    if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      taken_at_ = now + delay;
      return;
    }
    payload.acquire();
    finish(payload, delay);
    if (status == tlm::TLM_UPDATED) {
      phase = tlm::END_RESP;
      socket->nb_transport_fw(payload, phase, delay);
    }
    payload.release();
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (requesting_ == &payload) requesting_ = nullptr;
    if (phase == tlm::END_REQ) taken_at_ = sc_core::sc_time_stamp() + delay;
    const bool responds = phase == tlm::BEGIN_RESP;
    if (responds) {
      if (ending == Ending::by_call) {
        payload.acquire();
        to_end_.notify(payload, tlm::END_RESP, delay + sc_core::sc_time(3, sc_core::SC_NS));
      }
      finish(payload, delay);
      if (ending == Ending::on_return) phase = tlm::END_RESP;
    }
    drain();
    if (!responds || ending == Ending::by_call) return tlm::TLM_ACCEPTED;
    return ending == Ending::completed ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED;
  }
  void end(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& sent) {
    tlm::tlm_phase phase = sent;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    payload.release();
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
  sc_core::sc_time taken_at_;  ///< annotated time of the last END_REQ
  tlm_utils::peq_with_cb_and_phase<MemoryTester> to_end_;
};

}  // namespace syncline::tests
