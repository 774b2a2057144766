#include "platform/stress/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "consistency/history.h"

namespace syncline::stress {
namespace {

using consistency::Access;

/// The values that an operation returned, in the order of its words.
const std::uint32_t* values_of(const Record& record, std::size_t thread, std::size_t op) {
  return record.values.data() + record.results[thread][op].first;
}

std::string show(const Episode& episode, const Record& record, std::size_t thread, std::size_t i) {
  const Op& op = episode.threads[thread].ops[i];
  std::string text = fmt::format("thread {}: {}", thread, text_of(episode, op));
  if (op.kind == OpKind::load || (op.kind == OpKind::add && op.returns_value)) {
    const std::uint32_t* const values = values_of(record, thread, i);
    for (int n = 0; n < __builtin_popcount(op.words); ++n) {
      const bool racy = episode.kind == EpisodeKind::racy;
      text += fmt::format("{}{}", n == 0 ? " returned " : ",",
                          racy ? shown_value(episode, values[n], record.initial[op.line][op.word()]) : values[n]);
    }
  }
  return text;
}

/// Race-free episodes: one pass over all operations in an order that the locks and program orders allow.
class Expectation {
 public:
  Expectation(const Episode& episode, const Record& record)
      : episode_(episode), record_(record), now_(record.initial) {}

  std::optional<std::string> judge() {
    for (const auto& [order, thread, i] : in_order()) {
      if (auto wrong = step(thread, i)) return wrong;
    }
    for (unsigned line = 0; line < now_.size(); ++line) {
      for (unsigned word = 0; word < words_per_line; ++word) {
        if (record_.final[line][word] != now_[line][word])
          return fmt::format("memory ends with {} in word {} of line {:#x}, expected {}", record_.final[line][word],
                             word, episode_.lines[line] * 128, now_[line][word]);
      }
    }
    return std::nullopt;
  }

 private:
  using Place = std::tuple<std::uint64_t, std::size_t, std::size_t>;

  /// An operation comes behind the last lock that its thread has taken before, and all that went before that lock.
  std::vector<Place> in_order() const {
    std::vector<Place> places;
    for (std::size_t t = 0; t < episode_.threads.size(); ++t) {
      std::uint64_t order = 0;
      for (std::size_t i = 0; i < episode_.threads[t].ops.size(); ++i) {
        if (episode_.threads[t].ops[i].kind == OpKind::lock) order = record_.results[t][i].completed;
        places.emplace_back(order, t, i);
      }
    }
    std::sort(places.begin(), places.end());
    return places;
  }

  std::optional<std::string> step(std::size_t thread, std::size_t i) {
    const Op& op = episode_.threads[thread].ops[i];
    if (!op.accesses() || op.kind == OpKind::lock || op.kind == OpKind::unlock) return std::nullopt;
    const std::uint32_t* value = values_of(record_, thread, i);
    const bool returns = op.kind == OpKind::load || (op.kind == OpKind::add && op.returns_value);
    for (unsigned word = 0; word < words_per_line; ++word) {
      if ((op.words >> word & 1U) == 0) continue;
      std::uint32_t& now = now_[op.line][word];
      const bool counts = episode_.uses[op.line][word].kind == WordUse::Kind::counter;
      if (returns && !counts && *value != now)
        return fmt::format("{}\n  expected {} in word {} of line {:#x}", show(episode_, record_, thread, i), now, word,
                           episode_.lines[op.line] * 128);
      if (returns) ++value;
      if (op.kind == OpKind::store) now = op.stored(word, now);
      if (op.kind == OpKind::add) now += op.added(word);
    }
    return std::nullopt;
  }

  const Episode& episode_;
  const Record& record_;
  std::vector<LineWords> now_;
};

consistency::Semantics semantics_of(isa::Semantics semantics) {
  switch (semantics) {
    case isa::Semantics::acquire:
      return consistency::Semantics::acquire;
    case isa::Semantics::release:
      return consistency::Semantics::release;
    case isa::Semantics::acq_rel:
    case isa::Semantics::sc:
      return consistency::Semantics::acq_rel;
    case isa::Semantics::relaxed:
    case isa::Semantics::volatile_:
      return consistency::Semantics::relaxed;
    default:
      return consistency::Semantics::weak;
  }
}

/// A racy episode as a history: every word that somebody names is a location.
class Racy {
 public:
  /// Fences that order a warp's own accesses and nothing that it has seen of others do not make causes of PTX: then
  /// only the order of the accesses to each location is judged.
  Racy(const Episode& episode, const Record& record, bool cumulative_fences)
      : episode_(episode), record_(record), causes_(cumulative_fences) {
    for (std::size_t t = 0; t < episode.threads.size(); ++t) {
      for (std::size_t i = 0; i < episode.threads[t].ops.size(); ++i) add(t, i);
    }
  }

