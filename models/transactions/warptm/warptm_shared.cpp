#include "models/transactions/warptm/warptm_shared.h"

#include "models/transactions/warptm/warptm_core.h"

namespace syncline::models {

WarptmShared::WarptmShared(const sc_core::sc_module_name& name, PlatformContext& context, const WarptmKeys& keys)
    : Block(name, context), tickets_(keys.machine, 1) {
  statistic("commit_ids", "commit IDs", "that were given out", given_);
}

protocols::warptm::Ticket WarptmShared::take(unsigned count) {
  const TileTurn turn(tile(), Leak::transactions);
  given_.add(count);
  over_.resize(over_.size() + count, false);
  return tickets_.take(count);
}

void WarptmShared::over(protocols::warptm::Ticket ticket) {
  const TileTurn turn(tile(), Leak::transactions);
  over_[ticket - oldest_] = true;
  if (!over_.front()) return;
  for (; !over_.empty() && over_.front(); ++oldest_) over_.pop_front();
  tickets_.retired(0, oldest_);
  for (WarptmCore* const core : cores_) core->tickets_are_free();
}

}  // namespace syncline::models
