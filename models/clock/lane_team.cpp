#include "models/clock/lane_team.h"

#ifdef SYNCLINE_SHUFFLE_THREADS
#include <chrono>
#include <random>
#endif

namespace syncline::models {
namespace {

constexpr unsigned patience = 5000;  ///< looks before a thread sleeps, or lets others have its core

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
void LaneTeam::run_lanes(std::size_t thread, std::uint64_t round, Ran&& ran) {
  const std::size_t own = lanes_.size() * thread / (others_.size() + 1);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const std::size_t lane = (own + i) % lanes_.size();
    if (!begin(lane, round)) continue;
    lanes_[lane]->run(end_);
    ran(lane);
  }
}

void LaneTeam::run(Moment end) {
  end_ = end;
  const std::uint64_t round = round_.load(std::memory_order_relaxed) + 1;
  round_.store(round);
  if (asleep_.load() != 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    begins_.notify_all();
  }
  linger();
  static_assert(max_lanes <= 64);
  std::uint64_t ran = 0;
  run_lanes(0, round, [&ran](std::size_t lane) { ran |= std::uint64_t{1} << lane; });
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    if ((ran >> lane & 1) != 0) continue;
    const std::atomic<std::uint64_t>& done = stages_[lane]->done;
    for (unsigned looks = 0; done.load(std::memory_order_acquire) != round; ++looks) {
      if (looks < patience)
        pause();
      else
        std::this_thread::yield();
    }
  }
}

std::uint64_t LaneTeam::await(std::uint64_t round) {
  for (unsigned looks = 0; looks < patience; ++looks) {
    const std::uint64_t now = round_.load(std::memory_order_acquire);
    if (now != round) return now;
    if (over_.load(std::memory_order_relaxed)) return 0;
    pause();
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++asleep_;
  begins_.wait(lock, [&] { return over_ || round_.load() != round; });
  --asleep_;
  return over_ ? 0 : round_.load();
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
