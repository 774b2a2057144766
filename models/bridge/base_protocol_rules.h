// The rules of the TLM-2.0 base protocol for one link between two sockets, as a machine that is told of every call and
// return. The checker around it (models/bridge/base_protocol_checker.h) passes them on.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace syncline::models {

/// Clauses are those of IEEE 1666-2011, which this class calls the LRM. What it knows:
///
/// | clause | rule |
/// |---|---|
/// | 11.1.1.4 | no b_transport from a method process |
/// | 11.1.2.4 | nb_transport does not wait |
/// | 11.1.2.7 | TLM_ACCEPTED leaves phase and time as they were; a status is one of the three |
/// | 11.2.5, 11.2.6 | a granted DMI region has a pointer, an access, and the address in it; ranges do not end before
/// they begin | | 11.3.4 | a debug access has a data pointer and moves no more than its length | | 14.5 | nb_transport:
/// memory manager and reference; no payload of two transactions at once; b_transport leaves no memory manager or
/// extension behind | | 14.7 | command, data pointer and length, byte enables and streaming width stay as they were
/// sent, the data of a write too; the status and what was read stay from the response on. (The address is an
/// interconnect's to change.) | | 14.8 to 14.17 | what a request begins with: option, command, pointer, lengths,
/// streaming width, no DMI hint, no status; and that a response has one | | 15.2.3 | who may send which phase |
/// | 15.2.4 | the order of phases, and what may be returned for each |
/// | 15.2.5 | ignorable phases come between begin and end of a transaction |
/// | 15.2.6 | one request before END_REQ, one response before END_RESP, in the order of calls |
/// | 15.2.7 | times of a transaction do not decrease from call to return to call |
/// | 15.2.10 | a payload is not in b_transport and nb_transport at once |
///
/// Annotated times of different transactions may come in any order (11.1.3), and are not compared. What one link cannot
/// show, the order of accesses behind an interconnect (15.2.9), is not checked.
class BaseProtocolRules {
 public:
  using Payload = tlm::tlm_generic_payload;
  enum class Side { initiator, target };
  /// Whether the bytes of a write stay as they are: in the base protocol; other traits with its phases may answer
  /// there.
  enum class Data { kept, answered };
  using Report = std::function<void(const std::string& violation)>;

  /// The names of the sockets at which calls of the initiator and of the target come in; `report` is told of each
  /// violation, in words, and may throw.
  BaseProtocolRules(std::string from_initiator, std::string from_target, Data data, Report report);

  /// What a violation says of a transaction.
  struct Subject {
    tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
    std::uint64_t address = 0;
    unsigned length = 0;
  };
  /// A call of nb_transport that has not returned.
  struct Call {
    Side from;
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
    sc_core::sc_time at;  ///< the call, by the clock of the simulation
    std::uint64_t delta = 0;
    std::uint64_t number = 0;  ///< of the transaction; 0: there is none
    Subject subject;
  };
  Call call(Side from, Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void returned(const Call& call, Payload& payload, tlm::tlm_sync_enum status, const tlm::tlm_phase& phase,
                const sc_core::sc_time& delay);

  void b_transport_called(Payload& payload, const sc_core::sc_time& delay);
  void b_transport_returned(Payload& payload, const sc_core::sc_time& delay);
  void debug_called(const Payload& payload);
  void debug_returned(const Payload& payload, unsigned bytes);
  void dmi_returned(const Payload& payload, bool granted, const tlm::tlm_dmi& dmi);
  void dmi_invalidated(std::uint64_t first, std::uint64_t last);

  std::size_t transactions() const { return begun_; }
  std::size_t open() const { return open_.size() + blocking_.size(); }
  std::vector<std::string> unfinished() const;  ///< one line each

 private:
  enum class State { requested, accepted, responding };
  struct Sent {  ///< what of a payload nobody may change
    Subject subject;
    const unsigned char* data = nullptr;
    const unsigned char* enables = nullptr;
    unsigned enable_length = 0, width = 0;
    tlm::tlm_gp_option option = tlm::TLM_MIN_PAYLOAD;
    std::vector<unsigned char> written, enabled;
    bool managed = false;
    std::vector<bool> extensions;
  };
  struct Transaction {
    std::uint64_t number = 0;
    State state = State::requested;
    Sent sent;
    sc_core::sc_time latest;  ///< annotated time of the last call or return
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    std::vector<unsigned char> read;  ///< what the response brought
  };

  void violated(Side by, const char* clause, const std::string& what, const Subject& subject) const;
  static Subject subject_of(const Payload& payload);
  Sent remember(const Payload& payload) const;
  void check_managed(Side by, const Payload& payload) const;
  void check_request(const Payload& payload) const;
  void check_kept(Side by, const Payload& payload, const Sent& sent) const;
  void check_answered(Side by, const Payload& payload, const Transaction& transaction) const;
  void check_status(const Payload& payload) const;
  void check_call(const Call& call) const;

  Transaction* find(const Payload& payload);
  void begin(Payload& payload, const Call& call);
  /// `payload` goes on to `phase`, by a call or on a return path.
  void advance(Side by, Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& at);
  void end_request(const Payload& payload, Transaction& transaction);
  void begin_response(Payload& payload, Transaction& transaction);
  void end_response(Payload& payload, const Transaction& transaction);
  void keep_time(Side by, Transaction& transaction, const sc_core::sc_time& at) const;
  void completed(const Call& call, Payload& payload, const sc_core::sc_time& at);
  void updated(const Call& call, Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& at);

  const std::string from_initiator_, from_target_;
  const Data data_;
  const Report report_;
  std::map<const Payload*, Transaction> open_, blocking_;
  const Payload* requesting_ = nullptr;
  const Payload* responding_ = nullptr;
  std::uint64_t begun_ = 0;
};

}  // namespace syncline::models
