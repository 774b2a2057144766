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

LaneTeam::LaneTeam(const std::vector<std::unique_ptr<Lane>>& lanes) : lanes_(lanes) {
  for (std::size_t lane = 1; lane < lanes.size(); ++lane) seats_.push_back(std::make_unique<Seat>());
  for (std::size_t lane = 1; lane < lanes.size(); ++lane)
    seats_[lane - 1]->thread = std::thread([this, lane] { work(lane); });
}

LaneTeam::~LaneTeam() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
  }
  begins_.notify_all();
  for (const auto& seat : seats_) seat->thread.join();
}

bool LaneTeam::begin(std::size_t lane, std::uint64_t round) {
  std::uint64_t before = round - 1;
  return seats_[lane - 1]->begun.compare_exchange_strong(before, round);
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
  lanes_[0]->run(end);
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) {
    if (begin(lane, round)) {
      lanes_[lane]->run(end);
      continue;
    }
    const std::atomic<std::uint64_t>& done = seats_[lane - 1]->done;
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

void LaneTeam::work(std::size_t lane) {
  for (std::uint64_t round = 0; (round = await(round)) != 0;) {
    linger();
    if (!begin(lane, round)) continue;
    lanes_[lane]->run(end_);
    linger();
    seats_[lane - 1]->done.store(round, std::memory_order_release);
  }
}

}  // namespace syncline::models
