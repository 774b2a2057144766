#include "base/error.h"
#include "models/sm/schedulers/greedy_then_oldest.h"
#include "models/sm/schedulers/lrr.h"
#include "models/sm/schedulers/two_level.h"

namespace syncline::models {

const base::ChoiceTable<SchedulerPolicy>& scheduler_policies() {
  static const base::ChoiceTable<SchedulerPolicy> table = {
      {"lrr", SchedulerPolicy::lrr}, {"gto", SchedulerPolicy::gto}, {"two_level", SchedulerPolicy::two_level}};
  return table;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(const SchedulerSpec& spec, unsigned first) {
  switch (spec.policy) {
    case SchedulerPolicy::lrr:
      return std::make_unique<LooseRoundRobin>(first);
    case SchedulerPolicy::gto:
      return std::make_unique<GreedyThenOldest>(spec.starvation_limit);
    case SchedulerPolicy::two_level:
      return std::make_unique<TwoLevel>(spec.active_warps, spec.starvation_limit, first);
  }
  throw base::ModelError("unknown warp scheduling policy");
}

}  // namespace syncline::models
