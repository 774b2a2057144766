#include "platform/memory/memory_layout.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/round_up.h"

namespace syncline::platform {

const MemoryRegion& MemoryLayout::put(std::deque<MemoryRegion>& to, MemoryRegion region) {
  for (const auto* const regions : {&regions_, &own_}) {
    for (const MemoryRegion& other : *regions) {
      if (other.name == region.name) throw base::ModelError("two regions of memory are called `" + region.name + "`");
    }
  }
  to.push_back(std::move(region));
  return to.back();
}

const MemoryRegion& MemoryLayout::add(std::string name, std::string key, std::uint64_t bytes, std::uint64_t align) {
  if (!own_.empty())
    throw base::ModelError("the region `" + name + "` comes when the partitions have memory of their own behind all");
  return put(regions_, {std::move(name), std::move(key), base::round_up(end(), align), bytes});
}

const MemoryRegion& MemoryLayout::add_to_partitions(std::string name, std::string key, std::uint64_t bytes) {
  return put(own_, {std::move(name), std::move(key), bytes_per_partition(), bytes});
}

const MemoryRegion& MemoryLayout::at(std::string_view name) const {
  for (const auto* const regions : {&regions_, &own_}) {
    for (const MemoryRegion& region : *regions) {
      if (region.name == name) return region;
    }
  }
  throw base::ModelError("no region of memory is called `" + std::string(name) + "`");
}

std::uint64_t MemoryLayout::data_bytes_per_partition() const {
  return (end() / memory_.chunk / shares_ + 1) * memory_.chunk;
}

std::uint64_t MemoryLayout::bytes_per_partition() const {
  return own_.empty() ? data_bytes_per_partition() : own_.back().end();
}

MemoryLayout::Excess MemoryLayout::excess() const {
  if (bytes_per_partition() <= most_bytes) return {};
  const MemoryRegion* largest = &regions_.front();
  std::string all;
  for (const MemoryRegion& region : regions_) {
    if (region.bytes > largest->bytes) largest = &region;
    all += fmt::format("{}{} {} bytes", all.empty() ? "" : ", ", region.name, region.bytes);
  }
  for (const MemoryRegion& region : own_)
    all += fmt::format(", {} {} bytes in each partition", region.name, region.bytes);
  return {largest->key,
          fmt::format("asks for too much: each of {} memory partitions would have {} bytes, and {} is the most ({})",
                      memory_.partitions, bytes_per_partition(), most_bytes, all)};
}

}  // namespace syncline::platform
