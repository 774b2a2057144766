#include "models/transactions/transaction_unit.h"

#include "models/cache/translate.h"
#include "models/clock/turn.h"

namespace syncline::models {

TransactionUnit::TransactionUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                                 const protocols::CoherencePolicy& policy, unsigned line_bytes, std::size_t queue)
    : PartitionUnit(name, context), policy_(policy), line_bytes_(line_bytes), towards_l2_(queue), towards_sms_(queue) {
  clock.add(*this, TickRank::partition, this->name());
}

void TransactionUnit::answer(Message& request, TransactionKind kind, base::Cycle at) {
  const base::ByteMask mask = request.mask;
  if (kind != TransactionKind::loaded && kind != TransactionKind::words) request.mask = {};
  request.ideal = false;  // as a core's question whether there is news may be; the news are not
  turn(request);
  dress(request, transaction_family, static_cast<std::uint8_t>(kind), context().families, policy_, line_bytes_);
  request.mask = mask;
  towards_sms_.push(request, at);
}

void TransactionUnit::send() {
  const base::Cycle now = clock()->now();
  towards_l2_.send(
      now, [this](VirtualNetwork network) { return can_forward(network); },
      [this](Message& m) { forward(m, time_now()); });
  towards_sms_.send(
      now, [this](VirtualNetwork network) { return can_reply(network); },
      [this](Message& m) {
        reply(m, time_now());
        on_replied();
      });
}

}  // namespace syncline::models
