#include "protocols/coherence/explore/lockstep.h"

#include <deque>
#include <utility>

#include "base/error.h"
#include "protocols/coherence/explore/steps.h"
#include "protocols/explore/state_set.h"

namespace syncline::protocols::explore {

bool behave_alike(const CoherencePolicy& one, const CoherencePolicy& other, const Program& program,
                  const CoherenceContext& context, const ExploreOptions& options) {
  World first_world(one, program, context, options.world), second_world(other, program, context, options.world);
  const Steps first(first_world, options.merge, options.reduce_orders);
  const Steps second(second_world, options.merge, options.reduce_orders);
  const Shape& shape = first.shape();
  StateSet seen;
  std::deque<std::pair<std::string, std::string>> work;
  std::string a, b;
  const auto visit = [&](const State& x, const State& y) {
    encode(x, shape, a);
    encode(y, shape, b);
    if (seen.insert(hash_of(a + b)).second) work.emplace_back(a, b);
  };
  visit(first.first_state(), second.first_state());
  std::vector<Step> steps, same_steps;
  while (!work.empty()) {
    if (seen.size() > options.max_states) return false;
    const State x = decode(work.front().first, shape), y = decode(work.front().second, shape);
    work.pop_front();
    first.list(x, steps);
    second.list(y, same_steps);
    if (steps != same_steps) return false;
    for (const Step& step : steps) {
      State next_x = x, next_y = y;
      try {
        if (first.apply(next_x, step) != second.apply(next_y, step)) return false;
        first.settle(next_x);
        second.settle(next_y);
      } catch (const base::ModelError&) {
        return false;
      }
      encode_outside(next_x, shape, a);
      encode_outside(next_y, shape, b);
      if (a != b) return false;
      visit(next_x, next_y);
    }
  }
  return true;
}

}  // namespace syncline::protocols::explore
