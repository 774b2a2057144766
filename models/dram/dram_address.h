// Where an address lies inside a channel.
#pragma once

#include <cstdint>

#include "models/dram/dram_spec.h"

namespace syncline::models {

struct DramPlace {
  std::uint32_t bank = 0;
  std::uint32_t row = 0;
  std::uint32_t column = 0;  ///< burst within the row
  friend bool operator==(const DramPlace& a, const DramPlace& b) {
    return a.bank == b.bank && a.row == b.row && a.column == b.column;
  }
};

/// Splits addresses by the order of the spec. Bijective between bursts of the capacity and places.
class DramAddressing {
 public:
  explicit DramAddressing(const DramSpec& spec)
      : order_(spec.address_order),
        burst_bits_(log2(spec.burst_bytes())),
        column_bits_(log2(spec.row / spec.burst_bytes())),
        bank_bits_(log2(spec.banks)),
        rows_(spec.capacity / (std::uint64_t{spec.banks} * spec.row)) {}

  DramPlace place(std::uint64_t address) const {
    std::uint64_t rest = address >> burst_bits_;
    const auto take = [&rest](unsigned bits) {
      const auto field = static_cast<std::uint32_t>(rest & ((std::uint64_t{1} << bits) - 1));
      rest >>= bits;
      return field;
    };
    DramPlace p;
    switch (order_) {
      case AddressOrder::row_bank_column:
        p.column = take(column_bits_);
        p.bank = take(bank_bits_);
        p.row = static_cast<std::uint32_t>(rest);
        break;
      case AddressOrder::bank_row_column:
        p.column = take(column_bits_);
        p.row = static_cast<std::uint32_t>(rest % rows_);
        p.bank = static_cast<std::uint32_t>(rest / rows_);
        break;
      case AddressOrder::row_column_bank:
        p.bank = take(bank_bits_);
        p.column = take(column_bits_);
        p.row = static_cast<std::uint32_t>(rest);
        break;
    }
    return p;
  }

 private:
  static unsigned log2(std::uint64_t value) { return 63U - static_cast<unsigned>(__builtin_clzll(value)); }
  AddressOrder order_;
  unsigned burst_bits_, column_bits_, bank_bits_;
  std::uint64_t rows_;
};

}  // namespace syncline::models
