// One decoded arithmetic operation over 32 lanes at once: the unit of execution of the emulator and of the SM.
//
// A register is 32 consecutive values of its own size (2, 4 or 8 bytes), aligned to 64 bytes; a predicate is a
// 32-bit mask. A 64-wide warp runs a kernel twice, once for each half of its lanes. Kernels exist in several builds
// (portable, AVX2, AVX-512) with the same bits; `find_lane_kernel` picks by what the host can do.
#pragma once

#include <cstdint>

#include "isa/vocabulary.h"

namespace syncline::isa {

inline constexpr unsigned kernel_lanes = 32;

/// Operands of one kernel call. Sources may alias the destination. Only lanes in `mask` are written.
struct LaneArgs {
  void* dst = nullptr;          ///< 32 values of the destination type; for a predicate a std::uint32_t
  void* dst2 = nullptr;         ///< second result (setp p|q, carry out as a predicate mask), or null
  const void* src[5] = {};      ///< 32 values each (an immediate is a broadcast array); predicates as masks
  std::uint32_t mask = 0;       ///< lanes to write
  std::uint32_t immediate = 0;  ///< what is part of the instruction: lop3's table, the selectors of video operands
};

using LaneKernel = void (*)(const LaneArgs&);

/// The vector width that lane kernels run with. `automatic` asks the CPU once.
enum class LaneIsa : std::uint8_t { automatic, portable, avx2, avx512 };

/// Forces one build of the kernels (tests compare them bit by bit); throws UserError if the host cannot run it.
void select_lane_isa(LaneIsa isa);
LaneIsa selected_lane_isa();  ///< never `automatic`

/// The kernel of an arithmetic form, or null where the PTX ISA defines no such form.
/// Which operand is which, in the order of the PTX text without the destination: src[0] = a, src[1] = b, src[2] = c,
/// src[3] = d; the elements of a vector one by one, as in cvt.rs d, {a, b, e, f}, rbits. setp/set with a boolean
/// operator: the predicate operand is src[2]; selp: src[2] is the predicate; slct: src[2] has modifiers.source_type.
/// `setp`: dst = p, dst2 = q or null. The carry flag CC.CF of add.cc, addc, sub.cc, subc, mad.cc and madc: carry in is
/// src[3] (a predicate mask), carry out is dst2; a subtraction carries a + ~b + 1. lop3 with a boolean operator: src[3]
/// = q, dst2 = p. 8-bit operands of cvt are arrays of bytes. Video instructions find four bits per operand in
/// `immediate`, from the destination on: 0 the whole register, 1..4 .b0 to .b3, 5 and 6 .h0 and .h1; vmad has its
/// negations in bits 12 (the product) and 13 (c). For the SIMD ones 0 is the default mask and permutation; any other
/// value has in bits 0 to 3 the mask, in bits 4 to 15 the element of {b, a} that each element of the first operand is,
/// three bits each, and in bits 16 to 27 the same of the second operand.
///
/// Where the ISA leaves room: integer division by zero gives all ones and its remainder the dividend; a NaN result is
/// 0x7fffffff (f32), 0x7fff (16-bit formats) or 0xfff8000000000000 (f64); .approx functions are nearly exact.
/// `sources` is the number of source operands; it matters for min and max, which have forms of two and of three.
LaneKernel find_lane_kernel(Opcode opcode, const Modifiers& modifiers, unsigned sources = 0);

}  // namespace syncline::isa
