// Seam: how a chunk of a log takes effect in global memory so that of all stores to a place the one with the least
// depth stays, whoever comes first (GPUDet, section 4.4).
#pragma once

#include <cstdint>
#include <memory>

#include "base/ids.h"
#include "base/line_data.h"

namespace syncline::models {

class LogPort;

struct CommitWrite {
  base::LineAddress line;
  base::ByteMask mask;
  std::uint32_t depth = 0;
  std::uint32_t token = 0;  ///< the committer's own
  base::LineData data{};
};

class CommitListener {
 public:
  virtual ~CommitListener() = default;
  /// The write has taken effect, or lost everywhere.
  virtual void committed(std::uint32_t token) = 0;
};

class CommitPath {
 public:
  virtual ~CommitPath() = default;
  /// Of writes to one line with equal depth the later one counts, also while both are under way. False: the committer
  /// must wait for the earlier one.
  virtual bool keeps_order() const = 0;
  /// `write` is copied.
  virtual void start(const CommitWrite& write) = 0;
  /// Forgets all depths; CommitListener::committed(clear_token) when it is done.
  virtual void clear() = 0;
  static constexpr std::uint32_t clear_token = ~std::uint32_t{0};
};

}  // namespace syncline::models
