// The SM's side of an L1: sends requests in order, calls back with each reply.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "models/sm/l1_interface.h"
#include "models/transport/message_pool.h"
#include "models/transport/message_port.h"

namespace syncline::stress {

class Core : public sc_core::sc_module, private models::MessageSender, private models::MessageReceiver {
 public:
  using OnReply = std::function<void(models::Message&)>;

  Core(const sc_core::sc_module_name& name, models::MessagePool& pool)
      : sc_core::sc_module(name), to_l1("to_l1", *this), from_l1("from_l1", *this), pool_(pool) {}

  /// A message of the contract with its tag set.
  models::Message& request(models::MessageClass message_class, models::L1Kind kind, std::uint64_t line,
                           unsigned warp = 0) {
    models::Message& m = pool_.get();
    m.message_class = message_class;
    models::set_l1_kind(m, kind);
    m.line = base::LineAddress(line);
    m.warp = base::WarpSlot(static_cast<std::uint16_t>(warp));
    m.tag = next_tag_++;
    return m;
  }
  void send(models::Message& m, OnReply on_reply) {
    if (on_reply) waiting_[m.tag] = {std::move(on_reply), m.family, m.kind};
    queue_.push_back(&m);
    drain();
  }
  bool idle() const { return waiting_.empty() && queue_.empty(); }
  std::size_t outstanding() const { return waiting_.size(); }

  models::MessageInitiator to_l1;
  models::MessageTarget from_l1;
  std::uint64_t last_reply_ps = 0;

 private:
  struct Waiting {
    OnReply on_reply;
    const models::MessageFamily* family = nullptr;
    std::uint8_t kind = 0;
  };
  void drain() {
    while (!queue_.empty() && to_l1.ready(models::sm_l1_network)) {
      models::Message& m = *queue_.front();
      queue_.pop_front();
      to_l1.send(m);
    }
  }
  void on_ready(models::VirtualNetwork, unsigned) override { drain(); }
  bool receive(models::Message& message, const sc_core::sc_time& arrival, unsigned) override {
    const auto found = waiting_.find(message.tag);
    if (found == waiting_.end()) throw std::runtime_error("a reply that nobody waits for");
    const bool echoes_kind = message.kind == found->second.kind || message.family != &models::l1_family;
    if (message.family != found->second.family || !echoes_kind)
      throw std::runtime_error("a reply that does not echo its kind");
    const OnReply on_reply = std::move(found->second.on_reply);
    waiting_.erase(found);
    last_reply_ps = arrival.value();
    on_reply(message);
    message.payload()->release();
    return true;
  }

  models::MessagePool& pool_;
  std::uint32_t next_tag_ = 1000;
  std::deque<models::Message*> queue_;
  std::map<std::uint32_t, Waiting> waiting_;
};

}  // namespace syncline::stress