  std::optional<std::string> judge(protocols::Consistency promised) const {
    const bool sc = promised == protocols::Consistency::sc;
    const auto found = sc ? contradicts_sc(history_) : contradicts_ptx75(history_);
    if (!found) return std::nullopt;
    std::string text = fmt::format("not allowed by {}: {}", sc ? "sc" : "ptx75", found->what);
    if (episode_.operations() <= most_shown) return text + all_results();
    for (const unsigned access : found->accesses)
      text += fmt::format("\n  {}", show(episode_, record_, places_[access].first, places_[access].second));
    return text;
  }

 private:
  static constexpr std::size_t most_shown = 16;  ///< operations of a program whose results are all told

  std::string all_results() const {
    std::string text;
    for (const auto& [thread, i] : places_) {
      const Op& op = episode_.threads[thread].ops[i];
      if (op.kind == OpKind::load || op.kind == OpKind::add)
        text += fmt::format("\n  {}", show(episode_, record_, thread, i));
    }
    for (const auto& [place, location] : locations_) {
      const auto& [initial, final] = history_.locations[location];
      Op op;
      op.line = static_cast<std::uint8_t>(place.first);
      op.words = 1U << place.second;
      text +=
          fmt::format("\n  memory: {} is {}", text_of(episode_, op).substr(3), shown_value(episode_, *final, initial));
    }
    return text;
  }

  void add(std::size_t thread, std::size_t i) {
    const Op& op = episode_.threads[thread].ops[i];
    if (op.kind == OpKind::flush || (op.kind == OpKind::fence && !causes_)) return;
    Access access;
    access.thread = static_cast<unsigned>(thread);
    access.semantics = semantics_of(op.semantics);
    if (op.kind == OpKind::fence) {
      access.kind = Access::Kind::fence;
      access.semantics = consistency::Semantics::sc;
    } else {
      access.location = location(op.line, op.word());
      if (op.kind != OpKind::store) access.returned = *values_of(record_, thread, i);
      access.kind = op.kind == OpKind::load    ? Access::Kind::read
                    : op.kind == OpKind::store ? Access::Kind::write
                                               : Access::Kind::update;
      access.written = op.kind == OpKind::store ? op.value : access.returned + op.value;
      if (op.kind != OpKind::load && access.semantics == consistency::Semantics::weak)
        access.semantics = consistency::Semantics::relaxed;
      if (!causes_ && access.semantics != consistency::Semantics::weak)
        access.semantics = consistency::Semantics::relaxed;
    }
    history_.accesses.push_back(access);
    places_.emplace_back(thread, i);
  }
  unsigned location(unsigned line, unsigned word) {
    const auto next = static_cast<unsigned>(history_.locations.size());
    const auto [place, first] = locations_.emplace(std::pair(line, word), next);
    if (first) history_.locations.push_back({record_.initial[line][word], record_.final[line][word]});
    return place->second;
  }

  const Episode& episode_;
  const Record& record_;
  bool causes_;
  consistency::History history_;
  std::map<std::pair<unsigned, unsigned>, unsigned> locations_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  ///< thread and operation of each access
};

}  // namespace

std::optional<std::string> judge(const Episode& episode, const Record& record,
                                 const protocols::CoherencePolicy& policy) {
  if (!record.finished) {
    std::string text = "no progress";
    for (const std::string& fault : record.faults) text += "\n  " + fault;
    return text;
  }
  if (!record.faults.empty()) return record.faults.front();
  if (episode.kind == EpisodeKind::race_free) return Expectation(episode, record).judge();
  return Racy(episode, record, policy.cumulative_fences).judge(policy.consistency);
}

}  // namespace syncline::stress
