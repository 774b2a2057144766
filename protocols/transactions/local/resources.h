// What transactions in shared memory take of a compute unit ([LocalTM] section 5, table 3): shadow memory in its local
// memory, signatures and S and M in vector registers, masks and helper signatures in scalar registers.
#pragma once

#include <cstdint>
#include <string_view>

#include "protocols/transactions/local/spec.h"

namespace syncline::protocols::local {

/// A work-group, and the memory and the registers of a compute unit.
struct ComputeUnit {
  std::uint32_t wavefronts = 4;  ///< of a work-group
  std::uint32_t lanes = 64;
  std::uint32_t memory_bytes = 65536;
  std::uint32_t vector_registers = 65536;  ///< of 32 bits
  std::uint32_t scalar_registers = 2048;
};

/// What a program takes without transactions.
struct ProgramNeeds {
  std::uint32_t memory_bytes = 0;  ///< of shared memory
  std::uint32_t vector_registers = 0;
  std::uint32_t scalar_registers = 0;
  std::uint32_t transactional_bytes = 0;  ///< of its shared memory, that transactions may write
};

struct Resources {
  std::uint32_t words = 0;            ///< of shared memory that transactions may access
  std::uint32_t shadow_bytes = 0;     ///< a backup and an owner of each
  std::uint32_t signatures = 0;       ///< vector registers
  std::uint32_t shared_modified = 0;  ///< vector registers, S and M of SMDCD
  std::uint32_t tcm = 0;              ///< scalar registers; TCM_OLD takes as many
  std::uint32_t mcm = 0;              ///< scalar registers, of a multiple selection
  std::uint32_t helpers = 0;          ///< scalar registers, of sWO-sig

  std::uint32_t vector_registers() const { return signatures + shared_modified; }
  std::uint32_t scalar_registers() const { return 2 * tcm + mcm + helpers; }
};

/// Bytes of shadow memory for a word: 4 for its backup, and what a work-item's number takes.
std::uint32_t shadow_bytes_of_a_word(const ComputeUnit& unit);
/// The most words that fit into a compute unit's local memory together with their shadows.
std::uint32_t most_words(const ComputeUnit& unit);
/// With `words` words that transactions may access.
Resources resources_of(const LocalTmSpec& spec, const ComputeUnit& unit, std::uint32_t words);

enum class Lack : std::uint8_t { none, memory, vector_registers, scalar_registers };
/// "bytes of shared memory", "vector registers", "scalar registers".
std::string_view name(Lack lack);

/// What a program with its transactions lacks; `none`: it fits.
struct Shortfall {
  Lack what = Lack::none;
  std::uint64_t needs = 0, has = 0;
};
/// Of shared memory that transactions of a program may write.
std::uint32_t words_of(const ProgramNeeds& program);
Shortfall shortfall_of(const LocalTmSpec& spec, const ComputeUnit& unit, const ProgramNeeds& program);

}  // namespace syncline::protocols::local
