#include "models/bridge/base_protocol_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace syncline::models {
namespace {

bool is_ignorable(const tlm::tlm_phase& phase) {
  return static_cast<unsigned>(phase) > tlm::END_RESP;
}
std::string name_of(const tlm::tlm_phase& phase) {
  return phase.get_name();
}
const char* name_of(tlm::tlm_command command) {
  switch (command) {
    case tlm::TLM_READ_COMMAND:
      return "read";
    case tlm::TLM_WRITE_COMMAND:
      return "write";
    case tlm::TLM_IGNORE_COMMAND:
      return "ignore";
  }
  return "unknown command";
}
sc_core::sc_time annotated(const sc_core::sc_time& delay) {
  return sc_core::sc_time_stamp() + delay;
}
std::vector<bool> extensions_of(const tlm::tlm_generic_payload& payload) {
  std::vector<bool> present(tlm::max_num_extensions());
  for (unsigned i = 0; i < present.size(); ++i) present[i] = payload.get_extension(i) != nullptr;
  return present;
}

}  // namespace

BaseProtocolRules::BaseProtocolRules(std::string from_initiator, std::string from_target, Data data, Report report)
    : from_initiator_(std::move(from_initiator)),
      from_target_(std::move(from_target)),
      data_(data),
      report_(std::move(report)) {}

void BaseProtocolRules::violated(Side by, const char* clause, const std::string& what, const Subject& subject) const {
  report_(fmt::format("{}: LRM {}: {} ({} of {} bytes at {:#x}, at {} ps)",
                      by == Side::initiator ? from_initiator_ : from_target_, clause, what, name_of(subject.command),
                      subject.length, subject.address, sc_core::sc_time_stamp().value()));
}

BaseProtocolRules::Subject BaseProtocolRules::subject_of(const Payload& payload) {
  return {payload.get_command(), payload.get_address(), payload.get_data_length()};
}

BaseProtocolRules::Sent BaseProtocolRules::remember(const Payload& payload) const {
  Sent sent;
  sent.subject = subject_of(payload);
  sent.data = payload.get_data_ptr();
  sent.enables = payload.get_byte_enable_ptr();
  sent.enable_length = payload.get_byte_enable_length();
  sent.width = payload.get_streaming_width();
  sent.option = payload.get_gp_option();
  sent.managed = payload.has_mm();
  sent.extensions = extensions_of(payload);
  if (payload.is_write() && data_ == Data::kept && sent.data != nullptr)
    sent.written.assign(sent.data, sent.data + sent.subject.length);
  if (sent.enables != nullptr) sent.enabled.assign(sent.enables, sent.enables + sent.enable_length);
  return sent;
}

void BaseProtocolRules::check_managed(Side by, const Payload& payload) const {
  if (!payload.has_mm()) violated(by, "14.5", "nb_transport of a payload without memory manager", subject_of(payload));
  if (payload.get_ref_count() < 1)
    violated(by, "14.5", "nb_transport of a payload to which nobody has a reference", subject_of(payload));
}

void BaseProtocolRules::check_request(const Payload& payload) const {
  const auto broken = [&](const char* clause, const char* what) {
    violated(Side::initiator, clause, what, subject_of(payload));
  };
  const bool moves = payload.get_command() != tlm::TLM_IGNORE_COMMAND;
  if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD) broken("14.8", "a request with a generic payload option");
  if (moves && !payload.is_read() && !payload.is_write()) broken("14.9", "a request with an unknown command");
  if (moves && payload.get_data_ptr() == nullptr) broken("14.11", "a request without data pointer");
  if (moves && payload.get_data_length() == 0) broken("14.12", "a request with a data length of 0");
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)
    broken("14.14", "byte enables with a length of 0");
  if (payload.get_streaming_width() == 0) broken("14.15", "a request with a streaming width of 0");
  if (payload.is_dmi_allowed()) broken("14.16", "a request with the DMI hint set");
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    broken("14.17", "a request with a response status");
}

