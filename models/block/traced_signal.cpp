#include "models/block/traced_signal.h"

#include <iterator>

namespace syncline::models {

const std::vector<TracedSignal>& TracedSignals::all() {
  if (when_asked_.empty()) return signals_;
  const std::vector<WhenAsked> when_asked = std::exchange(when_asked_, {});
  std::vector<TracedSignal> at_once = std::exchange(signals_, {});
  auto next = at_once.begin();
  const auto take_up_to = [&](auto end) {
    signals_.insert(signals_.end(), std::make_move_iterator(next), std::make_move_iterator(end));
    next = end;
  };
  for (const WhenAsked& one : when_asked) {
    take_up_to(at_once.begin() + static_cast<std::ptrdiff_t>(one.place));
    one.add_them();
  }
  take_up_to(at_once.end());
  return signals_;
}

}  // namespace syncline::models
