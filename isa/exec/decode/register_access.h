// Which virtual registers an instruction reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// How many operands, from the left, are results. `call` counts its return list, a vector or a pair counts as one.
unsigned result_operands(const Instruction& instruction);

struct RegisterAccess {
  std::vector<std::uint32_t> reads, writes;  ///< register indices; the carry flag is `carry_register(function)`
  bool partial_write = false;  ///< lanes may keep the old value (guard): the write does not end the old value's life
};

/// The carry flag CC.CF is treated as one more register, a predicate behind the declared ones.
inline std::uint32_t carry_register(const Function& function) {
  return static_cast<std::uint32_t>(function.registers.size());
}
bool reads_carry(const Instruction& instruction);
bool writes_carry(const Instruction& instruction);

/// Fills `access` (reused between calls to spare allocations).
void register_access(const Function& function, const Instruction& instruction, RegisterAccess& access);

}  // namespace syncline::isa
