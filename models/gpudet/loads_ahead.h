// Loads that warps issue ahead of their quantum, while the stores of the last one are committed (GPUDet, 8.1.3). The
// controller tells all SMs what all of them have stored, as a Bloom filter: a load of a chunk that the commit may
// write waits here until the commit is over and the L1 holds nothing older; any other reads now what it would read
// then. Neither has to look in a log: a warp that goes ahead has stored nothing yet in its new quantum.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stats.h"
#include "models/gpudet/log_port.h"
#include "protocols/determinism/gpudet/bloom_filter.h"

namespace syncline::models {

class LoadsAhead {
 public:
  using Filter = protocols::gpudet::BloomFilter;

  /// `bits`: of the filter over what this SM has stored in the quantum.
  LoadsAhead(unsigned bits, LogPort& port) : port_(port), written_(bits) {}

  void stored(std::uint64_t chunk) { written_.insert(chunk); }
  const Filter& written() const { return written_; }

  /// Commit mode begins; `all`, the filters of all SMs in one, stays until `memory_is_written`.
  void begin(const Filter& all) { committed_ = &all, ahead_ = true; }
  /// What was held goes on.
  void memory_is_written() {
    committed_ = nullptr;
    for (Message* const load : held_) port_.forward(*load);
    held_.clear();
  }
  /// The logs are empty: loads may look there again.
  void end() {
    ahead_ = false;
    written_.clear();
  }

  /// Loads come ahead of their quantum now, and none that is of an older one is under way.
  bool active() const { return ahead_; }
  /// Keeps the load if the commit may write its chunk.
  bool take(Message& load, std::uint64_t chunk) {
    if (committed_ == nullptr) return false;
    const bool waits = committed_->may_contain(chunk);
    (waits ? statistics_.held : statistics_.passed).add();
    if (waits) held_.push_back(&load);
    return waits;
  }
  std::size_t held() const { return held_.size(); }

  struct Statistics {
    base::Counter passed, held;  ///< line accesses during a commit
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  LogPort& port_;
  Filter written_;
  const Filter* committed_ = nullptr;
  bool ahead_ = false;
  std::vector<Message*> held_;
  Statistics statistics_;
};

}  // namespace syncline::models
