// What the threads of a program may still ask of their L1s.
#pragma once

#include <array>
#include <cstdint>

#include "protocols/coherence/explore/state.h"

namespace syncline::protocols::explore {

/// Operations count as long as they are to be issued or under way.
class Ahead {
 public:
  explicit Ahead(const Program& program);

  /// Or an access that releases. A fence that waits has been told until when, and is none of them.
  bool fence(const State& state, unsigned thread) const {
    const ThreadState& at = state.threads[thread];
    return fences_[thread] >> (at.next + (at.fencing ? 1U : 0U)) != 0;
  }
  /// Of the line, by any thread of the L1.
  bool load(const State& state, unsigned l1, unsigned line) const { return any(state, l1, line, loads_); }
  bool write(const State& state, unsigned l1, unsigned line) const { return any(state, l1, line, writes_); }

 private:
  using Operations = std::uint8_t;  ///< bit n: operation n of a thread
  using ByLine = std::array<std::array<Operations, max_lines>, max_threads>;
  bool any(const State& state, unsigned l1, unsigned line, const ByLine& operations) const;

  unsigned threads_;
  std::array<std::uint8_t, max_threads> l1_{};
  std::array<Operations, max_threads> fences_{};
  ByLine loads_{}, writes_{};
};

}  // namespace syncline::protocols::explore
