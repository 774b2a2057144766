// Lines of global memory: which CTAs touch them while a grid runs, and what of them all grids have touched.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/line_data.h"

namespace syncline::platform {

enum class LineUse : std::uint8_t { load, store, atomic };
inline constexpr std::size_t line_uses = 3;

/// How the CTAs of one grid share a line.
enum class LineSharing : std::uint8_t {
  private_,   ///< one CTA touches it
  read_only,  ///< several do, and nobody writes it while the grid runs
  read_write  ///< several do, and at least one writes it
};
inline constexpr std::size_t line_sharings = 3;

/// A line while one grid runs.
class SharedLine {
 public:
  void touch(std::uint64_t cta, LineUse use, const base::ByteMask& bytes);

  LineSharing sharing() const {
    return ctas() == 1 ? LineSharing::private_ : written_.empty() ? LineSharing::read_only : LineSharing::read_write;
  }
  std::uint64_t ctas() const { return others_.size() + 1; }
  std::uint64_t accesses(LineUse use) const { return accesses_[static_cast<std::size_t>(use)]; }
  /// An atomic reads and writes.
  const base::ByteMask& read() const { return read_; }
  const base::ByteMask& written() const { return written_; }
  /// Read before anybody of this grid wrote them.
  const base::ByteMask& inherited() const { return inherited_; }
  bool several_writers() const { return several_writers_; }
  /// There is a byte that several CTAs touch and at least one writes. Else CTAs that write meet in the line only.
  bool shares_bytes() const { return !(shared_bytes_ & written_).empty(); }

 private:
  static constexpr std::uint64_t nobody = ~std::uint64_t{0};
  using Owners = std::array<std::uint64_t, base::max_line_bytes>;
  void join(std::uint64_t cta);
  void share_bytes(std::uint64_t cta, const base::ByteMask& bytes);

  base::ByteMask read_, written_, inherited_, shared_bytes_;
  std::array<std::uint64_t, line_uses> accesses_{};
  std::uint64_t first_ = nobody, writer_ = nobody;
  bool several_writers_ = false;
  std::vector<std::uint64_t> others_;  ///< CTAs beside the first, ascending
  std::unique_ptr<Owners> owners_;     ///< the first CTA that touched each byte; none while the line is private
};

/// What a kernel, or the whole program, has done with lines. Lines are distinct ones; numbers of accesses and of CTAs
/// are sums over the launches.
class LineTotals {
 public:
  struct Counts {
    std::uint64_t all = 0, read = 0, written = 0, both = 0;
  };
  struct Accesses {
    std::array<std::uint64_t, line_uses> by_use{};
    std::uint64_t of(LineUse use) const { return by_use[static_cast<std::size_t>(use)]; }
    std::uint64_t all() const { return by_use[0] + by_use[1] + by_use[2]; }
  };

  /// A grid has ended; `handed_on`: it read bytes that an earlier one wrote.
  void add(std::uint64_t line, const SharedLine& use, bool handed_on);

  Counts lines() const;
  Counts bytes() const;
  /// Distinct lines by the strongest sharing in any launch.
  std::uint64_t lines(LineSharing sharing) const;
  /// Line accesses by how their line was shared in their launch.
  const Accesses& accesses(LineSharing sharing) const { return accesses_[static_cast<std::size_t>(sharing)]; }
  Accesses accesses() const;
  /// Distinct lines that were in some launch: shared read-write with a byte in common; written by several CTAs; read
  /// after an earlier launch wrote them.
  std::uint64_t lines_with_shared_bytes() const;
  std::uint64_t lines_of_several_writers() const;
  std::uint64_t lines_handed_on() const;
  /// Shared lines, of each launch anew, and the CTAs that touched them.
  std::uint64_t shared_uses() const { return shared_uses_; }
  std::uint64_t sharers() const { return sharers_; }
  std::uint64_t most_sharers() const { return most_sharers_; }
  /// Pairs of a line and a CTA that touched it.
  std::uint64_t touches() const { return touches_; }
  /// Bytes of the line that launches so far have written.
  base::ByteMask written(std::uint64_t line) const;

 private:
  struct Line {
    base::ByteMask read, written;
    LineSharing sharing = LineSharing::private_;
    bool shares_bytes = false, several_writers = false, handed_on = false;
  };
  template <class Condition>
  std::uint64_t count(Condition condition) const;

  std::unordered_map<std::uint64_t, Line> lines_;
  std::array<Accesses, line_sharings> accesses_{};
  std::uint64_t shared_uses_ = 0, sharers_ = 0, most_sharers_ = 0, touches_ = 0;
};

}  // namespace syncline::platform
