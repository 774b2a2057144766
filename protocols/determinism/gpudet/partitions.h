// Which CTA follows which: the CTAs of a grid that wait are dealt to the places of those that run, once a quantum, so
// that a place can be filled again in the midst of it (GPUDet, section 4.2.2, figure 4.4 (c)).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::protocols::gpudet {

class CtaPartitions {
 public:
  /// CTA numbers that wait from now on, in order, behind those that wait already.
  void add(std::uint64_t first, std::uint64_t count) {
    for (std::uint64_t cta = first; cta < first + count; ++cta) waiting_.push_back(cta);
  }
  bool empty() const { return waiting_.empty(); }
  /// The first CTA that waits.
  std::uint64_t first() const { return waiting_.front(); }
  void take_first() { waiting_.pop_front(); }

  /// Deals what waits to `places` in turn.
  void deal(std::vector<CtaPlace> places) {
    places_ = std::move(places);
    next_.resize(places_.size());
    for (std::size_t i = 0; i < next_.size(); ++i) next_[i] = i;
  }
  /// The next CTA of the place's partition.
  std::optional<std::uint64_t> take(CtaPlace place);
  /// The next CTA of all, whosever it is: what a distribution without partitions does.
  std::optional<std::uint64_t> take_any();
  /// The quantum is over: what was not taken waits, in the order of the CTA numbers.
  void collect();
  /// Appends what later answers depend on.
  void encode(std::string& to) const;

 private:
  std::deque<std::uint64_t> waiting_;
  std::vector<CtaPlace> places_;
  std::vector<std::size_t> next_;  ///< of each place, in waiting_
  std::set<std::size_t> taken_;    ///< in waiting_
};

}  // namespace syncline::protocols::gpudet
