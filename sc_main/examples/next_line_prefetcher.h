// A prefetcher between an SM and its L1: a load of a line asks for the next one, too.
#pragma once

#include <optional>
#include <systemc>

#include "models/sm/sm_unit.h"

class NextLinePrefetcher : public syncline::models::SmUnit {
 public:
  NextLinePrefetcher(const sc_core::sc_module_name& name, syncline::models::PlatformContext& context,
                     unsigned line_bytes)
      : SmUnit(name, context), line_bytes_(line_bytes) {
    statistic("prefetches", "messages", "lines that were asked for ahead", prefetches_);
  }

 private:
  using Message = syncline::models::Message;

  bool claims(const Message& request) const override {
    return request.message_class == syncline::models::MessageClass::load_request &&
           syncline::models::l1_kind(request) == syncline::models::L1Kind::global;
  }
  bool accept(Message& request, const sc_core::sc_time& arrival) override {
    if (!can_forward(request.network)) return false;  // offered again when the link is free
    const syncline::base::LineAddress next(request.line.value() + line_bytes_);
    const bool in_page = next.value() % page_bytes != 0;  // what is behind may be no memory
    Message* const hint_for_it = in_page && next != last_ ? &hint(next, line_bytes_, request) : nullptr;
    forward(request, arrival);
    if (hint_for_it == nullptr) return true;
    last_ = next;
    if (!can_forward(syncline::models::sm_l1_network)) {
      hint_for_it->payload()->release();  // a hint is not worth waiting
      return true;
    }
    forward(*hint_for_it, arrival);
    prefetches_.add();
    return true;
  }

  static constexpr std::uint64_t page_bytes = 4096;
  const unsigned line_bytes_;
  syncline::base::LineAddress last_;
  syncline::base::Counter prefetches_;
};
