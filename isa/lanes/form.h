// One arithmetic form of PTX, "add.rn.ftz.f32", as a key: what of the opcode and the modifiers chooses the kernel.
#pragma once

#include <cstdint>

#include "isa/lanes/lane_kernel.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

/// The modifiers that are there or not.
enum class LaneFlag : std::uint8_t {
  ftz,
  sat,
  approx,
  full,
  relu,
  nan,
  xorsign_abs,
  cc,
  left,
  right,
  wrap,
  clamp,
  shift_amount,
  accumulate,
  satfinite,
  absolute,
  oob,
  pack,
  plus_one,
  pzo,
  scaled,
  three_sources
};

/// Builder and key. Members are defined out of line on purpose: kernel sources are compiled with vector extensions and
/// must not emit functions that the rest of the program shares.
class LaneForm {
 public:
  explicit LaneForm(Opcode opcode, Type type = Type::none);
  LaneForm from(Type source) const;  ///< Modifiers::source_type
  LaneForm third(Type type) const;
  LaneForm round(Rounding rounding) const;
  LaneForm compare(Compare compare) const;
  LaneForm combine(BoolOp op) const;
  LaneForm part(MulPart part) const;
  LaneForm mode(PrmtMode mode) const;
  LaneForm test(TestpMode mode) const;
  LaneForm second(AtomicOp op) const;
  LaneForm shift_right(unsigned places) const;  ///< .shr7 and .shr15 of vmad
  LaneForm with(LaneFlag flag, bool present = true) const;
  std::uint64_t key() const { return key_; }

 private:
  LaneForm set(unsigned shift, unsigned value) const;
  LaneForm variant(unsigned value) const;
  std::uint64_t key_ = 0;
};

/// The form that an instruction of a parsed module has, defaults filled in: `.rn` where the ISA says that no rounding
/// means it, `.approx.ftz` for the unmodified f32 functions of PTX ISA 1.x, mad on floating point as fma. `sources` is
/// the number of source operands; it tells min and max of three from those of two.
LaneForm form_of(Opcode opcode, const Modifiers& modifiers, unsigned sources = 0);

}  // namespace syncline::isa
