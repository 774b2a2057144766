// What a warp asks of memory: the boundary between instruction semantics (isa) and whoever owns the bytes (an SM with
// its shared memory and memory path, or the functional emulator).
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_mask.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

struct Op;

/// Largest access of one lane in bytes (.v8.b32, .v4.b64).
inline constexpr unsigned max_access_bytes = 32;

enum class AccessKind : std::uint8_t {
  load,
  store,
  atomic,     ///< atomic returns the old value
  reduction,  ///< red, or atom whose result is not used: no value comes back
  prefetch
};

/// How neighbouring lanes of an access lie to each other, as far as is known: `any` claims nothing.
enum class LaneShape : std::uint8_t {
  any,
  uniform,    ///< all at one address
  contiguous  ///< each `stride` bytes behind the one before
};

/// One memory instruction of one warp in one state space: lane addresses, and for stores and atomics the lane values.
/// Lane values are packed lane by lane, `stride` bytes apart: `data[lane * stride]` is the first byte of a lane's
/// vector.
struct MemoryAccess {
  const Op* op = nullptr;
  AccessKind kind = AccessKind::load;
  Space space = Space::none;       ///< global, shared, local or const_; never generic
  base::LaneMask lanes = 0;        ///< lanes that take part
  std::uint8_t element_bytes = 4;  ///< 1, 2, 4, 8, 16
  std::uint8_t elements = 1;       ///< vector length
  std::uint8_t stride = 4;         ///< element_bytes * elements
  std::uint8_t skipped = 0;        ///< stores: bit n, element n of the vector is not written
  CacheOp cache = CacheOp::none;
  bool non_coherent = false;  ///< ld.global.nc / ldu: the program promises that nobody writes it
  Semantics semantics = Semantics::none;
  Scope scope = Scope::none;
  AtomicOp atomic = AtomicOp::none;  ///< with `type`, what isa/lanes/atomic_value.h applies
  bool ftz = false;                  ///< atomic floating add: subnormals count as zero
  Type type = Type::none;
  std::array<std::uint64_t, base::max_lanes>
      address{};  ///< byte address in `space` (local: offset in the thread's own)
  static constexpr unsigned shape_lanes = 16;
  /// Of so many lanes each, where all of them take part. Whoever changes an address changes its shape.
  std::array<LaneShape, base::max_lanes / shape_lanes> shape{};
  alignas(64) std::array<std::uint8_t, base::max_lanes * max_access_bytes> data{};  ///< store value, atomic operand b
  static constexpr unsigned compare_bytes = 16;
  /// atom.cas: operand c, compare_bytes apart
  alignas(64) std::array<std::uint8_t, base::max_lanes * compare_bytes> compare{};
  std::uint32_t frame = 0;  ///< call frame that issued it: where Warp::write_back finds the registers
};

/// Generic addresses: windows of the one address space that .shared and .local of the running CTA and thread appear in.
/// Everything else is global (constants included). They lie below 4 GiB so that 32-bit modules can form them.
struct AddressWindows {
  static constexpr std::uint64_t shared_base = 0xF0000000, shared_bytes = 0x01000000;
  static constexpr std::uint64_t local_base = 0xF1000000, local_bytes = 0x0E000000;
  /// Kernel parameters, for cvta.param and generic loads through it.
  static constexpr std::uint64_t param_base = 0xFF000000, param_bytes = 0x01000000;
  static constexpr std::uint64_t global_base = 0x10000000;  ///< first device address that is ever allocated
  static constexpr std::uint64_t low_global_end = 0xF0000000;
  static constexpr std::uint64_t high_global_base = 0x100000000;  ///< used when the low part is full
};

}  // namespace syncline::isa
