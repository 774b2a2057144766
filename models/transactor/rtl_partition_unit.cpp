#include "models/transactor/rtl_partition_unit.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "models/cache/translate.h"
#include "models/clock/turn.h"

namespace syncline::models {
namespace {

constexpr unsigned data_bytes = base::max_line_bytes;

void put_mask(PinBits& bits, const base::ByteMask& mask) {
  for (unsigned word = 0; word < 2; ++word) bits.put(64, mask.word(word));
}

base::ByteMask get_mask(PinBits& bits) {
  base::ByteMask mask;
  for (unsigned byte = 0; byte < data_bytes; ++byte) {
    if (bits.get(1) != 0) mask.set(byte, 1);
  }
  return mask;
}

}  // namespace

RtlPartitionUnit::RtlPartitionUnit(const sc_core::sc_module_name& name, const RtlPartitionSite& site,
                                   const std::string& what, const MakePins<PartitionPins>& pins)
    : PartitionUnit(name, site.context),
      site_(site),
      plain_(plain_access(site.policy, what)),
      home_(home_node(site.partition, site.place)),
      pins_(pins(this->name())),
      in_module_(this->name()),
      sent_(site.context.journal, site.policy, this->name()) {
  site.clock.add(*this, TickRank::partition, this->name());
  statistic("requests", "requests", "taken", requests_);
  statistic("asked", "messages", "sent to the L2", asks_);
  statistic("passed_on", "requests", "that became stores to the L2", passed_on_);
  statistic("answered", "requests", "answered by the unit", answers_);
  statistic("residence", "cycles", "from the acceptance of a request until it left the unit", residence_);
  statistic("clocked", "cycles", "in which the module had a clock", clocked_);
  traced("rtl", "requests", 16, [this] { return in_module_.size(); }, {Changes::with_block});
  for (const RtlSignal& signal : pins_->signals())
    traced("rtl", signal.name, signal.width, signal.value, {Changes::with_block});
}

bool RtlPartitionUnit::accept(Message& request, const sc_core::sc_time& arrival) {
  if (site_.homes.home(request.line.value()) != home_)
    throw base::ModelError(fmt::format("{}: line {:#x} is of another partition", name(), request.line.value()));
  if (offered_ || in_module_.full()) return false;
  offered_at_ = clock()->cycle_at_or_after(arrival);
  requests_.add();
  PinBits& bits = pins_->request.payload;
  bits.clear();
  bits.put_bytes(request.data.data(), data_bytes);
  put_mask(bits, request.mask);
  bits.put(64, site_.homes.local(request.line.value()));
  bits.put_bytes(request.other.bytes.data(), sizeof request.other.bytes);
  bits.put(8, in_module_.enter(request, offered_at_));
  bits.put(8, request.kind);
  offered_ = true;
  wake(offered_at_);
  return true;
}

bool RtlPartitionUnit::accept_reply(Message& reply, const sc_core::sc_time& arrival) {
  if (asked_ == 0) return PartitionUnit::accept_reply(reply, arrival);
  --asked_;
  told_.push_back({&reply, clock()->cycle_at_or_after(arrival)});
  wake(told_.back().at);
  return true;
}

base::Cycle RtlPartitionUnit::tick(base::Cycle now) {
  clocked_.add();
  pins_->request.valid = offered_ && offered_at_ <= now;
  InChannel& told = pins_->told;
  if (!told.valid && !told_.empty() && told_.front().at <= now) {
    told.valid = true;
    told.payload.clear();
    told.payload.put_bytes(told_.front().message->data.data(), data_bytes);
    told.payload.put(24, told_.front().message->tag);
    told_.front().message->payload()->release();
    told_.pop_front();
  }
  send_ask();
  send_answer();
  pins_->ask.ready = to_l2_ == nullptr;
  pins_->answer.ready = to_sm_ == nullptr;
  pins_->settle();
  const bool taken = pins_->request.taken(), was_told = told.taken();
  pins_->edge();
  if (taken) offered_ = false;
  if (was_told) told.valid = false;
  if (pins_->ask.taken()) ask();
  if (pins_->answer.taken()) answer();
  if (!offered_) request_in.resume_all();
  return offered_ || told.valid || !told_.empty() || pins_->busy() ? now + 1 : base::never;
}

void RtlPartitionUnit::send_ask() {
  if (to_l2_ == nullptr || !can_forward(to_l2_->network)) return;
  Message& m = *std::exchange(to_l2_, nullptr);
  asks_.add();
  sent_.note(m, now_ps());
  forward(m, time_now());
}

void RtlPartitionUnit::send_answer() {
  if (to_sm_ == nullptr || !can_reply(to_sm_->network)) return;
  Message& m = *std::exchange(to_sm_, nullptr);
  answers_.add();
  ++tile().progress;
  if (m.family == &coherence_family) sent_.note(m, now_ps());
  reply(m, time_now());
}

/// A link that is shared goes by turns, so that neither side starves.
void RtlPartitionUnit::on_can_forward(VirtualNetwork network) {
  if (own_ask_next_ || !request_in.waiting(network)) send_ask();
  own_ask_next_ = !own_ask_next_;
  wake(clock()->now());
}

void RtlPartitionUnit::on_can_reply(VirtualNetwork network) {
  if (own_answer_next_ || !reply_in.waiting(network)) send_answer();
  own_answer_next_ = !own_answer_next_;
  wake(clock()->now());
}

Message& RtlPartitionUnit::release(std::uint64_t tag) {
  const TaggedRequests::Entry gone = in_module_.leave(tag);
  residence_.sample(clock()->now() - gone.accepted);
  return *gone.message;
}

void RtlPartitionUnit::ask() {
  PinBits& bits = pins_->ask.payload;
  base::LineData data;
  bits.get_bytes(data.data(), data_bytes);
  const base::ByteMask mask = get_mask(bits);
  const std::uint64_t local = bits.get(64);
  const auto id = static_cast<std::uint32_t>(bits.get(24));
  const std::uint64_t tag = bits.get(8);
  const auto kind = static_cast<AskKind>(bits.get(2));
  Message& m = kind == AskKind::pass_on
                   ? release(tag)
                   : PartitionUnit::ask(base::LineAddress(site_.homes.global(home_, local)), in_module_.at(tag));
  if (kind == AskKind::pass_on) {
    m.coherence = {};
    passed_on_.add();
  } else {
    m.tag = id;
    ++asked_;
  }
  m.mask = mask;
  if (kind != AskKind::load) m.data = data;
  dress(m, site_.policy, kind_of_ask(kind), site_.line_bytes);
  to_l2_ = &m;
  send_ask();
}

void RtlPartitionUnit::answer() {
  PinBits& bits = pins_->answer.payload;
  base::LineData data;
  bits.get_bytes(data.data(), data_bytes);
  OtherBody body;
  bits.get_bytes(body.bytes.data(), sizeof body.bytes);
  Message& m = release(bits.get(8));
  const auto kind = static_cast<std::uint8_t>(bits.get(8));
  turn(m);
  if (bits.get(1) != 0) {
    m.coherence = {};
    dress(m, site_.policy, plain_.store_ack, site_.line_bytes);
  } else {
    m.other = body;
    m.data = data;
    dress(m, site_.family, kind, context().families, site_.policy, site_.line_bytes);
  }
  to_sm_ = &m;
  send_answer();
}

std::vector<std::string> RtlPartitionUnit::describe_waiting() const {
  std::vector<std::string> lines = PartitionUnit::describe_waiting();
  if (in_module_.size() != 0)
    lines.push_back(fmt::format("{}: {} requests are in the module", name(), in_module_.size()));
  if (asked_ != 0) lines.push_back(fmt::format("{}: the L2 has still to answer {} messages", name(), asked_));
  if (to_l2_ != nullptr || to_sm_ != nullptr) lines.push_back(fmt::format("{}: messages wait for their links", name()));
  return lines;
}

}  // namespace syncline::models
