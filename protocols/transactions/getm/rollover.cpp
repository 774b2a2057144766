#include "protocols/transactions/getm/rollover.h"

#include "base/error.h"

namespace syncline::protocols::getm {

void Rollover::ask() {
  if (phase_ != Phase::none) return;
  phase_ = Phase::stopping_units;
  missing_ = units_;
}

void Rollover::unit_stopped() {
  if (phase_ != Phase::stopping_units) throw base::ModelError("a unit stops for a rollover that nobody asked for");
  if (--missing_ != 0) return;
  phase_ = Phase::stopping_cores;
  missing_ = cores_;
}

bool Rollover::core_stopped() {
  if (phase_ != Phase::stopping_cores) throw base::ModelError("a core stops for a rollover before the units have");
  if (--missing_ != 0) return false;
  phase_ = Phase::none;
  return true;
}

}  // namespace syncline::protocols::getm
