#include "models/transactions/getm/getm_rollover.h"

#include <fmt/format.h>

#include "models/transactions/getm/getm_core.h"

namespace syncline::models {

using Phase = protocols::getm::Rollover::Phase;

GetmRollover::GetmRollover(const sc_core::sc_module_name& name, PlatformContext& context, unsigned units,
                           unsigned cores)
    : Block(name, context), units_(units), machine_(units, cores) {
  statistic("rollovers", "times", "that all timestamps began anew", rollovers_);
}

void GetmRollover::ask() {
  if (under_way()) return;
  const TileTurn turn(tile(), Leak::transactions);
  machine_.ask();
  cores_.front()->tell_units(TransactionKind::stop);
}

void GetmRollover::units_told() {
  const TileTurn turn(tile(), Leak::transactions);
  if (restarting_) {
    restarting_ = false;
    rollovers_.add();
    for (GetmCore* const core : cores_) core->restart();
    return;
  }
  for (unsigned unit = 0; unit < units_; ++unit) machine_.unit_stopped();
  for (GetmCore* const core : cores_) core->stop();
}

void GetmRollover::core_stopped() {
  if (!machine_.core_stopped()) return;
  const TileTurn turn(tile(), Leak::transactions);
  restarting_ = true;
  cores_.front()->tell_units(TransactionKind::restart);
}

std::vector<std::string> GetmRollover::describe_waiting() const {
  if (!under_way()) return {};
  if (restarting_) return {"all have stopped, and the units are to restart from time 0"};
  return {fmt::format("timestamps are used up; {} {} have not stopped", machine_.missing(),
                      machine_.phase() == Phase::stopping_units ? "units" : "cores")};
}

}  // namespace syncline::models
