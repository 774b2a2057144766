// Threads of the host that run lanes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "models/clock/lane.h"

namespace syncline::models {

/// One thread for each lane but the first, which is the caller's. They wait for work for microseconds, and then sleep.
/// A lane whose thread has not begun when the caller has done its own is done by the caller: so where the host has
/// fewer cores than threads nobody waits for one that does not run.
class LaneTeam {
 public:
  explicit LaneTeam(const std::vector<std::unique_ptr<Lane>>& lanes);
  ~LaneTeam();

  /// Has all lanes do their turns before `end`, and returns when they have.
  void run(Moment end);

 private:
  struct alignas(64) Seat {
    std::atomic<std::uint64_t> begun{0}, done{0};  ///< number of the round
    std::thread thread;
  };
  void work(std::size_t lane);
  bool begin(std::size_t lane, std::uint64_t round);
  /// The next round behind `round`; 0: it is over.
  std::uint64_t await(std::uint64_t round);

  const std::vector<std::unique_ptr<Lane>>& lanes_;
  std::vector<std::unique_ptr<Seat>> seats_;  ///< of lane 1 and those behind
  Moment end_;
  alignas(64) std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> over_{false};
  std::atomic<unsigned> asleep_{0};
  std::mutex mutex_;
  std::condition_variable begins_;
};

}  // namespace syncline::models
