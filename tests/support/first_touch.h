// A home map that decides when a page is first asked for: each page lies with the home of the L1 that touched it first.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/partition/home_map.h"

namespace syncline::tests {

/// Pages in the memories of as many homes as there are L1s.
class FirstTouch final : public models::HomeMap {
 public:
  static constexpr std::uint64_t page_bytes = 1024;

  explicit FirstTouch(unsigned homes) : frames_(homes) {}

  models::NodeId home(base::LineAddress line, isa::Scope, const models::NodeId& asker) const override {
    return models::home_node(base::PartitionId(place(line.value() / page_bytes, asker).home));
  }
  using HomeMap::home;
  std::uint64_t local(std::uint64_t address) const override {
    return place(address / page_bytes, {}).frame * page_bytes + address % page_bytes;
  }
  std::uint64_t global(const models::NodeId& home, std::uint64_t local) const override {
    return frames_.at(home.index).at(local / page_bytes) * page_bytes + local % page_bytes;
  }
  std::uint64_t together(std::uint64_t address) const override { return page_bytes - address % page_bytes; }
  unsigned homes() const override { return static_cast<unsigned>(frames_.size()); }
  std::size_t pages(unsigned home) const { return frames_.at(home).size(); }

 private:
  struct Place {
    std::uint16_t home;
    std::uint64_t frame;
  };
  Place place(std::uint64_t page, const models::NodeId& asker) const {
    const auto known = places_.find(page);
    if (known != places_.end()) return known->second;
    const std::uint16_t home = asker.kind == models::NodeKind::l1 ? asker.index : std::uint16_t{0};
    frames_.at(home).push_back(page);
    return places_[page] = {home, frames_[home].size() - 1};
  }
  mutable std::map<std::uint64_t, Place> places_;
  mutable std::vector<std::vector<std::uint64_t>> frames_;  ///< of each home, the pages in it
};

}  // namespace syncline::tests
