#include "models/copy_engine/copy_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace syncline::models {

CopyEngine::CopyEngine(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock,
                       const CopyEngineSpec& spec, std::uint32_t line_bytes)
    : Block(module_name, context),
      copies("copies"),
      to_l1("to_l1", *this),
      from_l1("from_l1", *this),
      spec_(spec),
      line_bytes_(line_bytes),
      pieces_(spec.lines) {
  copies.bind(*this);
  for (std::uint32_t tag = 0; tag < spec.lines; ++tag) free_.push_back(tag);
  clock.add(*this, TickRank::sm, name());
  statistic("copies", "copies", "copies completed", copies_);
  statistic("bytes", "bytes", "bytes that they moved", bytes_);
  statistic("reads", "accesses", "reads of lines, or of parts of them", reads_);
  statistic("writes", "accesses", "writes of lines, or of parts of them", writes_);
  traced("copy_engine", "lines", 16, [this] { return pieces_.size() - free_.size(); });
}

void CopyEngine::copy(Copy copy) {
  touched();
  const base::Cycle now = clock()->now();
  waiting_.push_back(std::move(copy));
  if (waiting_.size() == 1) next_copy(now);
  wake(now);
}

void CopyEngine::next_copy(base::Cycle now) {
  phase_ = Phase::begins;
  begins_at_ = now + spec_.latency;
  control_sent_ = false;
  asked_ = written_ = 0;
}

base::Cycle CopyEngine::tick(base::Cycle now) {
  take_replies(now);
  const base::Cycle next_reply = replies_.empty() ? base::never : replies_.begin()->first;
  if (phase_ == Phase::idle) return next_reply;
  if (phase_ == Phase::begins && now < begins_at_) return begins_at_;
  if (!to_l1.ready(sm_l1_network)) return next_reply;  // or on_ready
  return send_next() ? now + 1 : next_reply;
}

bool CopyEngine::send_next() {
  if (phase_ != Phase::moves) {
    if (control_sent_) return false;
    control_sent_ = true;
    send_control(phase_ == Phase::begins ? L1Kind::grid_begin : L1Kind::fence);
    return true;
  }
  if (!read_.empty()) {
    const std::uint32_t tag = read_.front();
    read_.pop_front();
    send_access(pieces_[tag], tag, MessageClass::store_request);
    return true;
  }
  const Copy& copy = waiting_.front();
  if (asked_ == copy.bytes || free_.empty()) return false;
  const std::uint32_t tag = free_.front();
  free_.pop_front();
  Piece& piece = pieces_[tag];
  piece.to = copy.to + asked_;
  piece.from = copy.from + asked_;
  piece.bytes = static_cast<std::uint32_t>(
      std::min({line_bytes_ - offset(piece.to), line_bytes_ - offset(piece.from), copy.bytes - asked_}));
  asked_ += piece.bytes;
  send_access(piece, tag, MessageClass::load_request);
  return true;
}

void CopyEngine::send_control(L1Kind kind) {
  Message& message = tile().messages().get();
  message.message_class = MessageClass::control;
  set_l1_kind(message, kind);
  message.network = sm_l1_network;
  message.semantics = isa::Semantics::acq_rel;
  message.scope = isa::Scope::sys;
  to_l1.send(message);
}

void CopyEngine::send_access(const Piece& piece, std::uint32_t tag, MessageClass message_class) {
  const bool writes = message_class == MessageClass::store_request;
  const std::uint64_t address = writes ? piece.to : piece.from;
  Message& message = tile().messages().get();
  message.message_class = message_class;
  set_l1_kind(message, L1Kind::global);
  message.network = sm_l1_network;
  message.line = base::LineAddress(address - offset(address));
  message.tag = tag;
  message.semantics = isa::Semantics::relaxed;
  message.scope = isa::Scope::sys;
  message.mask.set(static_cast<unsigned>(offset(address)), piece.bytes);
  if (writes) message.data = piece.data;
  (writes ? writes_ : reads_).add();
  to_l1.send(message);
}

bool CopyEngine::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  const base::Cycle due = clock()->cycle_at_or_after(arrival);
  replies_.emplace(due, &message);
  wake(due);
  return true;
}

void CopyEngine::take_replies(base::Cycle now) {
  while (!replies_.empty() && replies_.begin()->first <= now) {
    Message& message = *replies_.begin()->second;
    replies_.erase(replies_.begin());
    ++tile().progress;
    if (message.message_class == MessageClass::control) {
      control_answered(now);
    } else {
      Piece& piece = pieces_.at(message.tag);
      if (message.message_class == MessageClass::data_reply) {
        std::memcpy(piece.data.data() + offset(piece.to), message.data.data() + offset(piece.from), piece.bytes);
        read_.push_back(message.tag);
      } else {
        written_ += piece.bytes;
        free_.push_back(message.tag);
        if (written_ == waiting_.front().bytes) phase_ = Phase::ends;
      }
    }
    message.payload()->release();
  }
}

void CopyEngine::control_answered(base::Cycle now) {
  control_sent_ = false;
  if (phase_ == Phase::begins) {
    phase_ = waiting_.front().bytes == 0 ? Phase::ends : Phase::moves;
    return;
  }
  const Copy over = std::move(waiting_.front());
  waiting_.pop_front();
  copies_.add();
  bytes_.add(over.bytes);
  phase_ = Phase::idle;
  if (!waiting_.empty()) next_copy(now);
  over.done();
}

std::vector<std::string> CopyEngine::describe_waiting() const {
  if (waiting_.empty()) return {};
  const Copy& copy = waiting_.front();
  return {fmt::format("copies {} bytes from {:#x} to {:#x}, of which {} are written; {} copies wait behind", copy.bytes,
                      copy.from, copy.to, written_, waiting_.size() - 1)};
}

}  // namespace syncline::models
