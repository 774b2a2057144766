// Strong identifiers: an SM number is not a warp number, a byte address is not a line address; a mix-up does not
// compile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace syncline::base {

/// A value of type `Rep` that only compares with values of the same `Tag`. Construction and reading are explicit.
template <class Tag, class Rep>
class Strong {
 public:
  using rep = Rep;
  constexpr Strong() = default;
  constexpr explicit Strong(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }
  friend constexpr bool operator==(Strong a, Strong b) { return a.value_ == b.value_; }
  friend constexpr bool operator!=(Strong a, Strong b) { return a.value_ != b.value_; }
  friend constexpr bool operator<(Strong a, Strong b) { return a.value_ < b.value_; }
  friend constexpr bool operator<=(Strong a, Strong b) { return a.value_ <= b.value_; }
  friend constexpr bool operator>(Strong a, Strong b) { return a.value_ > b.value_; }
  friend constexpr bool operator>=(Strong a, Strong b) { return a.value_ >= b.value_; }

 private:
  Rep value_{};
};

using SmId = Strong<struct SmTag, std::uint16_t>;                  ///< streaming multiprocessor, 0-based in its GPU
using WarpSlot = Strong<struct WarpSlotTag, std::uint16_t>;        ///< warp context of an SM
using CtaSlot = Strong<struct CtaSlotTag, std::uint16_t>;          ///< CTA context of an SM
using PartitionId = Strong<struct PartitionTag, std::uint16_t>;    ///< memory partition (L2 slice and its DRAM)
using BankId = Strong<struct BankTag, std::uint16_t>;              ///< DRAM or shared-memory bank
using GridId = Strong<struct GridTag, std::uint32_t>;              ///< one kernel launch; see kernel_number
using ByteAddress = Strong<struct ByteAddressTag, std::uint64_t>;  ///< device address of a byte
using LineAddress = Strong<struct LineAddressTag, std::uint64_t>;  ///< device address of a cache line's first byte

/// As users count the kernels of a GPU: from 1, in the order in which the host launched them.
constexpr std::uint32_t kernel_number(GridId grid) {
  return grid.value() + 1;
}

/// Time of one clock domain, counted in its own periods since the start of simulation.
using Cycle = std::uint64_t;

/// A cycle that never comes: "nothing to do until somebody wakes me".
inline constexpr Cycle never = ~Cycle{0};

}  // namespace syncline::base

namespace std {
template <class Tag, class Rep>
struct hash<syncline::base::Strong<Tag, Rep>> {
  size_t operator()(syncline::base::Strong<Tag, Rep> id) const noexcept { return hash<Rep>{}(id.value()); }
};
}  // namespace std