void BaseProtocolRules::check_kept(Side by, const Payload& payload, const Sent& sent) const {
  const auto changed = [&](const char* what) {
    violated(by, "14.7", fmt::format("the {} changed after the request", what), sent.subject);
  };
  if (payload.get_command() != sent.subject.command) changed("command");
  if (payload.get_data_ptr() != sent.data) return changed("data pointer");
  if (payload.get_data_length() != sent.subject.length) return changed("data length");
  if (payload.get_byte_enable_ptr() != sent.enables) return changed("byte enable pointer");
  if (payload.get_byte_enable_length() != sent.enable_length) return changed("byte enable length");
  if (payload.get_streaming_width() != sent.width) changed("streaming width");
  if (payload.get_gp_option() != sent.option) changed("option");
  if (!std::equal(sent.written.begin(), sent.written.end(), sent.data)) changed("data of a write");
  if (!std::equal(sent.enabled.begin(), sent.enabled.end(), sent.enables)) changed("byte enable array");
}

void BaseProtocolRules::check_answered(Side by, const Payload& payload, const Transaction& transaction) const {
  const Subject& subject = transaction.sent.subject;
  if (payload.get_response_status() != transaction.status)
    violated(by, "14.7", "the response status changed after the response", subject);
  if (payload.get_data_ptr() == transaction.sent.data &&
      !std::equal(transaction.read.begin(), transaction.read.end(), transaction.sent.data))
    violated(by, "14.7", "the data of a read changed after the response", subject);
}

void BaseProtocolRules::check_status(const Payload& payload) const {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    violated(Side::target, "14.17", "a response without a status", subject_of(payload));
}

BaseProtocolRules::Transaction* BaseProtocolRules::find(const Payload& payload) {
  const auto it = open_.find(&payload);
  return it == open_.end() ? nullptr : &it->second;
}

BaseProtocolRules::Call BaseProtocolRules::call(Side from, Payload& payload, const tlm::tlm_phase& phase,
                                                const sc_core::sc_time& delay) {
  Call call{from, phase, delay, sc_core::sc_time_stamp(), sc_core::sc_delta_count(), 0, subject_of(payload)};
  check_managed(from, payload);
  if (from == Side::initiator && phase == tlm::BEGIN_REQ)
    begin(payload, call);
  else
    advance(from, payload, phase, annotated(delay));
  if (const Transaction* const open = find(payload)) {
    call.number = open->number;
    call.subject = open->sent.subject;
  }
  return call;
}

void BaseProtocolRules::begin(Payload& payload, const Call& call) {
  check_request(payload);
  if (requesting_ != nullptr)
    violated(Side::initiator, "15.2.6", "BEGIN_REQ before END_REQ of the previous request", call.subject);
  if (blocking_.count(&payload) != 0)
    violated(Side::initiator, "15.2.10", "nb_transport of a payload that is in b_transport", call.subject);
  if (find(payload) != nullptr)
    violated(Side::initiator, "14.5", "a payload is used again before its transaction ended", call.subject);
  Transaction begun;
  begun.number = ++begun_;
  begun.sent = remember(payload);
  begun.latest = annotated(call.delay);
  open_[&payload] = std::move(begun);
  requesting_ = &payload;
}

void BaseProtocolRules::advance(Side by, Payload& payload, const tlm::tlm_phase& phase, const sc_core::sc_time& at) {
  const bool rightful = by == Side::initiator ? phase == tlm::END_RESP  // BEGIN_REQ begins a transaction
                                              : phase == tlm::END_REQ || phase == tlm::BEGIN_RESP;
  if (!is_ignorable(phase) && !rightful)
    return violated(by, "15.2.3",
                    fmt::format("{} from the {}", name_of(phase), by == Side::initiator ? "initiator" : "target"),
                    subject_of(payload));
  Transaction* const transaction = find(payload);
  if (transaction == nullptr)
    return violated(by, is_ignorable(phase) ? "15.2.5" : "15.2.4",
                    fmt::format("{} of a transaction that has not begun or has ended", name_of(phase)),
                    subject_of(payload));
  keep_time(by, *transaction, at);
  check_kept(by, payload, transaction->sent);
  if (transaction->state == State::responding) check_answered(by, payload, *transaction);
  if (phase == tlm::END_REQ) {
    if (transaction->state != State::requested)
      return violated(by, "15.2.4", "END_REQ out of order", transaction->sent.subject);
    end_request(payload, *transaction);
  } else if (phase == tlm::BEGIN_RESP) {
    begin_response(payload, *transaction);
  } else if (phase == tlm::END_RESP) {
    end_response(payload, *transaction);
  }
}

