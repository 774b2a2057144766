#include "protocols/determinism/gpudet/partitions.h"

#include <algorithm>

namespace syncline::protocols::gpudet {

std::optional<std::uint64_t> CtaPartitions::take(CtaPlace place) {
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found == places_.end()) return std::nullopt;
  std::size_t& next = next_[static_cast<std::size_t>(found - places_.begin())];
  if (next >= waiting_.size()) return std::nullopt;
  taken_.insert(next);
  const std::uint64_t cta = waiting_[next];
  next += places_.size();
  return cta;
}

std::optional<std::uint64_t> CtaPartitions::take_any() {
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (taken_.insert(i).second) return waiting_[i];
  }
  return std::nullopt;
}

void CtaPartitions::collect() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size() && !taken_.empty(); ++i) {
    if (taken_.count(i) == 0) waiting_[kept++] = waiting_[i];
  }
  if (!taken_.empty()) waiting_.resize(kept);
  places_.clear();
  taken_.clear();
}

void CtaPartitions::encode(std::string& to) const {
  for (const std::uint64_t cta : waiting_) to += static_cast<char>(cta);
  to += '|';
  for (const std::size_t taken : taken_) to += static_cast<char>(taken);
}

}  // namespace syncline::protocols::gpudet
