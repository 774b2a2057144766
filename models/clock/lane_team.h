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
/// then sleep. Where there are more lanes than threads, whoever has done its own does those of others that have not
/// begun, so that no thread has much more to do than another one. Else the caller does so after a while, and at once if
/// it did in the round before: where the host has fewer cores than threads nobody waits for one that does not run.
///
/// To hand work over costs what the host's cores take to hand lines of their caches over: each word that both sides use
/// stands in a line with those that are written by the same one at the same time.
class LaneTeam {
 public:
  /// `threads`: no more than lanes.
  LaneTeam(const std::vector<std::unique_ptr<Lane>>& lanes, unsigned threads);
  ~LaneTeam();

  /// Has all lanes do their turns before `end`, and returns when they have.
  void run(Moment end);

 private:
  /// What the caller says.
  struct alignas(64) Order {
    std::atomic<std::uint64_t> round{0};
    Moment end;  ///< for who has begun a lane: until that is done there is no other round
  };
  /// Of a lane: number of the round.
  struct Stage {
    alignas(64) std::atomic<std::uint64_t> begun{0};
    alignas(64) std::atomic<std::uint64_t> done{0};
  };
  void work(std::size_t thread);
  /// Begins the lane, if nobody has in this round.
  bool begin(std::size_t lane, std::uint64_t round);
  /// Runs lanes that nobody has begun, from the thread's own on; `ran` is told of each.
  template <class Ran>
  void run_lanes(std::size_t thread, std::uint64_t round, Ran&& ran);
  template <class Ran>
  void run_lane(std::size_t lane, std::uint64_t round, Ran&& ran);
  /// The next round behind `round`; 0: it is over.
  std::uint64_t await(std::uint64_t round);

  const std::vector<std::unique_ptr<Lane>>& lanes_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<std::thread> others_;
  std::uint64_t done_here_ = 0;  ///< bit n: the caller has done lane n in the last round
  Order order_;
  alignas(64) std::atomic<unsigned> asleep_{0};
  std::mutex mutex_;
  bool over_ = false;
  std::condition_variable begins_;
};

}  // namespace syncline::models
