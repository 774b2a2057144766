// One arithmetic form of PTX, "add.rn.ftz.f32", as a key: what of the opcode and the modifiers chooses the kernel.
#pragma once

#include <cstdint>

#include "isa/lanes/lane_kernel.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

/// The modifiers that are there or not.
enum class Flag : std::uint8_t {
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
  accumulate
};

/// Builder and key. Members are defined out of line on purpose: kernel sources are compiled with vector extensions and
/// must not emit functions that the rest of the program shares.
class Form {
 public:
  explicit Form(Opcode opcode, Type type = Type::none);
  Form from(Type source) const;  ///< Modifiers::source_type
  Form third(Type type) const;
  Form round(Rounding rounding) const;
  Form compare(Compare compare) const;
  Form combine(BoolOp op) const;
  Form part(MulPart part) const;
  Form mode(PrmtMode mode) const;
  Form test(TestpMode mode) const;
  Form second(AtomicOp op) const;
  Form with(Flag flag, bool present = true) const;
  std::uint64_t key() const { return key_; }

 private:
  Form set(unsigned shift, unsigned value) const;
  std::uint64_t key_ = 0;
};

/// The form that an instruction of a parsed module has, defaults filled in: `.rn` where the ISA says that no rounding
/// means it, `.approx.ftz` for the unmodified f32 functions of PTX ISA 1.x, mad on floating point as fma.
Form form_of(Opcode opcode, const Modifiers& modifiers);

}  // namespace syncline::isa
