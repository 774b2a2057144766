// A transactor for a module in RTL between an SM and its L1: it says when an access goes on, and may add hints.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "models/clock/turn.h"
#include "models/sm/sm_unit.h"
#include "models/transactor/pins.h"
#include "models/transactor/tagged_requests.h"

namespace syncline::models {

/// Each access of the SM to coherent memory becomes a request of models/rtl/sm_pins.sv, in the order of the SM. A
/// response of the module lets a request go on, by its tag, or is a hint to fetch a line; the hint comes before the
/// response that lets go the request for which it is. The module keeps accesses of a warp to a line in order. Other
/// messages and all replies pass through. One request and one response a cycle.
class RtlSmUnit final : public SmUnit, public Ticked {
 public:
  /// `line_bytes`: of the L1.
  RtlSmUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, unsigned line_bytes,
            const MakePins<ServerPins>& pins)
      : SmUnit(name, context), line_bytes_(line_bytes), pins_(pins(this->name())), in_module_(this->name()) {
    clock.add(*this, TickRank::l1_cache, this->name());
    statistic("requests", "accesses", "taken", requests_);
    statistic("hints", "messages", "to the L1", hints_);
    statistic("residence", "cycles", "from the acceptance of an access until the module let it go", residence_);
    traced("rtl", "requests", 16, [this] { return in_module_.size(); }, {Changes::with_block});
    for (const RtlSignal& signal : pins_->signals())
      traced("rtl", signal.name, signal.width, signal.value, {Changes::with_block});
  }

  base::Cycle tick(base::Cycle now) override {
    pins_->request.valid = offered_ && offered_at_ <= now;
    send();
    pins_->response.ready = out_ == nullptr;
    pins_->settle();
    const bool taken = pins_->request.taken();
    pins_->edge();
    if (taken) offered_ = false;
    if (pins_->response.taken()) respond(now);
    if (!offered_) request_in.resume_all();
    return offered_ || pins_->busy() ? now + 1 : base::never;
  }
  std::vector<std::string> describe_waiting() const override {
    std::vector<std::string> lines = SmUnit::describe_waiting();
    if (in_module_.size() != 0)
      lines.push_back(fmt::format("{}: {} accesses are in the module", name(), in_module_.size()));
    if (out_ != nullptr) lines.push_back(fmt::format("{}: an access waits for its link", name()));
    return lines;
  }

 private:
  enum class AccessKind : std::uint8_t { load, store, atomic };

  bool claims(const Message& request) const override {
    return request.message_class != MessageClass::control && l1_kind(request) == L1Kind::global;
  }
  bool accept(Message& request, const sc_core::sc_time& arrival) override {
    if (offered_ || in_module_.full()) return false;
    offered_at_ = clock()->cycle_at_or_after(arrival);
    requests_.add();
    PinBits& bits = pins_->request.payload;
    bits.clear();
    bits.put(64, request.mask.word(0));
    bits.put(64, request.mask.word(1));
    bits.put(64, request.line.value());
    bits.put(8, in_module_.enter(request, offered_at_));
    bits.put(16, request.warp.value());
    bits.put(8, static_cast<std::uint64_t>(kind_of(request)));
    offered_ = true;
    wake(offered_at_);
    return true;
  }
  static AccessKind kind_of(const Message& request) {
    if (request.message_class == MessageClass::load_request) return AccessKind::load;
    return request.message_class == MessageClass::atomic_request ? AccessKind::atomic : AccessKind::store;
  }
  void respond(base::Cycle now) {
    PinBits& bits = pins_->response.payload;
    bits.rewind();
    const base::LineAddress line(bits.get(64));
    const std::uint64_t tag = bits.get(8);
    if (bits.get(1) != 0) {
      hints_.add();
      out_ = &hint(line, line_bytes_, in_module_.at(tag));
    } else {
      const TaggedRequests::Entry gone = in_module_.leave(tag);
      residence_.sample(now - gone.accepted);
      out_ = gone.message;
      ++tile().progress;
    }
    send();
  }
  void send() {
    if (out_ != nullptr && can_forward(out_->network)) forward(*std::exchange(out_, nullptr), time_now());
  }
  void on_can_forward(VirtualNetwork) override {
    send();
    wake(clock()->now());
  }

  const unsigned line_bytes_;
  const std::unique_ptr<ServerPins> pins_;
  TaggedRequests in_module_;
  bool offered_ = false;
  base::Cycle offered_at_ = 0;  ///< when the request at the pins has arrived
  Message* out_ = nullptr;      ///< what the module has given, until there is room on the link
  base::Counter requests_, hints_;
  base::Distribution residence_;
};

}  // namespace syncline::models
