#include "platform/stress/shrink.h"

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "platform/stress/generate.h"

namespace syncline::stress {
namespace {

constexpr std::size_t operations_per_trial = 3000;

class Shrinker {
 public:
  Shrinker(const Batch& failing, const BatchResult::Failure& failure, unsigned max_trials)
      : machine_(failing.machine),
        before_(failing.episodes.begin(), failing.episodes.begin() + static_cast<std::ptrdiff_t>(failure.episode)),
        program_(failing.episodes[failure.episode]),
        max_trials_(max_trials) {
    best_.batch = failing;
    best_.batch.episodes.resize(failure.episode + 1);
    best_.failure = failure;
  }

  Shrunk run() {
    drop_episodes();
    for (std::size_t size = 0; size != program_.operations() && trials_ < max_trials_;) {
      size = program_.operations();
      drop_threads();
      drop_operations();
      simplify();
    }
    best_.trials = trials_;
    return std::move(best_);
  }

 private:
  /// Keeps the candidate when it fails.
  bool try_program(Episode candidate) {
    tidy(candidate);
    if (candidate.threads.empty() || !fails(before_, candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool fails(const std::vector<Episode>& before, const Episode& program) {
    if (trials_ == max_trials_) return false;
    ++trials_;
    Batch batch{machine_, before};
    const std::size_t runs = std::clamp<std::size_t>(operations_per_trial / program.operations(), 10, 300);
    for (std::size_t run = 0; run < runs; ++run) batch.episodes.push_back(at_other_times(program, run));
    std::uint32_t stored = 0;
    for (Episode& episode : batch.episodes) renumber_stores(episode, stored);
    const BatchResult result = run_batch_apart(batch);
    if (!result.failure || result.failure->episode < before.size()) return false;
    batch.episodes.resize(result.failure->episode + 1);
    best_.batch = std::move(batch);
    best_.failure = *result.failure;
    return true;
  }

  /// Run 0 is the program as it is.
  Episode at_other_times(const Episode& program, std::size_t run) const {
    Episode other = program;
    base::Random random(machine_.seed, "times", run);
    constexpr std::uint32_t pauses_ps[] = {1, 20'000, 200'000, 1'000'000};
    const std::uint32_t pause = pauses_ps[random.below(4)], skew_ps = pauses_ps[random.below(4)];
    if (run == 0) return other;
    for (Thread& thread : other.threads) {
      std::uint64_t skew_left_ps = random.below(skew_ps);
      for (Op& op : thread.ops) {
        const std::uint64_t pause_ps = run % 3 == 0 ? op.pause_ps : random.below(pause);
        op.pause_ps = std::exchange(skew_left_ps, 0) + pause_ps;
      }
    }
    return other;
  }

  void drop_episodes() {
    if (fails({}, program_)) {
      before_.clear();
      return;
    }
    for (std::size_t chunk = before_.size(); chunk > 0; chunk /= 2) {
      for (std::size_t at = 0; at < before_.size();) {
        std::vector<Episode> fewer = before_;
        const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(at);
        fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(chunk, fewer.size() - at)));
        if (fails(fewer, program_)) {
          before_ = std::move(fewer);
        } else {
          at += chunk;
        }
      }
    }
  }

  void drop_threads() {
    for (std::size_t t = program_.threads.size(); t-- > 0;) {
      if (t >= program_.threads.size()) continue;
      Episode candidate = program_;
      candidate.threads[t].ops.clear();
      try_program(std::move(candidate));
    }
  }

  void drop_operations() {
    for (std::size_t chunk = std::max<std::size_t>(1, program_.operations() / 2);; chunk /= 2) {
      for (std::size_t at = 0; at < program_.operations();) {
        if (!try_program(without(at, chunk))) at += chunk;
      }
      if (chunk == 1) return;
    }
  }
  /// `program_` without the operations at, at + 1, ... at + count - 1, counted through all threads.
  Episode without(std::size_t at, std::size_t count) const {
    Episode candidate = program_;
    std::size_t place = 0;
    for (Thread& thread : candidate.threads) {
      std::vector<Op> kept;
      std::uint64_t dropped_ps = 0;  // what stays begins when it began
      for (Op op : thread.ops) {
        const bool stays = place < at || place >= at + count;
        ++place;
        dropped_ps += op.pause_ps;
        if (!stays) continue;
        op.pause_ps = std::exchange(dropped_ps, 0);
        kept.push_back(op);
      }
      thread.ops = std::move(kept);
    }
    return candidate;
  }

  template <class Change>
  void try_on_each(Change&& change) {
    Episode all = program_;
    bool changes = false;
    for (Thread& thread : all.threads) {
      for (Op& op : thread.ops) changes |= change(op);
    }
    if (!changes || try_program(std::move(all))) return;
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      for (std::size_t i = 0; i < program_.threads[t].ops.size(); ++i) {
        Episode one = program_;
        if (change(one.threads[t].ops[i])) try_program(std::move(one));
      }
    }
  }
  void simplify() {
    if (program_.in_flight > 1) {
      Episode candidate = program_;
      candidate.in_flight = 1;
      try_program(std::move(candidate));
    }
    if (program_.kind == EpisodeKind::racy) merge_locations();
    try_on_each([](Op& op) {
      const bool plain = op.semantics == isa::Semantics::weak && op.cache == isa::CacheOp::none && !op.low_byte &&
                         op.repeat == 1 && !op.read_only;
      op.semantics = isa::Semantics::weak;
      op.cache = isa::CacheOp::none;
      op.low_byte = op.read_only = false;
      op.repeat = 1;
      return !plain;
    });
    try_on_each([](Op& op) {  // one word of several
      const std::uint32_t first = op.words & (~op.words + 1);
      return std::exchange(op.words, first) != first;
    });
  }

  /// Everything on one line instead of another, and on the first words of lines.
  void merge_locations() {
    try_on_each([](Op& op) { return std::exchange(op.words, 1U) != 1; });
    for (unsigned from = 0; from < program_.lines.size(); ++from) {
      for (unsigned to = 0; to < program_.lines.size(); ++to) {
        Episode candidate = program_;
        for (Thread& thread : candidate.threads) {
          for (Op& op : thread.ops)
            op.line = static_cast<std::uint8_t>(op.line == from && op.accesses() ? to : op.line);
        }
        if (from != to && try_program(std::move(candidate))) break;
      }
    }
  }

  const MemorySystemSpec machine_;
  std::vector<Episode> before_;
  Episode program_;
  const unsigned max_trials_;
  unsigned trials_ = 0;
  Shrunk best_;
};

}  // namespace

Shrunk shrink(const Batch& failing, const BatchResult::Failure& failure, unsigned max_trials) {
  return Shrinker(failing, failure, max_trials).run();
}

}  // namespace syncline::stress
