#include "consistency/online/atomic_order.h"

#include <algorithm>
#include <numeric>

namespace syncline::consistency {
namespace {

constexpr unsigned all_orders_of = 6;

/// The values that steps join, by number.
class Values {
 public:
  unsigned number_of(const AtomicBits& value) {
    const auto found = std::find(values_.begin(), values_.end(), value);
    const auto number = static_cast<unsigned>(found - values_.begin());
    if (found == values_.end()) {
      values_.push_back(value);
      joined_.push_back(number);
      surplus_.push_back(0);
    }
    return number;
  }
  void join(const AtomicBits& from, const AtomicBits& to) {
    const unsigned a = number_of(from), b = number_of(to);
    --surplus_[a];
    ++surplus_[b];
    joined_[root(a)] = root(b);
  }
  /// Each is left as often as it is found, and all are joined.
  bool are_one_round() {
    for (unsigned i = 0; i < values_.size(); ++i) {
      if (surplus_[i] != 0 || root(i) != root(0)) return false;
    }
    return true;
  }

 private:
  unsigned root(unsigned number) const {
    while (joined_[number] != number) number = joined_[number];
    return number;
  }
  std::vector<AtomicBits> values_;
  std::vector<unsigned> joined_;
  std::vector<int> surplus_;
};

}  // namespace

bool follow_each_other(const std::vector<AtomicStep>& steps, const AtomicBits& before, const AtomicBits& after) {
  AtomicBits now = before;
  const bool as_given = std::all_of(steps.begin(), steps.end(), [&](const AtomicStep& step) {
    const bool follows = step.found == now;
    now = step.left;
    return follows;
  });
  if (as_given && now == after) return true;
  Values values;
  values.join(after, before);  // back to the beginning
  for (const AtomicStep& step : steps) values.join(step.found, step.left);
  return values.are_one_round();
}

OrderVerdict can_leave(unsigned count, const AtomicStepFunction& apply, bool commute, const AtomicBits& before,
                       const AtomicBits& after) {
  std::vector<unsigned> order(count);
  std::iota(order.begin(), order.end(), 0U);
  do {
    AtomicBits now = before;
    for (const unsigned step : order) now = apply(step, now);
    if (now == after) return OrderVerdict::exists;
    if (commute) return OrderVerdict::none;
    if (count > all_orders_of) return OrderVerdict::unknown;
  } while (std::next_permutation(order.begin(), order.end()));
  return OrderVerdict::none;
}

}  // namespace syncline::consistency
