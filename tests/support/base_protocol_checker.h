// Watches a base-protocol link from between its two ends and names each broken rule of IEEE 1666-2011 (the TLM-2.0
// LRM), or on one with other traits and its phases.
#pragma once

#include <fmt/format.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <map>
#include <string>
#include <vector>

namespace syncline::tests {

/// Put it on a link: initiator -> checker.target, checker.initiator -> target. Calls pass through unchanged. What it
/// checks:
///  - 14.5: a payload on the non-blocking path has a memory manager and is referenced
///  - 14.7: an initiator sends TLM_INCOMPLETE_RESPONSE; 14.17: nobody leaves it incomplete at the end
///  - 14.11, 14.12, 14.15: data pointer set, data length and streaming width above 0
///  - 14.7: command, address, length and pointers stay as they were sent until the response
///  - 15.2.3, 15.2.4: phases come in the order BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP on their own paths; BEGIN_RESP
///  may imply
///    END_REQ; TLM_COMPLETED ends a transaction early
///  - 15.2.6: no BEGIN_REQ before END_REQ of the last; 15.2.6: no BEGIN_RESP before END_RESP of the last
template <class Types>
class PhaseChecker : public sc_core::sc_module {
 public:
  explicit PhaseChecker(const sc_core::sc_module_name& name)
      : sc_core::sc_module(name), target("target"), initiator("initiator") {
    target.register_nb_transport_fw(this, &PhaseChecker::forward);
    target.register_b_transport(this, &PhaseChecker::blocking);
    target.register_transport_dbg(this, &PhaseChecker::debug);
    target.register_get_direct_mem_ptr(this, &PhaseChecker::direct);
    initiator.register_nb_transport_bw(this, &PhaseChecker::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &PhaseChecker::invalidate);
  }
  tlm_utils::simple_target_socket<PhaseChecker, 32, Types> target;
  tlm_utils::simple_initiator_socket<PhaseChecker, 32, Types> initiator;

  std::vector<std::string> violations;
  std::size_t transactions() const { return transactions_; }
  /// Transactions that have begun and not ended.
  std::size_t open() const { return open_.size(); }

 private:
  enum class State { requested, accepted, responding };
  struct Transaction {
    State state;
    tlm::tlm_command command;
    sc_dt::uint64 address;
    unsigned length;
    const unsigned char* data;
  };
  using Payload = tlm::tlm_generic_payload;

  void broken(const char* clause, const char* what) {
    violations.push_back(fmt::format("LRM {}: {} ({} ps)", clause, what, sc_core::sc_time_stamp().value()));
  }
  void end(Payload& p) {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) broken("14.17", "a response without a status");
    if (requesting_ == &p) requesting_ = nullptr;
    if (responding_ == &p) responding_ = nullptr;
    open_.erase(&p);
  }
  void begin_response(Payload& p) {
    const auto it = open_.find(&p);
    if (it == open_.end()) return broken("15.2.3", "BEGIN_RESP of a transaction that has not begun or has ended");
    if (it->second.state == State::responding) broken("15.2.3", "BEGIN_RESP twice");
    if (requesting_ == &p) requesting_ = nullptr;
    if (responding_ != nullptr) broken("15.2.6", "BEGIN_RESP before END_RESP of the previous response");
    responding_ = &p;
    it->second.state = State::responding;
    const Transaction& t = it->second;
    if (p.get_command() != t.command || p.get_data_length() != t.length || p.get_data_ptr() != t.data)
      broken("14.7", "attributes changed between request and response");
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) broken("14.17", "a response without a status");
  }
  void end_request(Payload& p) {
    const auto it = open_.find(&p);
    if (it == open_.end() || it->second.state != State::requested) return broken("15.2.3", "END_REQ out of order");
    it->second.state = State::accepted;
    if (requesting_ == &p) requesting_ = nullptr;
  }

  tlm::tlm_sync_enum forward(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const tlm::tlm_phase sent = phase;
    if (sent == tlm::BEGIN_REQ) {
      ++transactions_;
      if (!p.has_mm() || p.get_ref_count() < 1) broken("14.5", "a payload without memory manager or reference");
      if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) broken("14.7", "a request with a response status");
      if (p.get_data_ptr() == nullptr || p.get_data_length() == 0 || p.get_streaming_width() == 0)
        broken("14.11", "no data pointer, no length or no streaming width");
      if (requesting_ != nullptr) broken("15.2.6", "BEGIN_REQ before END_REQ of the previous request");
      if (!open_
               .try_emplace(&p, Transaction{State::requested, p.get_command(), p.get_address(), p.get_data_length(),
                                            p.get_data_ptr()})
               .second)
        broken("14.5", "a payload was used again before its transaction ended");
      requesting_ = &p;
    } else if (sent == tlm::END_RESP) {
      const auto it = open_.find(&p);
      if (it == open_.end() || it->second.state != State::responding) broken("15.2.3", "END_RESP without BEGIN_RESP");
      end(p);
      return initiator->nb_transport_fw(p, phase, delay);
    } else {
      broken("15.2.3", "a phase that does not belong on the forward path");
    }
    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(p, phase, delay);
    if (status == tlm::TLM_COMPLETED) {
      end(p);
    } else if (status == tlm::TLM_UPDATED) {
      if (phase == tlm::END_REQ) {
        end_request(p);
      } else if (phase == tlm::BEGIN_RESP) {
        begin_response(p);
      } else {
        broken("15.2.3", "BEGIN_REQ answered with a wrong phase");
      }
    }
    return status;
  }

  tlm::tlm_sync_enum backward(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const tlm::tlm_phase sent = phase;
    if (sent == tlm::END_REQ) {
      end_request(p);
    } else if (sent == tlm::BEGIN_RESP) {
      begin_response(p);
    } else {
      broken("15.2.3", "a phase that does not belong on the backward path");
    }
    p.acquire();  // END_RESP may free it below
    const tlm::tlm_sync_enum status = target->nb_transport_bw(p, phase, delay);
    if (sent == tlm::BEGIN_RESP &&
        (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)))
      end(p);
    p.release();
    return status;
  }

  void blocking(Payload& p, sc_core::sc_time& delay) {
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) broken("14.7", "a request with a response status");
    initiator->b_transport(p, delay);
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) broken("14.17", "a response without a status");
  }
  unsigned debug(Payload& p) { return initiator->transport_dbg(p); }
  bool direct(Payload& p, tlm::tlm_dmi& dmi) { return initiator->get_direct_mem_ptr(p, dmi); }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { target->invalidate_direct_mem_ptr(first, last); }

  std::map<const Payload*, Transaction> open_;
  const Payload* requesting_ = nullptr;
  const Payload* responding_ = nullptr;
  std::size_t transactions_ = 0;
};

using BaseProtocolChecker = PhaseChecker<tlm::tlm_base_protocol_types>;

}  // namespace syncline::tests
