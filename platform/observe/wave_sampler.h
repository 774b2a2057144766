// Values of signals over time, at a cost that follows what happens and not how many signals there are.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/block/block.h"
#include "platform/observe/wave_sink.h"

namespace syncline::platform {

/// Looks at the signals of blocks that have had a turn or have been woken, and at those that may change at any time.
class WaveSampler {
 public:
  /// Sorted by block. `active` is called when there is something to look at and was nothing since the last look.
  WaveSampler(std::vector<const models::TracedSignal*> signals, std::function<void()> active);

  /// Looks at all, and hears of what happens from now on.
  void start();
  /// Nothing is heard any more.
  void stop();
  /// What has changed since the last look, in the order of signals.
  const std::vector<WaveSink::Change>& look();
  /// Time alone may change something until the next cycle.
  bool changes_by_time() const { return !by_time_.empty(); }
  const std::vector<std::uint64_t>& values() const { return values_; }
  const std::vector<const models::TracedSignal*>& signals() const { return signals_; }

 private:
  /// The signals of one block.
  struct Group {
    std::uint32_t first, last;
    models::Ticked* unit;
    bool any_time;
  };
  /// What looking at a signal takes, side by side with that of its neighbours.
  struct Look {
    std::function<std::uint64_t()> value;
    const std::uint64_t* word;      ///< TracedAs::word
    bool until_zero;                ///< Changes::until_zero
    bool by_time = true;            ///< time may have changed the value since; or nobody has looked yet
    std::uint64_t word_before = 0;  ///< as of the last look
  };
  void add_groups();
  void look_at(std::uint32_t group);

  std::vector<const models::TracedSignal*> signals_;
  std::vector<Look> looks_;
  std::vector<std::uint64_t> values_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> by_time_;  ///< groups
  std::vector<WaveSink::Change> changes_;
  models::ActivityLog log_;
};

}  // namespace syncline::platform
