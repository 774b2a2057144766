// What units of partitions send on: to the L2 or the unit behind, and to the SMs, when the links are free.
#pragma once

#include <boost/circular_buffer.hpp>

#include "models/partition/partition_unit.h"

namespace syncline::models {

/// Messages that leave a unit in order, each not before its time.
class UnitOutput {
 public:
  explicit UnitOutput(std::size_t capacity) : messages_(capacity) {}
  std::size_t room() const { return messages_.capacity() - messages_.size(); }
  bool empty() const { return messages_.empty(); }
  void push(Message& message, base::Cycle at) { messages_.push_back({&message, at}); }
  /// Takes out all whose time has come, as far as `may_leave(network)`, and gives them to `leave(message)`.
  template <class MayLeave, class Leave>
  void send(base::Cycle now, MayLeave&& may_leave, Leave&& leave) {
    while (!messages_.empty() && messages_.front().at <= now && may_leave(messages_.front().message->network)) {
      Message& message = *messages_.front().message;
      messages_.pop_front();
      leave(message);
    }
  }
  base::Cycle next() const { return messages_.empty() ? base::never : messages_.front().at; }

 private:
  struct Entry {
    Message* message;
    base::Cycle at;
  };
  boost::circular_buffer<Entry> messages_;
};

}  // namespace syncline::models
