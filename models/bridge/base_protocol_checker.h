// A checker of the TLM-2.0 base protocol, to be put on any link: between a partition and a memory of your own, between
// an initiator of your own and its bridge, or between two blocks that have nothing to do with this library.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <string>
#include <systemc>
#include <tlm>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "models/bridge/base_protocol_rules.h"

namespace syncline::models {

/// What becomes of a violation: it ends the run with a ModelError, or is kept for `violations`.
enum class OnViolation { end_run, keep };

/// Stands between two sockets: `initiator.bind(checker.target); checker.initiator.bind(target)`. Calls pass through as
/// they are, and take no time. BaseProtocolRules says what is checked. Each violation names the socket where it came
/// in (`target`: what the initiator did, `initiator`: what the target did), the clause, and the transaction.
///
/// `Types` may have other traits with the payload and the phases of the base protocol.
template <class Types = tlm::tlm_base_protocol_types, unsigned BusWidth = 32>
class PhaseChecker : public sc_core::sc_module {
 public:
  explicit PhaseChecker(const sc_core::sc_module_name& module_name, OnViolation on_violation = OnViolation::end_run)
      : sc_core::sc_module(module_name),
        target("target"),
        initiator("initiator"),
        rules_(target.name(), initiator.name(),
               std::is_same_v<Types, tlm::tlm_base_protocol_types> ? BaseProtocolRules::Data::kept
                                                                   : BaseProtocolRules::Data::answered,
               [this, on_violation](const std::string& violation) {
                 violations_.push_back(violation);
                 if (on_violation == OnViolation::end_run) throw base::ModelError(violation);
               }) {
    target.register_nb_transport_fw(this, &PhaseChecker::forward);
    target.register_b_transport(this, &PhaseChecker::blocking);
    target.register_transport_dbg(this, &PhaseChecker::debug);
    target.register_get_direct_mem_ptr(this, &PhaseChecker::direct);
    initiator.register_nb_transport_bw(this, &PhaseChecker::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &PhaseChecker::invalidate);
  }
  tlm_utils::simple_target_socket<PhaseChecker, BusWidth, Types> target;
  tlm_utils::simple_initiator_socket<PhaseChecker, BusWidth, Types> initiator;

  const std::vector<std::string>& violations() const { return violations_; }
  std::size_t transactions() const { return rules_.transactions(); }
  /// Transactions that have begun and not ended.
  std::size_t open() const { return rules_.open(); }
  /// What each of them waits for, one line each.
  std::vector<std::string> unfinished() const { return rules_.unfinished(); }

 private:
  using Payload = tlm::tlm_generic_payload;
  using Side = BaseProtocolRules::Side;

  tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const auto call = rules_.call(Side::initiator, payload, phase, delay);
    const tlm::tlm_sync_enum status = initiator->nb_transport_fw(payload, phase, delay);
    rules_.returned(call, payload, status, phase, delay);
    return status;
  }
  tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const auto call = rules_.call(Side::target, payload, phase, delay);
    const tlm::tlm_sync_enum status = target->nb_transport_bw(payload, phase, delay);
    rules_.returned(call, payload, status, phase, delay);
    return status;
  }
  void blocking(Payload& payload, sc_core::sc_time& delay) {
    rules_.b_transport_called(payload, delay);
    initiator->b_transport(payload, delay);
    rules_.b_transport_returned(payload, delay);
  }
  unsigned debug(Payload& payload) {
    rules_.debug_called(payload);
    const unsigned bytes = initiator->transport_dbg(payload);
    rules_.debug_returned(payload, bytes);
    return bytes;
  }
  bool direct(Payload& payload, tlm::tlm_dmi& dmi) {
    const bool granted = initiator->get_direct_mem_ptr(payload, dmi);
    rules_.dmi_returned(payload, granted, dmi);
    return granted;
  }
  void invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
    rules_.dmi_invalidated(first, last);
    target->invalidate_direct_mem_ptr(first, last);
  }

  std::vector<std::string> violations_;
  BaseProtocolRules rules_;
};

using BaseProtocolChecker = PhaseChecker<>;

}  // namespace syncline::models
