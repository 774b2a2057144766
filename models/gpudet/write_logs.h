// The logs of the warps of one SM: how long they are, their Bloom filters, and where they lie in memory. What they hold
// is in memory only, and costs what reading it costs.
#pragma once

#include <algorithm>
#include <boost/container/flat_set.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "models/gpudet/gpudet_spec.h"
#include "protocols/determinism/gpudet/bloom_filter.h"
#include "protocols/determinism/gpudet/write_log.h"

namespace syncline::models {

struct WriteLog {
  protocols::gpudet::LogLayout layout;
  protocols::gpudet::BloomFilter bloom;
  std::uint32_t count = 0;     ///< entries
  std::uint32_t cells = 0;     ///< that their headers take
  std::uint64_t free = 0;      ///< first byte behind the data of the last one
  std::uint32_t reserved = 0;  ///< entries that all stores issued so far may take, arrived or not
};

/// A part of a log that a load sees: the entries in the first `cells` of warp `log`.
struct LogView {
  unsigned log = 0;
  std::uint32_t cells = 0;
};

/// Numbers of chunks.
using Chunks = boost::container::flat_set<std::uint64_t>;

class WriteLogs {
 public:
  /// `region`: first device address of the SM's logs, `bytes` long; `warps` logs of lines of `line` bytes.
  WriteLogs(const StoreBufferSpec& spec, std::uint64_t region, unsigned warps, unsigned line)
      : line_(line), entries_(spec.entries) {
    const std::uint64_t each = protocols::gpudet::LogLayout::bytes(line, capacity(spec));
    for (unsigned warp = 0; warp < warps; ++warp) {
      logs_.push_back({protocols::gpudet::LogLayout(region + warp * each, line, capacity(spec), spec.data),
                       protocols::gpudet::BloomFilter(static_cast<unsigned>(spec.bloom))});
    }
  }
  static std::uint64_t bytes(const StoreBufferSpec& spec, unsigned warps, unsigned line) {
    return protocols::gpudet::LogLayout::bytes(line, capacity(spec)) * warps;
  }

  WriteLog& operator[](unsigned warp) { return logs_[warp]; }
  const WriteLog& operator[](unsigned warp) const { return logs_[warp]; }
  unsigned warps() const { return static_cast<unsigned>(logs_.size()); }
  std::uint64_t chunk(base::LineAddress line) const { return line.value() / line_; }
  base::LineAddress line(std::uint64_t chunk) const { return base::LineAddress(chunk * line_); }
  /// Entries that a store of so many lanes can take at most: each lane stores to lines of its own, `parts` of them. The
  /// room in a log is counted in these and not in the entries that really come, for how lanes share lines, and when
  /// entries arrive, depends on the machine, and the end of a quantum must not.
  static std::uint32_t most_entries(unsigned lanes, unsigned parts) { return lanes * parts; }
  /// Room for one more instruction. An empty log has room for any.
  bool has_room(unsigned warp, unsigned parts) const {
    const std::uint32_t reserved = logs_[warp].reserved;
    return reserved == 0 || reserved + most_entries(base::max_lanes, parts) <= entries_;
  }
  /// Chunks in which some store wrote a part of a word.
  Chunks& partial() { return partial_; }
  const Chunks& partial() const { return partial_; }
  void clear() {
    partial_.clear();
    for (WriteLog& log : logs_) {
      log.count = log.cells = log.reserved = 0;
      log.free = 0;
      log.bloom.clear();
    }
  }

 private:
  static std::uint32_t capacity(const StoreBufferSpec& spec) {
    constexpr unsigned longest_vector = 8;
    return std::max(spec.entries, most_entries(base::max_lanes, longest_vector));
  }

  unsigned line_;
  std::uint32_t entries_;  ///< that may be reserved
  std::vector<WriteLog> logs_;
  Chunks partial_;
};

}  // namespace syncline::models
