#include "protocols/determinism/gpudet/partitions.h"

#include <algorithm>

namespace syncline::protocols::gpudet {

std::optional<std::uint64_t> CtaPartitions::take(CtaPlace place) {
  const auto found = std::find(places_.begin(), places_.end(), place);
  if (found == places_.end()) return std::nullopt;
  std::size_t& next = next_[static_cast<std::size_t>(found - places_.begin())];
  if (next >= waiting_.size()) return std::nullopt;
  taken_[next] = true;
  const std::uint64_t cta = waiting_[next];
  next += places_.size();
  return cta;
}

std::optional<std::uint64_t> CtaPartitions::take_any() {
  const auto found = std::find(taken_.begin(), taken_.end(), false);
  if (found == taken_.end()) return std::nullopt;
  *found = true;
  return waiting_[static_cast<std::size_t>(found - taken_.begin())];
}

void CtaPartitions::collect() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    if (i >= taken_.size() || !taken_[i]) waiting_[kept++] = waiting_[i];
  }
  waiting_.resize(kept);
  places_.clear();
  taken_.clear();
}

void CtaPartitions::encode(std::string& to) const {
  for (const std::uint64_t cta : waiting_) to += static_cast<char>(cta);
  to += '|';
  for (const bool taken : taken_) to += taken ? '1' : '0';
}

}  // namespace syncline::protocols::gpudet
