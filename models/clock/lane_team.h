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

/// Threads, the caller one of them, have lanes of their own, each one or some. They wait for work for microseconds, and
/// then sleep. Whoever has done its own lanes does those of others that have not begun: so no thread has much more to
/// do than another one where there are more lanes than threads, and where the host has fewer cores than threads nobody
/// waits for one that does not run.
class LaneTeam {
 public:
  /// `threads`: no more than lanes.
  LaneTeam(const std::vector<std::unique_ptr<Lane>>& lanes, unsigned threads);
  ~LaneTeam();

  /// Has all lanes do their turns before `end`, and returns when they have.
  void run(Moment end);

 private:
  /// Of a lane.
  struct alignas(64) Stage {
    std::atomic<std::uint64_t> begun{0}, done{0};  ///< number of the round
  };
  void work(std::size_t thread);
  /// Begins the lane, if nobody has in this round.
  bool begin(std::size_t lane, std::uint64_t round);
  /// Runs the lanes that nobody has begun, from the thread's own on; `ran` is told of each.
  template <class Ran>
  void run_lanes(std::size_t thread, std::uint64_t round, Ran&& ran);
  /// The next round behind `round`; 0: it is over.
  std::uint64_t await(std::uint64_t round);

  const std::vector<std::unique_ptr<Lane>>& lanes_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::thread> others_;
  Moment end_;
  alignas(64) std::atomic<std::uint64_t> round_{0};
  std::atomic<bool> over_{false};
  std::atomic<unsigned> asleep_{0};
  std::mutex mutex_;
  std::condition_variable begins_;
};

}  // namespace syncline::models