void BaseProtocolRules::keep_time(Side by, Transaction& transaction, const sc_core::sc_time& at) const {
  if (at < transaction.latest)
    violated(by, "15.2.7",
             fmt::format("the annotated time goes back from {} ps to {} ps", transaction.latest.value(), at.value()),
             transaction.sent.subject);
  transaction.latest = std::max(transaction.latest, at);
}

void BaseProtocolRules::end_request(const Payload& payload, Transaction& transaction) {
  transaction.state = State::accepted;
  if (requesting_ == &payload) requesting_ = nullptr;
}

void BaseProtocolRules::begin_response(Payload& payload, Transaction& transaction) {
  const Subject& subject = transaction.sent.subject;
  if (transaction.state == State::responding) return violated(Side::target, "15.2.4", "BEGIN_RESP twice", subject);
  end_request(payload, transaction);
  if (responding_ != nullptr)
    violated(Side::target, "15.2.6", "BEGIN_RESP before END_RESP of the previous response", subject);
  check_status(payload);
  responding_ = &payload;
  transaction.state = State::responding;
  transaction.status = payload.get_response_status();
  if (payload.is_read() && transaction.sent.data != nullptr)
    transaction.read.assign(transaction.sent.data, transaction.sent.data + subject.length);
}

void BaseProtocolRules::end_response(Payload& payload, const Transaction& transaction) {
  if (transaction.state != State::responding)
    violated(Side::initiator, "15.2.4", "END_RESP without BEGIN_RESP", transaction.sent.subject);
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  open_.erase(&payload);
}

void BaseProtocolRules::check_call(const Call& call) const {
  const Side callee = call.from == Side::initiator ? Side::target : Side::initiator;
  if (sc_core::sc_time_stamp() != call.at || sc_core::sc_delta_count() != call.delta)
    violated(callee, "11.1.2.4", "nb_transport waited", call.subject);
}

void BaseProtocolRules::returned(const Call& call, Payload& payload, tlm::tlm_sync_enum status,
                                 const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const Side callee = call.from == Side::initiator ? Side::target : Side::initiator;
  check_call(call);
  switch (status) {
    case tlm::TLM_ACCEPTED:
      if (phase != call.phase)
        violated(callee, "11.1.2.7", "TLM_ACCEPTED with another phase than that of the call", call.subject);
      if (delay != call.delay)
        violated(callee, "11.1.2.7", "TLM_ACCEPTED with another time than that of the call", call.subject);
      return;
    case tlm::TLM_UPDATED:
      return updated(call, payload, phase, annotated(delay));
    case tlm::TLM_COMPLETED:
      return completed(call, payload, annotated(delay));
  }
  violated(callee, "11.1.2.7", "a status that is none of tlm_sync_enum", call.subject);
}

void BaseProtocolRules::updated(const Call& call, Payload& payload, const tlm::tlm_phase& phase,
                                const sc_core::sc_time& at) {
  const Side callee = call.from == Side::initiator ? Side::target : Side::initiator;
  const Transaction* const open = call.number != 0 ? find(payload) : nullptr;
  if (open == nullptr || open->number != call.number)
    return violated(callee, "15.2.4", "TLM_UPDATED of a transaction that has ended", call.subject);
  advance(callee, payload, phase, at);
}

void BaseProtocolRules::completed(const Call& call, Payload& payload, const sc_core::sc_time& at) {
  const Side callee = call.from == Side::initiator ? Side::target : Side::initiator;
  if (call.phase == tlm::END_RESP) return;  // has ended the transaction before
  if (call.from == Side::target && call.phase != tlm::BEGIN_RESP)
    return violated(callee, "15.2.4", fmt::format("TLM_COMPLETED in answer to {}", name_of(call.phase)), call.subject);
  Transaction* const open = call.number != 0 ? find(payload) : nullptr;
  if (open == nullptr || open->number != call.number)
    return violated(callee, "15.2.4", "TLM_COMPLETED of a transaction that has ended", call.subject);
  keep_time(callee, *open, at);
  if (call.from == Side::initiator) {  // the payload is still the initiator's
    check_kept(callee, payload, open->sent);
    check_status(payload);
  }
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
  open_.erase(&payload);
}

