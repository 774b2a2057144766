#include "platform/stress/generate.h"

#include <algorithm>
#include <utility>

namespace syncline::stress {
namespace {

/// Lines of racy episodes are taken from so many, behind `first_line`, so that they meet in sets and come again.
constexpr unsigned first_line = 32, pool = 16;
/// In some lines the words from here on are locks and nothing else: they hold 0 where no episode runs.
constexpr unsigned first_lock_word = 28;
bool may_hold_locks(std::uint64_t line) {
  return line % 4 == 0;
}
/// The shared lines of an episode without races, and behind all that others share those of a thread alone: a warp of an
/// L1 has the same ones in each episode, also where episodes differ in the number of warps, as a machine's local memory
/// has one place.
std::vector<std::uint64_t> deal_lines(const TrafficSpec& spec) {
  std::vector<std::uint64_t> lines;
  for (unsigned i = 0; i < spec.lines; ++i) lines.push_back(first_line + i);
  for (unsigned thread = 0; thread < spec.l1s * spec.warps; ++thread) {
    const unsigned l1 = thread / spec.warps, warp = thread % spec.warps;
    for (unsigned i = 0; i < spec.private_lines; ++i)
      lines.push_back(first_line + std::max(pool, spec.lines) +
                      (l1 * std::max(spec.warps, spec.warp_places) + warp) * spec.private_lines + i);
  }
  return lines;
}

std::vector<std::uint64_t> random_lines(unsigned count, base::Random& random) {
  std::vector<std::uint64_t> lines;
  while (lines.size() < count) {
    const std::uint64_t line = first_line + random.below(pool);
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

class RaceFree {
 public:
  RaceFree(const TrafficSpec& spec, base::Random& random) : spec_(spec), random_(random) {}

  Episode make() {
    const unsigned threads = spec_.l1s * spec_.warps;
    episode_.kind = EpisodeKind::race_free;
    episode_.in_flight = spec_.in_flight;
    episode_.private_lines = threads * spec_.private_lines;
    episode_.lines = deal_lines(spec_);
    deal_words(threads);
    for (unsigned t = 0; t < threads; ++t) {
      thread_ = t;
      episode_.threads.push_back(
          {static_cast<std::uint16_t>(t / spec_.warps), static_cast<std::uint16_t>(t % spec_.warps), {}});
      skew_ps_ = random_.below(static_cast<std::uint32_t>(spec_.max_pause_ps) * 4);
      for (unsigned i = 0; i < spec_.accesses;) i += sequence();
    }
    return std::move(episode_);
  }

 private:
  using Kind = WordUse::Kind;

  unsigned data_words(unsigned line) const {
    return may_hold_locks(episode_.lines[line]) && line < spec_.lines ? first_lock_word : words_per_line;
  }

  void place_locks() {
    std::vector<unsigned> lines;
    for (unsigned line = 0; line < spec_.lines; ++line) {
      if (may_hold_locks(episode_.lines[line])) lines.push_back(line);
    }
    for (unsigned lock = 0; lock < spec_.locks && !lines.empty(); ++lock) {
      const unsigned line = lines[random_.below(static_cast<std::uint32_t>(lines.size()))];
      episode_.uses[line][first_lock_word + lock] = {Kind::lock, static_cast<std::uint8_t>(lock)};
      locks_.emplace_back(line, first_lock_word + lock);
    }
  }

  void deal_words(unsigned threads) {
    episode_.uses.resize(episode_.lines.size());
    place_locks();
    const auto locks = static_cast<std::uint32_t>(locks_.size());
    for (unsigned line = 0; line < episode_.lines.size(); ++line) {
      for (unsigned word = 0; word < data_words(line); ++word) {
        WordUse& use = episode_.uses[line][word];
        if (line >= spec_.lines) {
          use = {Kind::owned, static_cast<std::uint8_t>((line - spec_.lines) / spec_.private_lines)};
          continue;
        }
        const std::uint32_t dice = random_.below(locks == 0 ? 10 : 14);
        if (dice < 6) {
          use = {Kind::owned, static_cast<std::uint8_t>(random_.below(threads))};
        } else if (dice >= 8 && dice < 10) {
          use.kind = Kind::counter;
        } else if (dice >= 10) {
          use = {Kind::guarded, static_cast<std::uint8_t>(random_.below(locks))};
        }
      }
    }
  }

  /// An access, or a section under a lock; returns how many operations it added.
  unsigned sequence() {
    const std::size_t before = ops().size();
    if (spec_.flushes != 0 && random_.below(spec_.flushes) == 0) add(OpKind::flush, 0, 1);
    if (!locks_.empty() && random_.below(6) == 0) {
      held_ = static_cast<int>(random_.below(static_cast<std::uint32_t>(locks_.size())));
      const auto [line, word] = locks_[static_cast<unsigned>(held_)];
      add(OpKind::lock, line, 1U << word);
      for (unsigned left = 1 + random_.below(5); left > 0; --left) access();
      add(OpKind::unlock, line, 1U << word);
      held_ = -1;
    } else {
      access();
    }
    return std::max<unsigned>(1, static_cast<unsigned>(ops().size() - before));
  }

  void access() {
    const bool alone = spec_.private_lines != 0 && random_.below(4) == 0;
    const unsigned line = alone ? spec_.lines + thread_ * spec_.private_lines + random_.below(spec_.private_lines)
                                : random_.below(spec_.lines);
    if (alone && spec_.last_uses != 0 && dice(spec_.last_uses)) return last_use(line);
    switch (random_.below(8)) {
      case 0:
      case 1:
      case 2:
        return store(line);
      case 3:
        if (!alone) return atomic(line);
        [[fallthrough]];
      default:
        return load(line);
    }
  }

  bool mine(unsigned line, unsigned word) const {
    const WordUse use = episode_.uses[line][word];
    return (use.kind == Kind::owned && use.by == thread_) ||
           (use.kind == Kind::guarded && static_cast<int>(use.by) == held_);
  }
  bool readable(unsigned line, unsigned word) const {
    return mine(line, word) || (word < data_words(line) && episode_.uses[line][word].kind == Kind::read_only);
  }
  bool dice(std::uint32_t sides) { return random_.below(sides) == 0; }
  /// The words of all sectors, or of one of the four.
  std::uint32_t window() { return random_.below(3) == 0 ? 0xffU << (8 * random_.below(4)) : ~0U; }
  template <class Takes>
  std::uint32_t words(std::uint32_t window, Takes&& takes) {
    std::uint32_t mask = 0;
    for (unsigned word = 0; word < words_per_line; ++word) {
      if ((window >> word & 1U) != 0 && takes(word)) mask |= 1U << word;
    }
    return mask;
  }

  void load(unsigned line) {
    const std::uint32_t mask =
        words(window(), [&](unsigned word) { return readable(line, word) && random_.below(3) != 0; });
    if (mask == 0) return;
    Op& op = add(OpKind::load, line, mask);
    switch (random_.below(8)) {
      case 0:
        op.cache = isa::CacheOp::cg;
        break;
      case 1:
        op.semantics = isa::Semantics::volatile_;
        op.cache = isa::CacheOp::cv;
        break;
      case 2:
        op.semantics = isa::Semantics::acquire;
        break;
      default:
        break;
    }
    op.read_only = spec_.read_only_loads != 0 && random_.below(spec_.read_only_loads) == 0;
  }

  void store(unsigned line) {
    const bool whole = random_.below(3) == 0;
    const std::uint32_t mask =
        words(window(), [&](unsigned word) { return mine(line, word) && (whole || random_.below(2) == 0); });
    if (mask == 0) return;
    Op& op = add(OpKind::store, line, mask);
    op.value = static_cast<std::uint32_t>(random_.next());
    op.low_byte = !whole && random_.below(8) == 0;
  }

  /// Words of the thread's own that it writes, reads for the last time, perhaps with others, and writes again: what
  /// they held may be lost.
  void last_use(unsigned line) {
    const auto some = [&] { return words(window(), [&](unsigned word) { return mine(line, word) && dice(2); }); };
    const std::uint32_t written = some(), read = written | (dice(3) ? some() : 0);
    if (written == 0) return;
    add(OpKind::store, line, written).value = static_cast<std::uint32_t>(random_.next());
    add(OpKind::load, line, read).cache = isa::CacheOp::lu;
    add(OpKind::store, line, read).value = static_cast<std::uint32_t>(random_.next());
  }

  void atomic(unsigned line) {
    std::uint32_t mask = words(window(), [&](unsigned word) {
      return (mine(line, word) || episode_.uses[line][word].kind == Kind::counter) && random_.below(3) == 0;
    });
    if (mask == 0) return;
    Op& op = add(OpKind::add, line, mask);
    op.value = random_.below(1000);
    op.returns_value = random_.below(2) == 0;
    if (__builtin_popcount(mask) <= 16) op.repeat = static_cast<std::uint8_t>(1 + random_.below(2));
  }

  Op& add(OpKind kind, unsigned line, std::uint32_t words) {
    Op op;
    op.kind = kind;
    op.line = static_cast<std::uint8_t>(line);
    op.words = words;
    op.pause_ps = std::exchange(skew_ps_, 0) + 1 + random_.below(static_cast<std::uint32_t>(spec_.max_pause_ps));
    ops().push_back(op);
    return ops().back();
  }
  std::vector<Op>& ops() { return episode_.threads.back().ops; }

  const TrafficSpec& spec_;
  base::Random& random_;
  Episode episode_;
  std::vector<std::pair<unsigned, unsigned>> locks_;  ///< line and word of each
  unsigned thread_ = 0;
  int held_ = -1;
  std::uint64_t skew_ps_ = 0;  ///< before the first operation of a thread
};

isa::Semantics load_semantics(bool weak, base::Random& random) {
  const std::uint32_t dice = random.below(12);
  if (!weak) return dice == 0 ? isa::Semantics::volatile_ : isa::Semantics::weak;
  if (dice < 6) return isa::Semantics::relaxed;
  return dice < 9 ? isa::Semantics::weak : isa::Semantics::acquire;
}
isa::Semantics store_semantics(bool weak, base::Random& random) {
  if (!weak) return isa::Semantics::weak;
  return random.below(4) == 0 ? isa::Semantics::release : isa::Semantics::relaxed;
}
isa::Semantics atomic_semantics(bool weak, base::Random& random) {
  constexpr isa::Semantics all[] = {isa::Semantics::relaxed, isa::Semantics::acquire, isa::Semantics::release,
                                    isa::Semantics::acq_rel};
  return weak ? all[random.below(4)] : isa::Semantics::relaxed;
}

}  // namespace

Episode race_free_episode(const TrafficSpec& spec, base::Random& random) {
  return RaceFree(spec, random).make();
}

Episode racy_episode(const RaceSpec& spec, protocols::Consistency promised, base::Random& random,
                     std::uint32_t& stored) {
  const bool weak = promised == protocols::Consistency::wo;
  constexpr std::uint32_t pauses_ps[] = {1, 2'000, 20'000, 100'000, 500'000};
  const std::uint32_t pause_ps = pauses_ps[random.below(5)], skew_ps = pauses_ps[random.below(5)] * 4;
  const unsigned fences = weak ? random.below(3) : 0;  // of so many eighths of the places between accesses
  const unsigned stores = 2 + random.below(4);         // eighths of all accesses
  Episode episode;
  episode.kind = EpisodeKind::racy;
  episode.in_flight = weak ? 1 + random.below(4) : 1;
  const unsigned lines = 1 + random.below(spec.lines), words = 1 + random.below(2);
  episode.lines = random_lines(lines, random);
  const unsigned warps = 1 + random.below(spec.warps);
  const unsigned threads = spec.l1s * warps;
  const unsigned each = 1 + random.below(std::max(1U, spec.accesses / threads));
  for (unsigned t = 0; t < threads; ++t) {
    Thread thread{static_cast<std::uint16_t>(t / warps), static_cast<std::uint16_t>(t % warps), {}};
    std::uint64_t skew_left_ps = random.below(skew_ps);
    for (unsigned i = 0; i < each; ++i) {
      Op op;
      op.pause_ps = std::exchange(skew_left_ps, 0) + 1 + random.below(pause_ps);
      op.line = static_cast<std::uint8_t>(random.below(lines));
      op.words = 1U << (random.below(words) * 9);  // in different sectors
      const std::uint32_t dice = random.below(8);
      if (fences != 0 && random.below(8) < fences) {
        op.kind = OpKind::fence;
        op.line = 0;
        op.words = 1;
      } else if (dice < stores) {
        op.kind = OpKind::store;
        op.value = ++stored * value_step;
        op.semantics = store_semantics(weak, random);
      } else if (dice == 7) {
        op.kind = OpKind::add;
        op.value = 1;
        op.semantics = atomic_semantics(weak, random);
      } else {
        op.semantics = load_semantics(weak, random);
      }
      thread.ops.push_back(op);
    }
    episode.threads.push_back(std::move(thread));
  }
  return episode;
}

void renumber_stores(Episode& episode, std::uint32_t& stored) {
  if (episode.kind != EpisodeKind::racy) return;
  for (Thread& thread : episode.threads) {
    for (Op& op : thread.ops) {
      if (op.kind == OpKind::store) op.value = ++stored * value_step;
    }
  }
}

}  // namespace syncline::stress
