// The constants bank of a program: every immediate as 32 equal values, so that kernels read it like a register.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "isa/exec/op.h"

namespace syncline::isa {

class ConstantPool {
 public:
  ConstantPool();
  /// 32 copies of the low `bytes` (1, 2, 4, 8 or 16) of `bits`.
  OperandRef broadcast(std::uint64_t bits, unsigned bytes);
  OperandRef predicate(bool value) const;
  OperandRef zero() const;  ///< zeros as any type

  /// Moves the bytes out.
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> known_;
};

}  // namespace syncline::isa
