#include "isa/lanes/form.h"

namespace syncline::isa {
namespace {

// Where each part lies in the key; flags follow after the last one. The part of a product, the mode of prmt and testp,
// the secondary operation of video instructions and the scale of vmad share bits, for an opcode has at most one of
// them.
constexpr unsigned type_at = 8, source_at = 14, third_at = 20, rounding_at = 26, compare_at = 30, bool_at = 35,
                   variant_at = 37, flags_at = 41;
static_assert(static_cast<unsigned>(Type::count_) <= 64 &&
              flags_at + static_cast<unsigned>(LaneFlag::three_sources) < 64);

bool is_transcendental(Opcode opcode) {
  switch (opcode) {
    case Opcode::cos:
    case Opcode::ex2:
    case Opcode::lg2:
    case Opcode::rsqrt:
    case Opcode::sin:
      return true;
    default:
      return false;
  }
}

bool rounds_to_nearest_by_default(Opcode opcode) {
  return opcode == Opcode::add || opcode == Opcode::sub || opcode == Opcode::mul || opcode == Opcode::mad;
}

bool is_division_like(Opcode opcode) {
  return opcode == Opcode::div || opcode == Opcode::rcp || opcode == Opcode::sqrt;
}

/// lo, ls, hi, hs are the unsigned spellings of lt, le, gt, ge.
Compare plain(Compare compare) {
  switch (compare) {
    case Compare::lo:
      return Compare::lt;
    case Compare::ls:
      return Compare::le;
    case Compare::hi:
      return Compare::gt;
    case Compare::hs:
      return Compare::ge;
    default:
      return compare;
  }
}

bool is_unsigned_only(Compare compare) {
  return plain(compare) != compare;
}

}  // namespace

LaneForm::LaneForm(Opcode opcode, Type type)
    : key_(static_cast<std::uint64_t>(opcode) | static_cast<std::uint64_t>(type) << type_at) {}

LaneForm LaneForm::set(unsigned shift, unsigned value) const {
  LaneForm copy = *this;
  copy.key_ |= static_cast<std::uint64_t>(value) << shift;
  return copy;
}

LaneForm LaneForm::variant(unsigned value) const {
  return set(variant_at, value);
}

LaneForm LaneForm::from(Type source) const {
  return set(source_at, static_cast<unsigned>(source));
}
LaneForm LaneForm::third(Type type) const {
  return set(third_at, static_cast<unsigned>(type));
}
LaneForm LaneForm::round(Rounding rounding) const {
  return set(rounding_at, static_cast<unsigned>(rounding));
}
LaneForm LaneForm::compare(Compare compare) const {
  return set(compare_at, static_cast<unsigned>(compare));
}
LaneForm LaneForm::combine(BoolOp op) const {
  return set(bool_at, static_cast<unsigned>(op));
}
LaneForm LaneForm::part(MulPart part) const {
  return variant(static_cast<unsigned>(part));
}
LaneForm LaneForm::mode(PrmtMode mode) const {
  return variant(static_cast<unsigned>(mode));
}
LaneForm LaneForm::test(TestpMode mode) const {
  return variant(static_cast<unsigned>(mode));
}
LaneForm LaneForm::second(AtomicOp op) const {
  return variant(static_cast<unsigned>(op));
}
LaneForm LaneForm::shift_right(unsigned places) const {
  return variant(places);
}
LaneForm LaneForm::with(LaneFlag flag, bool present) const {
  return set(flags_at + static_cast<unsigned>(flag), static_cast<unsigned>(present));
}

LaneForm form_of(Opcode opcode, const Modifiers& m, unsigned sources) {
  const bool floating = is_float(m.type);
  Rounding rounding = m.rounding;
  bool approx = m.approx, ftz = m.ftz;
  if (rounding == Rounding::none && floating && rounds_to_nearest_by_default(opcode)) rounding = Rounding::rn;
  if (rounding == Rounding::none && is_small_float(m.type) && opcode == Opcode::fma) rounding = Rounding::rn;
  if (opcode == Opcode::mad && floating) opcode = Opcode::fma;
  if (rounding == Rounding::none && !m.approx && !m.full && is_division_like(opcode) && floating) {
    rounding = m.type == Type::f64 ? Rounding::rn : Rounding::none;
    approx = ftz = m.type == Type::f32;
  }
  if (is_transcendental(opcode) && m.type == Type::f32 && !m.approx) approx = ftz = true;

  // .ftz of cvt concerns f32 only, and is accepted and without effect between other types.
  if (opcode == Opcode::cvt && m.type != Type::f32 && m.source_type != Type::f32) ftz = false;

  Compare compare = m.compare;
  const Type compared = opcode == Opcode::set ? m.source_type : m.type;
  if (is_unsigned_only(compare) && !is_float(compared) && !is_signed(compared)) compare = plain(compare);

  return LaneForm(opcode, m.type)
      .from(m.source_type)
      .third(m.third_type)
      .round(rounding)
      .compare(compare)
      .combine(m.bool_op)
      .part(m.part)
      .mode(m.prmt)
      .test(m.testp)
      .second(m.secondary)
      .shift_right(m.scale)
      .with(LaneFlag::ftz, ftz)
      .with(LaneFlag::sat, m.sat)
      .with(LaneFlag::approx, approx)
      .with(LaneFlag::full, m.full)
      .with(LaneFlag::relu, m.relu)
      .with(LaneFlag::nan, m.nan)
      .with(LaneFlag::xorsign_abs, m.xorsign_abs)
      .with(LaneFlag::cc, m.cc)
      .with(LaneFlag::left, m.left)
      .with(LaneFlag::right, m.right)
      .with(LaneFlag::wrap, m.wrap)
      .with(LaneFlag::clamp, m.clamp)
      .with(LaneFlag::shift_amount, m.shift_amount)
      .with(LaneFlag::accumulate, m.accumulate)
      .with(LaneFlag::satfinite, m.satfinite)
      .with(LaneFlag::absolute, m.absolute)
      .with(LaneFlag::oob, m.oob)
      .with(LaneFlag::pack, m.pack)
      .with(LaneFlag::plus_one, m.plus_one)
      .with(LaneFlag::pzo, m.pzo)
      .with(LaneFlag::scaled, m.scaled)
      .with(LaneFlag::three_sources, sources == 3 && (opcode == Opcode::min || opcode == Opcode::max));
}

}  // namespace syncline::isa
