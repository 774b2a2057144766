// The arithmetic of atom and red: what a read-modify-write leaves in memory (PTX ISA, "Parallel Synchronization and
// Communication Instructions: atom"). The same functions reduce the values of redux.
#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

namespace syncline::isa {

/// True if the PTX ISA defines `op` on `type` (vector atomics apply element by element). Bitwise operations, exch and
/// cas read any type of their width as bits.
bool atomic_is_defined(AtomicOp op, Type type);

/// The new value of a location that holds `old`. Values are bit patterns in the low type_bytes(type) bytes; upper bits
/// are ignored and returned as zero.
///   b      the operand; for cas the value to compare with
///   c      cas only: the value to store if `old` equals `b`
///   ftz    f32 and f16 add: subnormal inputs and results become zero. Hardware flushes for atom.add.f32 on global
///          memory and not on shared memory; the .noftz forms never flush.
/// min and max of floating-point types return the operand that is not a NaN and order -0 below +0.
/// Throws ModelError for a pair that atomic_is_defined denies, and for 128 bits.
std::uint64_t apply_atomic(AtomicOp op, Type type, bool ftz, std::uint64_t old, std::uint64_t b, std::uint64_t c = 0);

/// The same on bytes, for all types: the location at `place` gets its new value, `old` what it held. `b` and `c` are
/// the operands, `old` may be the same as one of them; each has type_bytes(type) bytes. Only cas reads c.
void update_atomic(AtomicOp op, Type type, bool ftz, void* place, const void* b, const void* c, void* old);

}  // namespace syncline::isa
