#include "models/transactions/log_lines.h"

#include <algorithm>

namespace syncline::models {

Message& LogLines::access(unsigned slot, LogKind kind, unsigned entry, unsigned line, MessageClass message_class) {
  const std::uint64_t log = std::uint64_t{slot} * logs + static_cast<unsigned>(kind);
  const std::uint64_t number = (log * entries_ + entry % entries_) * lines_of_entry + line;
  Message& message = chain_->make_request(message_class, L1Kind::local);
  message.warp = base::WarpSlot(static_cast<std::uint16_t>(slot));
  message.line = base::LineAddress(base_ + number * line_bytes_);
  message.mask = base::ByteMask::all(line_bytes_);
  return message;
}

void LogLines::append(unsigned slot, LogKind kind, unsigned entries) {
  unsigned& length = kind == LogKind::read ? lengths_[slot].read : lengths_[slot].write;
  for (; entries != 0; --entries, ++length) {
    for (unsigned line = 0; line < lines_of_entry; ++line) {
      Message& message = access(slot, kind, length, line, MessageClass::store_request);
      message.posted = true;
      written_.add();
      chain_->send(*stage_, message, 0);
    }
  }
}

unsigned LogLines::search(unsigned slot, std::uint32_t token) {
  return read(slot, LogKind::write, 1, isa::CacheOp::none, token);
}

unsigned LogLines::read_out(unsigned slot, LogKind kind, std::uint32_t token) {
  return read(slot, kind, entries_, isa::CacheOp::lu, token);
}

unsigned LogLines::read(unsigned slot, LogKind kind, unsigned entries, isa::CacheOp cache, std::uint32_t token) {
  const unsigned all = length(slot, kind), count = std::min(entries, all);
  for (unsigned entry = all - count; entry < all; ++entry) {
    for (unsigned line = 0; line < lines_of_entry; ++line) {
      read_.add();
      Message& message = access(slot, kind, entry, line, MessageClass::load_request);
      message.cache = cache;
      chain_->send(*stage_, message, token);
    }
  }
  return count * lines_of_entry;
}

}  // namespace syncline::models