void BaseProtocolRules::b_transport_called(Payload& payload, const sc_core::sc_time& delay) {
  const Subject subject = subject_of(payload);
  if (payload.has_mm() && payload.get_ref_count() < 1)
    violated(Side::initiator, "14.5", "b_transport of a payload to which nobody has a reference", subject);
  check_request(payload);
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    violated(Side::initiator, "11.1.1.4", "b_transport is called from a method process", subject);
  if (find(payload) != nullptr)
    violated(Side::initiator, "15.2.10", "b_transport of a payload that is in nb_transport", subject);
  Transaction begun;
  begun.number = ++begun_;
  begun.sent = remember(payload);
  begun.latest = annotated(delay);
  if (!blocking_.try_emplace(&payload, std::move(begun)).second)
    violated(Side::initiator, "14.5", "a payload is used again before its transaction ended", subject);
}

void BaseProtocolRules::b_transport_returned(Payload& payload, const sc_core::sc_time& delay) {
  const auto it = blocking_.find(&payload);
  if (it == blocking_.end()) return;  // used twice, which has been reported
  Transaction begun = std::move(it->second);
  blocking_.erase(it);
  keep_time(Side::target, begun, annotated(delay));
  check_kept(Side::target, payload, begun.sent);
  check_status(payload);
  if (begun.sent.managed) return;
  if (payload.has_mm())
    violated(Side::target, "14.5", "b_transport leaves a memory manager behind", begun.sent.subject);
  const std::vector<bool> now = extensions_of(payload);
  for (unsigned i = 0; i < now.size(); ++i) {
    if (now[i] && (i >= begun.sent.extensions.size() || !begun.sent.extensions[i]))
      violated(Side::target, "14.5", "b_transport leaves an extension behind", begun.sent.subject);
  }
}

void BaseProtocolRules::debug_called(const Payload& payload) {
  if (payload.get_data_length() != 0 && payload.get_data_ptr() == nullptr)
    violated(Side::initiator, "11.3.4", "a debug access without data pointer", subject_of(payload));
}

void BaseProtocolRules::debug_returned(const Payload& payload, unsigned bytes) {
  if (bytes > payload.get_data_length())
    violated(Side::target, "11.3.4", fmt::format("a debug access is said to have moved {} bytes", bytes),
             subject_of(payload));
}

void BaseProtocolRules::dmi_returned(const Payload& payload, bool granted, const tlm::tlm_dmi& dmi) {
  const auto broken = [&](const char* what) { violated(Side::target, "11.2.5", what, subject_of(payload)); };
  if (dmi.get_start_address() > dmi.get_end_address()) return broken("a DMI region that ends before it begins");
  if (!granted) return;
  if (dmi.get_dmi_ptr() == nullptr) broken("direct memory without a pointer");
  if (payload.get_address() < dmi.get_start_address() || payload.get_address() > dmi.get_end_address())
    broken("a DMI region without the address that was asked for");
  if ((payload.is_read() && !dmi.is_read_allowed()) || (payload.is_write() && !dmi.is_write_allowed()))
    broken("direct memory without the access that was asked for");
}

void BaseProtocolRules::dmi_invalidated(std::uint64_t first, std::uint64_t last) {
  if (first > last)
    violated(Side::target, "11.2.6", fmt::format("invalidates direct memory from {:#x} to {:#x}", first, last), {});
}

std::vector<std::string> BaseProtocolRules::unfinished() const {
  std::vector<std::string> lines;
  const auto add = [&](const Transaction& t, const char* waits_for) {
    lines.push_back(fmt::format("{}: a {} of {} bytes at {:#x} waits for {}", from_initiator_,
                                name_of(t.sent.subject.command), t.sent.subject.length, t.sent.subject.address,
                                waits_for));
  };
  for (const auto& [payload, t] : open_)
    add(t, t.state == State::requested ? "END_REQ" : t.state == State::accepted ? "BEGIN_RESP" : "END_RESP");
  for (const auto& [payload, t] : blocking_) add(t, "the return of b_transport");
  return lines;
}

}  // namespace syncline::models
