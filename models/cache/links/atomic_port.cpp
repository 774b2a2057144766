#include "models/cache/links/atomic_port.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/clock/turn.h"

namespace syncline::models {

AtomicPort::AtomicPort(const std::string& name, Listener& listener, unsigned line_bytes, std::uint32_t capacity)
    : link_(name, *this),
      listener_(listener),
      line_bytes_(line_bytes),
      storage_(capacity),
      waiting_(capacity),
      answers_(capacity) {
  for (Transaction& t : storage_) {
    t.payload.set_mm(this);
    t.payload.set_extension(&t.work);
    t.payload.set_command(tlm::TLM_IGNORE_COMMAND);
    t.payload.set_data_ptr(t.data.data());
    t.payload.set_data_length(line_bytes_);
    t.payload.set_streaming_width(line_bytes_);
    t.work.old = t.old.data();
    free_.push_back(&t);
  }
}

AtomicPort::~AtomicPort() {
  // A payload would delete its extension, which is a part of its transaction.
  for (Transaction& t : storage_) t.payload.clear_extension(&t.work);
}

AtomicPort::Transaction& AtomicPort::owner_of(const tlm::tlm_generic_payload& payload) {
  for (Transaction& t : storage_) {
    if (&t.payload == &payload && t.used && t.sent) return t;
  }
  throw base::ModelError(fmt::format("{}: the atomic unit answers what was not asked", socket.name()));
}

AtomicPort::Transaction& AtomicPort::ask(Message& message, base::LineAddress line, const base::LineData& data) {
  Transaction& t = *free_.back();
  free_.pop_back();
  t.message = &message;
  t.line = line;
  t.number = created_++;
  t.used = true;
  t.marks_dirty = t.may_hit = false;
  t.payload.acquire();
  t.payload.set_address(line.value());
  t.payload.set_dmi_allowed(false);
  t.work.operation = message.atomic;
  t.work.type = message.atomic_type;
  t.work.ftz = message.ftz;
  t.work.lanes = message.atomics.begin();
  t.work.count = message.atomic_count;
  t.work.worst_address = worst_address(t.work.lanes, t.work.count);
  requests_.add();
  operations_.add(t.work.count);
  contention_.sample(t.work.worst_address);
  submit(t, data);
  return t;
}

void AtomicPort::ask_again(Transaction& t, const base::LineData& data) {
  submit(t, data);
  if (t.at_once) answers_.add(t);
}

void AtomicPort::submit(Transaction& t, const base::LineData& data) {
  t.data = data;
  std::fill_n(t.old.begin(), t.work.count, AtomicValue{});
  t.sent = t.at_once = t.outdated = false;
  t.work.queueing = t.work.busy = 0;
  t.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  if (waiting_.empty() && !link_.busy())
    send(t);
  else
    waiting_.push_back(&t);
}

void AtomicPort::send(Transaction& t) {
  t.sent = true;
  if (const auto at = link_.begin(t.payload)) {
    t.at_once = true;
    note_answer(t, *at);
  }
}

void AtomicPort::issue() {
  while (!waiting_.empty() && !link_.busy()) {
    Transaction& t = *waiting_.front();
    waiting_.pop_front();
    send(t);
    if (t.at_once) answers_.add(t);
  }
}

void AtomicPort::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  Transaction& t = owner_of(payload);
  note_answer(t, at);
  answers_.add(t);
  listener_.atomics_ready(at);
}

void AtomicPort::note_answer(Transaction& t, const sc_core::sc_time& at) {
  if (t.payload.get_response_status() != tlm::TLM_OK_RESPONSE)
    throw base::ModelError(fmt::format("{}: the atomic unit answered an atomic of line {:#x} with {}", socket.name(),
                                       t.line.value(), t.payload.get_response_string()));
  t.answer_ps = at.value();
  busy_cycles_.add(t.work.busy);
  queueing_.sample(t.work.queueing);
}

void AtomicPort::done(Transaction& t) {
  t.used = false;
  t.message = nullptr;
  t.payload.release();
}

void AtomicPort::free(tlm::tlm_generic_payload* payload) {
  if (free_.empty()) listener_.atomics_ready(time_now());  // somebody may wait for room
  for (Transaction& t : storage_) {
    if (&t.payload == payload) free_.push_back(&t);
  }
}

void AtomicPort::changed(base::LineAddress line, const base::ByteMask& mask, const base::LineData& data) {
  for (Transaction& t : storage_) {
    if (!t.used || t.line != line) continue;
    if (!t.sent)
      mask.merge(t.data, data);
    else if (t.work.bytes().overlaps(mask))
      t.outdated = true;
  }
}

std::vector<std::string> AtomicPort::describe() const {
  std::vector<std::string> lines;
  for (const Transaction& t : storage_) {
    if (t.used)
      lines.push_back(fmt::format("the atomic on line {:#x} waits for {}", t.line.value(),
                                  t.sent ? "the answer of the atomic unit" : "the atomic unit to take it"));
  }
  return lines;
}

}  // namespace syncline::models
