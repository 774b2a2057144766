#include "models/clock/lane_team.h"

#ifdef SYNCLINE_SHUFFLE_THREADS
#include <chrono>
#include <random>
#endif

namespace syncline::models {
namespace {

constexpr unsigned patience = 5000;    ///< looks before a thread sleeps, or lets others have its core
constexpr unsigned long_enough = 100;  ///< looks before somebody else does what a thread has not begun

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

#ifdef SYNCLINE_SHUFFLE_THREADS
/// For tests: a while that nobody can foresee.
void linger() {
  thread_local std::mt19937 chance(std::random_device{}());
  for (unsigned looks = chance() % 256; looks != 0; --looks) pause();
  if (chance() % 64 == 0) std::this_thread::sleep_for(std::chrono::microseconds(chance() % 100));
}
#else
void linger() {}
#endif

}  // namespace

LaneTeam::LaneTeam(const std::vector<std::unique_ptr<Lane>>& lanes, unsigned threads) : lanes_(lanes) {
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) stages_.push_back(std::make_unique<Stage>());
  for (std::size_t thread = 1; thread < threads; ++thread) others_.emplace_back([this, thread] { work(thread); });
}

LaneTeam::~LaneTeam() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  begins_.notify_all();
  for (std::thread& thread : others_) thread.join();
}

bool LaneTeam::begin(std::size_t lane, std::uint64_t round) {
  std::uint64_t before = round - 1;
  std::atomic<std::uint64_t>& begun = stages_[lane]->begun;
  // Asked first, as that leaves the line where it is.
  return begun.load(std::memory_order_relaxed) == before && begun.compare_exchange_strong(before, round);
}

template <class Ran>
void LaneTeam::run_lane(std::size_t lane, std::uint64_t round, Ran&& ran) {
  if (!begin(lane, round)) return;
  lanes_[lane]->run(order_.end);
  ran(lane);
}

template <class Ran>
void LaneTeam::run_lanes(std::size_t thread, std::uint64_t round, Ran&& ran) {
  const std::size_t threads = others_.size() + 1;
  if (lanes_.size() == threads) return run_lane(thread, round, ran);
  const std::size_t own = lanes_.size() * thread / threads;
  for (std::size_t i = 0; i < lanes_.size(); ++i) run_lane((own + i) % lanes_.size(), round, ran);
}

void LaneTeam::run(Moment end) {
  order_.end = end;
  const std::uint64_t round = order_.round.load(std::memory_order_relaxed) + 1;
  order_.round.store(round, std::memory_order_release);
  // One that falls asleep just now may be missed: what it does not begin is done without it.
  if (asleep_.load(std::memory_order_relaxed) != 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    begins_.notify_all();
  }
  linger();
  static_assert(max_lanes <= 64);
  std::uint64_t ran = 0;
  const auto has_run = [&ran](std::size_t lane) { ran |= std::uint64_t{1} << lane; };
  run_lanes(0, round, has_run);
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const std::atomic<std::uint64_t>& done = stages_[lane]->done;
    const unsigned awaited = (done_here_ >> lane & 1) != 0 ? 0 : long_enough;
    for (unsigned looks = 0; (ran >> lane & 1) == 0 && done.load(std::memory_order_acquire) != round; ++looks) {
      if (looks == awaited)
        run_lane(lane, round, has_run);
      else if (looks < patience)
        pause();
      else
        std::this_thread::yield();
    }
  }
  done_here_ = ran;
}

std::uint64_t LaneTeam::await(std::uint64_t round) {
  for (unsigned looks = 0; looks < patience; ++looks) {
    const std::uint64_t now = order_.round.load(std::memory_order_acquire);
    if (now != round) return now;
    pause();
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++asleep_;
  begins_.wait(lock, [&] { return over_ || order_.round.load(std::memory_order_acquire) != round; });
  --asleep_;
  return over_ ? 0 : order_.round.load(std::memory_order_acquire);
}

void LaneTeam::work(std::size_t thread) {
  for (std::uint64_t round = 0; (round = await(round)) != 0;) {
    linger();
    run_lanes(thread, round, [&](std::size_t lane) {
      linger();
      stages_[lane]->done.store(round, std::memory_order_release);
    });
  }
}

}  // namespace syncline::models
