// The family of transactions' messages: validation, logs and commit, under one traffic name.
#pragma once

#include "models/transport/message_family.h"

namespace syncline::models {

extern const MessageFamily transaction_family;

enum class TransactionKind : std::uint8_t {
  load,
  store,
  log,
  stop,
  restart,
  loaded,
  stored,
  refused,
  done,
  region,
  applied,
  // of the policies that validate at the end
  read,
  words,
  read_set,
  write_set,
  log_end,
  no_log,
  outcome,
  validated,
  written,
  listen,
  hint,
};

inline TransactionKind transaction_kind(const Message& message) {
  return static_cast<TransactionKind>(message.kind);
}
inline void set_kind(Message& message, TransactionKind kind) {
  set_kind(message, transaction_family, static_cast<std::uint8_t>(kind));
}

}  // namespace syncline::models
