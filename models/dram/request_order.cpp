#include "models/dram/request_order.h"

#include <algorithm>

namespace syncline::models {
namespace {

/// First come, first served: only the oldest request of the channel moves.
class Fcfs : public RequestOrder {
 public:
  DramPick pick(const std::vector<DramRequest>&, const std::vector<std::uint32_t>&, std::int64_t,
                base::Cycle) const override {
    return {};
  }
  DramChoice choose(const std::vector<DramCandidate>& candidates, base::Cycle now) const override {
    const auto oldest = std::min_element(candidates.begin(), candidates.end(),
                                         [](const auto& a, const auto& b) { return a.sequence < b.sequence; });
    if (oldest->earliest > now) return {-1, oldest->earliest};
    return {static_cast<int>(oldest - candidates.begin()), now};
  }
};

/// First ready, first come, first served (Rixner et al., ISCA 2000): hits of open rows first, then the oldest; a row
/// is closed only when nobody in the queue wants it any more, or when a request has been overtaken for too long.
class FrFcfs : public RequestOrder {
 public:
  explicit FrFcfs(base::Cycle starvation_limit) : starvation_limit_(starvation_limit) {}
  DramPick pick(const std::vector<DramRequest>& slots, const std::vector<std::uint32_t>& bank, std::int64_t open_row,
                base::Cycle now) const override {
    const base::Cycle starves = starvation_limit_ == 0 ? base::never : slots[bank.front()].accepted + starvation_limit_;
    if (now >= starves) return {};
    for (std::size_t i = 0; i < bank.size(); ++i) {
      if (slots[bank[i]].place.row == open_row) return {i, starves};
    }
    return {0, base::never};
  }
  DramChoice choose(const std::vector<DramCandidate>& candidates, base::Cycle now) const override {
    DramChoice choice;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const DramCandidate& c = candidates[i];
      if (c.earliest > now) {
        choice.retry = std::min(choice.retry, c.earliest);
      } else if (choice.candidate < 0 || goes_before(c, candidates[static_cast<std::size_t>(choice.candidate)])) {
        choice.candidate = static_cast<int>(i);
      }
    }
    return choice;
  }

 private:
  static bool goes_before(const DramCandidate& a, const DramCandidate& b) {
    return a.column() != b.column() ? a.column() : a.sequence < b.sequence;
  }
  base::Cycle starvation_limit_;
};

}  // namespace

std::unique_ptr<RequestOrder> make_request_order(const DramSpec& spec) {
  switch (spec.scheduling) {
    case DramScheduling::fcfs:
      return std::make_unique<Fcfs>();
    case DramScheduling::fr_fcfs:
      return std::make_unique<FrFcfs>(spec.starvation_limit);
  }
  return nullptr;
}

}  // namespace syncline::models
