#include "models/sm/bank_conflicts.h"

#include <algorithm>
#include <array>

namespace syncline::models {
namespace {

constexpr unsigned max_banks = 64;
constexpr unsigned max_words = base::max_lanes * isa::max_access_bytes;

/// Counts different words per bank. A word counts once, however many lanes want it.
class PassCounter {
 public:
  explicit PassCounter(const BankGeometry& banks) : last_bank_(banks.banks - 1) {}

  void add(std::uint64_t word) {
    const unsigned bank = static_cast<unsigned>(word) & last_bank_;
    for (unsigned at = first_[bank]; at != 0; at = next_[at - 1]) {
      if (words_[at - 1] == word) return;
    }
    words_[used_] = word;
    next_[used_] = first_[bank];
    first_[bank] = static_cast<std::uint16_t>(++used_);
    most_ = std::max(most_, ++count_[bank]);
  }
  unsigned most() const { return most_; }

 private:
  unsigned last_bank_;
  std::array<std::uint16_t, max_banks> first_{};  ///< head of the bank's list of words, plus one
  std::array<unsigned, max_banks> count_{};
  std::array<std::uint16_t, max_words> next_;
  std::array<std::uint64_t, max_words> words_;
  unsigned used_ = 0, most_ = 0;
};

/// Every lane reads one word, and no bank has to serve two different ones: nearly every access. Cheaper than counting.
bool is_free_of_conflicts(const isa::MemoryAccess& access, base::LaneMask lanes, const AddressRange& range,
                          const BankGeometry& banks) {
  const unsigned shift = banks.width_shift(), last_bank = banks.banks - 1;
  if ((range.high >> shift) - (range.low >> shift) < banks.banks) return true;
  std::array<std::uint64_t, max_banks> word_of;  // of the banks in `used`
  std::uint64_t used = 0;
  for (base::LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t word = access.address[base::first_lane(rest)] >> shift;
    const unsigned bank = static_cast<unsigned>(word) & last_bank;
    const std::uint64_t bit = std::uint64_t{1} << bank;
    if ((used & bit) != 0 && word_of[bank] != word) return false;
    used |= bit;
    word_of[bank] = word;
  }
  return true;
}

unsigned passes_of(const isa::MemoryAccess& access, base::LaneMask lanes, const BankGeometry& banks) {
  if (lanes == 0) return 0;
  PassCounter counter(banks);
  base::for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t first = access.address[lane] >> banks.width_shift();
    const std::uint64_t last = (access.address[lane] + access.stride - 1) >> banks.width_shift();
    for (std::uint64_t word = first; word <= last; ++word) counter.add(word);
  });
  return counter.most();
}

}  // namespace

unsigned shared_passes(const isa::MemoryAccess& access, base::LaneMask lanes, const AddressRange& range,
                       const BankGeometry& banks, unsigned warp_size) {
  if (lanes == 0) return 1;
  if (access.stride <= banks.width && is_free_of_conflicts(access, lanes, range, banks)) return 1;
  const unsigned groups = std::min(warp_size, std::max(1u, access.stride / banks.width));
  const unsigned lanes_per_group = warp_size / groups;
  unsigned passes = 0;
  for (unsigned group = 0; group < groups; ++group) {
    const base::LaneMask part = base::all_lanes(lanes_per_group) << (group * lanes_per_group);
    passes += passes_of(access, lanes & part, banks);
  }
  return std::max(1u, passes);
}

unsigned shared_atomic_passes(const isa::MemoryAccess& access, const BankGeometry& banks) {
  std::array<unsigned, max_banks> count{};
  unsigned most = 1;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    for (unsigned byte = 0; byte < access.stride; byte += std::max<unsigned>(banks.width, access.element_bytes)) {
      const unsigned bank = static_cast<unsigned>((access.address[lane] + byte) / banks.width % banks.banks);
      most = std::max(most, ++count[bank]);
    }
  });
  return most;
}

}  // namespace syncline::models
