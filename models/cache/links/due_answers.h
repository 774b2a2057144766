// Answers that have been announced and are taken when their time has come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

namespace syncline::models {

/// Oldest first, by (answer_ps, number) of the transactions; `capacity` is never exceeded.
template <class Transaction>
class DueAnswers {
 public:
  explicit DueAnswers(std::size_t capacity) { sorted_.reserve(capacity); }
  void add(Transaction& transaction) {
    const auto later = [](const Transaction* a, const Transaction* b) {
      return std::tie(a->answer_ps, a->number) > std::tie(b->answer_ps, b->number);
    };
    sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), &transaction, later), &transaction);
  }
  /// Time of the oldest, ~0 when there is none.
  std::uint64_t next_ps() const { return sorted_.empty() ? ~std::uint64_t{0} : sorted_.back()->answer_ps; }
  /// The oldest, when it has arrived by `now_ps`; `pop` takes it away.
  Transaction* due(std::uint64_t now_ps) const {
    return sorted_.empty() || sorted_.back()->answer_ps > now_ps ? nullptr : sorted_.back();
  }
  void pop() { sorted_.pop_back(); }

 private:
  std::vector<Transaction*> sorted_;  ///< latest first
};

}  // namespace syncline::models
