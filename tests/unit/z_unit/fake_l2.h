// An L2 for tests of units before it: answers plain reads and writes after times that the test chooses.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "models/block/block.h"
#include "models/cache/translate.h"
#include "models/transport/message_port.h"

namespace syncline::tests {

/// Requests to one line are performed in the order of arrival, those to different lines in any order.
class FakeL2 : public sc_core::sc_module,
               public models::Ticked,
               private models::MessageReceiver,
               private models::MessageSender {
 public:
  FakeL2(const sc_core::sc_module_name& name, models::ClockDomain& clock, const protocols::CoherencePolicy& policy)
      : sc_core::sc_module(name), requests("requests", *this), replies("replies", *this), policy_(policy) {
    clock.add(*this, models::TickRank::l2_slice, this->name());
  }
  models::MessageTarget requests;
  models::MessageInitiator replies;

  base::Cycle latency = 1;    ///< of an answer, in cycles of its clock, and
  base::Cycle max_delay = 1;  ///< less than so many more
  std::size_t capacity = 8;
  bool open = true;       ///< takes requests
  bool answering = true;  ///< performs and answers them
  std::map<std::uint64_t, base::LineData> memory;
  std::vector<std::string> log;  ///< "GETU 1000", in the order of performance

  base::LineData& line(std::uint64_t address) { return memory.try_emplace(address).first->second; }
  void resume() {
    for (unsigned n = 0; n < models::max_virtual_networks; ++n) requests.resume(static_cast<models::VirtualNetwork>(n));
    wake(clock()->now());
  }
  base::Cycle tick(base::Cycle now) override {
    while (answering) {
      const auto due =
          std::find_if(queue_.begin(), queue_.end(), [now](const Waiting& waiting) { return waiting.due <= now; });
      if (due == queue_.end()) break;
      models::Message& m = *due->message;
      queue_.erase(due);
      perform(m);
      ready_.push_back(&m);
    }
    drain();
    if (open) resume_inputs();
    return queue_.empty() || !answering ? base::never : now + 1;
  }

 private:
  struct Waiting {
    models::Message* message;
    base::Cycle due;
  };
  bool receive(models::Message& message, const sc_core::sc_time& arrival, unsigned) override {
    if (!open || queue_.size() >= capacity) return false;
    base::Cycle due =
        clock()->cycle_at_or_after(arrival) + latency + random_.below(static_cast<std::uint32_t>(max_delay));
    for (const Waiting& older : queue_) {
      if (older.message->line == message.line) due = std::max(due, older.due);
    }
    queue_.push_back({&message, due});
    wake(due);
    return true;
  }
  void on_ready(models::VirtualNetwork, unsigned) override { drain(); }
  void resume_inputs() {
    for (unsigned n = 0; n < models::max_virtual_networks; ++n) requests.resume(static_cast<models::VirtualNetwork>(n));
  }
  void perform(models::Message& m) {
    log.push_back(std::string(policy_.messages[m.kind].name) + " " + std::to_string(m.line.value()));
    const bool load = m.kind == policy_.plain->load;
    if (load)
      m.mask.merge(m.data, line(m.line.value()));
    else
      m.mask.merge(line(m.line.value()), m.data);
    m.destination = m.source;
    m.source = models::home_node(base::PartitionId(0));
    models::dress(m, policy_, load ? policy_.plain->load_reply : policy_.plain->store_ack, 128);
  }
  void drain() {
    while (!ready_.empty() && replies.ready(ready_.front()->network)) {
      models::Message& m = *ready_.front();
      ready_.pop_front();
      replies.send(m);
    }
  }

  const protocols::CoherencePolicy& policy_;
  base::Random random_{1, "fake_l2"};
  std::deque<Waiting> queue_;
  std::deque<models::Message*> ready_;
};

}  // namespace syncline::tests
