// The link of a cache to the homes of its lines, below it: it asks them by messages and takes what they say.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/stats.h"
#include "models/cache/inbox.h"
#include "models/cache/links/handle_table.h"
#include "models/cache/outbox.h"
#include "models/cache/stall_counter.h"
#include "models/transport/message_port.h"

namespace syncline::models {

class CacheController;

/// What comes from the network goes first in a cycle, so it never waits for a stalled access.
class HomeLink : private MessageReceiver, private MessageSender {
 public:
  struct Spec {
    std::uint32_t sector;  ///< in which an access that goes on to the home asks, bytes
    std::uint32_t handles;
    std::uint32_t reply_queue;  ///< messages that wait, per virtual network
    std::size_t output_queue;   ///< messages that wait for the network behind their latency, per virtual network
    base::Cycle send_latency;
  };
  /// A line that left for its home, until that has it.
  struct WrittenBack {
    Index handle;  ///< which line and bytes
    base::LineData data;
  };

  HomeLink(CacheController& cache, const Spec& spec);

  MessageInitiator to_network;
  MessageTarget from_network;

  /// When it has more to do, as far as it knows.
  base::Cycle take() {
    stalled_ = false;
    return messages_.empty() ? base::never : take_messages();
  }
  bool stalls() const { return stalled_; }
  bool room(unsigned networks) const { return outbox_.room(networks); }
  /// Whether an access may go on for whom the cache has that role: who is asked by others may need one to answer them.
  bool has_handle(unsigned role) const { return handles_.free() >= std::max(1U, role); }
  /// The cache that asked for what `reply` answers.
  const NodeId& client_of(const Message& reply) const { return access_of(reply).client; }

  // Actions.
  void forward(const protocols::Action& action, Request& request);
  void deliver(const protocols::Action& action, Request& request);
  void send(const protocols::Action& action, const Request& request);
  void write_back(const protocols::Action& action, const Lookup& lookup, const Request& request);
  void write_on(const protocols::Action& action, const Lookup& lookup, const Request& request);
  /// A message of another family goes to the home of its line as it is.
  StallReason pass_by(Message& message);

  /// How many accesses went on to the home.
  std::uint64_t forwarded() const { return forwarded_; }
  bool store_under_way(base::LineAddress line) const;
  const HandleTable& handles() const { return handles_; }
  const std::vector<WrittenBack>& written_back() const { return written_back_; }
  const base::Counter& write_backs() const { return write_backs_; }
  const Inbox& messages() const { return messages_; }
  Outbox& outbox() { return outbox_; }
  const Outbox& outbox() const { return outbox_; }

 private:
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  base::Cycle take_messages();
  StallReason take(Message& message);
  void to_next_line(Message& message, bool kept) const;
  void refresh(Message& message) const;
  void ask_module(const protocols::Action& action, const Message& question);
  const ForwardedAccess& access_of(const Message& reply) const;
  base::Cycle ready_to_leave(const Message& message) const;
  void address(Message& message) const;

  CacheController& cache_;
  const Spec spec_;
  HandleTable handles_;
  std::vector<WrittenBack> written_back_;  ///< under way, in the order of leaving
  Inbox messages_;
  Outbox outbox_;
  bool stalled_ = false;  ///< a message of the network could not proceed in this tick
  unsigned asked_ = 0;    ///< slices of this module that have still to answer a fence of this L1
  std::uint64_t forwarded_ = 0;
  base::Counter write_backs_;
};

}  // namespace syncline::models
