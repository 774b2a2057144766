#include "models/gpudet/log_port.h"

#include <utility>

namespace syncline::models {

Message& LogPort::make(MessageClass message_class, base::LineAddress line, const base::ByteMask& mask) {
  Message& message = chain_->make_request(message_class, L1Kind::global);
  message.line = line;
  message.mask = mask;
  return message;
}

Message& LogPort::prepare(Message& message, LogClient& client, std::uint32_t token) {
  const std::uint32_t number = pending_.take();
  pending_[number] = {&client, token};
  message.tag = own | number;
  return message;
}

void LogPort::send(Message& message, LogClient& client, std::uint32_t token) {
  chain_->forward(stage_, prepare(message, client, token));
}

void LogPort::read(base::LineAddress line, const base::ByteMask& mask, LogClient& client, std::uint32_t token,
                   isa::CacheOp cache) {
  for (Gathered& gathered : gathered_) {
    if (gathered.line == line) flush(gathered);
  }
  Message& message = make(MessageClass::load_request, line, mask);
  set_l1_kind(message, L1Kind::local);
  message.cache = cache;
  send(message, client, token);
}

base::LineData& LogPort::write(LogPart part, base::LineAddress line, const base::ByteMask& mask) {
  Gathered& gathered = gathered_[static_cast<std::size_t>(part)];
  if (gathered.line != line) flush(gathered);
  gathered.line = line;
  gathered.mask |= mask;
  return gathered.data;
}

void LogPort::flush(Gathered& gathered) {
  if (gathered.mask.empty()) return;
  Message& message = make(MessageClass::store_request, gathered.line, std::exchange(gathered.mask, {}));
  set_l1_kind(message, L1Kind::local);
  message.data = gathered.data;
  message.posted = true;
  lines_written_.add();
  chain_->forward(stage_, message);
}

void LogPort::invalidate(LogClient& client) {
  Message& message = make(MessageClass::control, base::LineAddress(0), {});
  set_l1_kind(message, L1Kind::grid_begin);
  send(message, client, 0);
}

bool LogPort::reply(Message& message, base::Cycle now) {
  if ((message.tag & own) == 0) return false;
  const std::uint32_t number = message.tag & ~own;
  const Pending pending = pending_[number];
  pending_.release(number);
  if (!pending.client->answered(pending.token, message, now)) message.payload()->release();
  return true;
}

}  // namespace syncline::models
