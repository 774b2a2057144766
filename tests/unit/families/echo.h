// A message family of a program's own, and the unit of a memory partition that claims it: all that such a family takes.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "models/cache/translate.h"
#include "models/partition/partition_unit.h"

namespace syncline::tests {

/// A question names a word of memory by its line and offset; the answer brings the word and what was to be added to it.
/// There are two kinds of questions, so that two units of a partition have something to claim.
inline const models::MessageFamily echo_family{
    "echo",
    "questions about words of memory",
    {"questions", "answers"},
    {{"echo_question", ""}, {"echo_answer", ""}},
    {{"low", 0, protocols::Payload::none, 8, 0, models::Passage::by, "the word plus `add`"},
     {"high", 0, protocols::Payload::none, 8, 0, models::Passage::by, "the word plus 1000 times `add`"},
     {"answer", 1, protocols::Payload::none, 12, 1, models::Passage::by, "the sum, and who worked it out"}}};
enum class Echo : std::uint8_t { low, high, answer };

struct EchoBody {
  std::uint32_t offset = 0;  ///< of the word in the line
  std::uint32_t add = 0;
  std::uint32_t sum = 0;  ///< of an answer
};

/// Claims the questions of one kind, asks the L2 for each, and answers in the order in which the L2 does.
class EchoUnit : public models::PartitionUnit, private models::Ticked {
 public:
  EchoUnit(const sc_core::sc_module_name& name, models::PlatformContext& context, models::ClockDomain& clock,
           const protocols::CoherencePolicy& policy, Echo claimed, unsigned line_bytes)
      : PartitionUnit(name, context), policy_(policy), claimed_(claimed), line_bytes_(line_bytes), slots_(4) {
    clock.add(*this, models::TickRank::partition, this->name());
  }
  unsigned refused = 0;

 private:
  struct Slot {
    models::Message* question = nullptr;
    bool asked = false, known = false;
  };

  bool claims(const models::Message& request) const override {
    return request.family == &echo_family && static_cast<Echo>(request.kind) == claimed_;
  }
  bool accept(models::Message& request, const sc_core::sc_time& arrival) override {
    for (Slot& slot : slots_) {
      if (slot.question != nullptr) continue;
      slot = {&request, false, false};
      wake(clock()->cycle_at_or_after(arrival) + 1);
      return true;
    }
    ++refused;
    return false;
  }
  bool accept_reply(models::Message& reply, const sc_core::sc_time& arrival) override {
    Slot& slot = slots_.at(reply.tag);
    EchoBody& body = models::body<EchoBody>(*slot.question);
    std::memcpy(&body.sum, reply.data.data() + body.offset, sizeof body.sum);
    body.sum += claimed_ == Echo::low ? body.add : 1000 * body.add;
    slot.known = true;
    reply.payload()->release();
    wake(clock()->cycle_at_or_after(arrival) + 1);
    return true;
  }
  void on_can_forward(models::VirtualNetwork) override { wake(clock()->now()); }
  void on_can_reply(models::VirtualNetwork) override { wake(clock()->now()); }

  base::Cycle tick(base::Cycle now) override {
    base::Cycle next = base::never;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.question == nullptr) continue;
      if (slot.known) {
        answer(slot);
      } else if (!slot.asked) {
        ask_for(slot, static_cast<std::uint32_t>(i));
        if (!slot.asked) next = now + 1;
      }
    }
    for (unsigned n = 0; n < models::max_virtual_networks; ++n)
      request_in.resume(static_cast<models::VirtualNetwork>(n));
    return next;
  }
  void ask_for(Slot& slot, std::uint32_t number) {
    if (!can_forward(policy_.messages[policy_.plain->load].network)) return;
    models::Message& m = ask(slot.question->line, *slot.question);
    m.mask = base::ByteMask::all(line_bytes_);
    m.tag = number;
    models::dress(m, policy_, policy_.plain->load, line_bytes_);
    forward(m, sc_core::sc_time_stamp());
    slot.asked = true;
  }
  void answer(Slot& slot) {
    models::Message& m = *slot.question;
    models::dress(m, echo_family, static_cast<std::uint8_t>(Echo::answer), context().families, policy_, line_bytes_);
    if (!can_reply(m.network)) return;
    turn(m);
    slot = {};
    reply(m, sc_core::sc_time_stamp());
  }

  const protocols::CoherencePolicy& policy_;
  const Echo claimed_;
  const unsigned line_bytes_;
  std::vector<Slot> slots_;
};

}  // namespace syncline::tests
