// Video instructions, scalar and SIMD (PTX ISA, "Video Instructions").
//
// Hardware since Maxwell emulates them, so they need to be right and not fast: one function interprets all of them, and
// a kernel is this function with the facts of its form. LaneArgs::immediate tells which part of its register each
// operand takes part with, four bits each from the destination on (0 the whole register; 1..4 a byte; 5, 6 a half), or
// mask and permutations of SIMD instructions (lane_kernel.h). vmad has a file of its own.
#include <utility>

#include "isa/lanes/kernels/integer_ops.h"
#include "isa/lanes/kernels/video.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

enum class Second : u8 { none, add, min, max };

/// Everything of a form but its opcode and comparison.
struct Facts {
  bool signed_d, signed_a, signed_b, saturate, wrap;
  Second second;
};
/// Facts as a number. Bit 1 is the sign of b or, for shifts (whose amount is unsigned), .wrap. Comparisons need the low
/// four bits only.
constexpr Facts facts_of(unsigned n) {
  return {(n & 16) != 0, (n & 1) != 0, (n & 2) != 0, (n & 32) != 0, (n & 2) != 0, static_cast<Second>(n >> 2 & 3)};
}

s64 smaller(s64 a, s64 b) {
  return a < b ? a : b;
}
s64 larger(s64 a, s64 b) {
  return a > b ? a : b;
}

/// Into the range of a destination of `width` bits.
s64 clamp_to(s64 value, unsigned width, bool is_signed) {
  const s64 low = is_signed ? -(s64{1} << (width - 1)) : 0;
  const s64 high = is_signed ? (s64{1} << (width - 1)) - 1 : (s64{1} << width) - 1;
  return smaller(larger(value, low), high);
}

bool compare(Compare cmp, s64 a, s64 b) {
  switch (cmp) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    default:
      return false;
  }
}

/// The operation on extracted values, before saturation. SIMD opcodes use it for each of their elements.
s64 operate(Opcode opcode, Compare cmp, const Facts& facts, s64 a, s64 b) {
  switch (opcode) {
    case Opcode::vadd:
    case Opcode::vadd2:
    case Opcode::vadd4:
      return a + b;
    case Opcode::vsub:
    case Opcode::vsub2:
    case Opcode::vsub4:
      return a - b;
    case Opcode::vabsdiff:
    case Opcode::vabsdiff2:
    case Opcode::vabsdiff4:
      return a < b ? b - a : a - b;
    case Opcode::vmin:
    case Opcode::vmin2:
    case Opcode::vmin4:
      return smaller(a, b);
    case Opcode::vmax:
    case Opcode::vmax2:
    case Opcode::vmax4:
      return larger(a, b);
    // Halves round away from zero.
    case Opcode::vavrg2:
    case Opcode::vavrg4:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Opcode::vset:
    case Opcode::vset2:
    case Opcode::vset4:
      return compare(cmp, a, b) ? 1 : 0;
    case Opcode::vshl: {
      const u32 amount = static_cast<u32>(b);
      const u32 places = facts.wrap ? amount & 31 : amount < 32 ? amount : 32;
      // The one shift that does not fit: anything beyond every range, with the same low bits, serves.
      if (places == 32 && a > 0) return s64{0x7fffffff} << 32;
      return static_cast<s64>(static_cast<u64>(a) << places);
    }
    case Opcode::vshr: {
      const u32 amount = static_cast<u32>(b);
      return a >> (facts.wrap ? amount & 31 : amount < 32 ? amount : 32);
    }
    default:
      return 0;
  }
}

/// What happens to the result: combined with c, or merged into the part of c that the destination names.
u32 finish(const Facts& facts, s64 value, u32 c, u32 selector) {
  const Part part = part_of(selector);
  if (facts.saturate) value = clamp_to(value, part.width, facts.signed_d);
  const u32 result = static_cast<u32>(value);
  if (part.width != 32) {
    const u32 mask = static_cast<u32>((u64{1} << part.width) - 1) << part.shift;
    return (c & ~mask) | (result << part.shift & mask);
  }
  const s64 x = extend(result, 32, facts.signed_d), y = extend(c, 32, facts.signed_d);
  switch (facts.second) {
    case Second::add:
      return result + c;
    case Second::min:
      return static_cast<u32>(smaller(x, y));
    case Second::max:
      return static_cast<u32>(larger(x, y));
    case Second::none:
      break;
  }
  return result;
}

u32 scalar(Opcode opcode, Compare cmp, const Facts& facts, u32 selectors, u32 a, u32 b, u32 c) {
  const s64 x = extract(a, part_of(selectors >> 4 & 15), facts.signed_a);
  const bool shifts = opcode == Opcode::vshl || opcode == Opcode::vshr;
  const s64 y = extract(b, part_of(selectors >> 8 & 15), facts.signed_b && !shifts);
  return finish(facts, operate(opcode, cmp, facts, x, y), c, selectors & 15);
}

/// Mask and permutations that no selector asks for: all elements, those of a against those of b.
constexpr u32 default_selection(unsigned width) {
  return width == 16 ? 0x3u | 010u << 4 | 032u << 16 : 0xfu | 03210u << 4 | 07654u << 16;
}

/// Elements of `Width` bits: stored into the elements of the mask, or (facts.second == add) summed up onto c.
u32 simd(Opcode opcode, Compare cmp, const Facts& facts, unsigned width, u32 selectors, u32 a, u32 b, u32 c) {
  const u32 selection = selectors == 0 ? default_selection(width) : selectors;
  const u64 both = static_cast<u64>(b) << 32 | a;
  const bool accumulate = facts.second == Second::add;
  u32 result = c;
  for (unsigned n = 0; n < 32 / width; ++n) {
    if ((selection >> n & 1) == 0) continue;
    const auto element = [&](unsigned at, bool is_signed) {
      const u64 at_bit = (selection >> (at + 3 * n) & (64 / width - 1)) * width;
      return extend(static_cast<u32>(both >> at_bit), width, is_signed);
    };
    s64 value = operate(opcode, cmp, facts, element(4, facts.signed_a), element(16, facts.signed_b));
    if (accumulate) {
      result += static_cast<u32>(value);
      continue;
    }
    if (facts.saturate) value = clamp_to(value, width, facts.signed_d);
    const unsigned shift = n * width;
    const u32 mask = static_cast<u32>((u64{1} << width) - 1) << shift;
    result = (result & ~mask) | (static_cast<u32>(value) << shift & mask);
  }
  return result;
}

[[gnu::noinline]] void interpret(Opcode opcode, Compare cmp, unsigned fact_bits, const LaneArgs& args) {
  const Facts facts = facts_of(fact_bits);
  const unsigned elements = simd_elements(opcode);
  const unsigned width = elements == 0 ? 32 : 32 / elements;
  using Word = Storage<u32>::Word;
  const auto source = [&](unsigned k, unsigned lane) {
    return args.src[k] == nullptr ? 0u : static_cast<const Word*>(args.src[k])[lane];
  };
  auto* const dst = static_cast<Word*>(args.dst);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    if ((args.mask & lane_bit[lane]) == 0) continue;
    const u32 a = source(0, lane), b = source(1, lane), c = source(2, lane);
    dst[lane] = width == 32 ? scalar(opcode, cmp, facts, args.immediate, a, b, c)
                            : simd(opcode, cmp, facts, width, args.immediate, a, b, c);
  }
}

template <Opcode Op, Compare Cmp, unsigned FactBits>
void kernel(const LaneArgs& args) {
  interpret(Op, Cmp, FactBits, args);
}

/// The kernels of the facts 0, 1, 2 ...
template <Opcode Op, Compare Cmp, class Numbers>
struct Kernels;
template <Opcode Op, Compare Cmp, unsigned... Numbers>
struct Kernels<Op, Cmp, std::integer_sequence<unsigned, Numbers...>> {
  static constexpr LaneKernel kernels[sizeof...(Numbers)] = {kernel<Op, Cmp, Numbers>...};
};

/// Which facts the forms of a group of opcodes can have.
struct Shape {
  bool sat, wraps, secondary, accumulates, two_types;
};

bool has_form(const Shape& shape, const Facts& facts) {
  if (facts.saturate && !shape.sat) return false;
  if (facts.second == Second::none || shape.secondary) return true;
  return shape.accumulates && facts.second == Second::add && !facts.saturate;
}

/// The form with these facts: types of d, a, b, or for the comparisons those of a and b only.
LaneForm form_with(Opcode opcode, const Shape& shape, const Facts& facts, Compare cmp) {
  constexpr AtomicOp second[] = {AtomicOp::none, AtomicOp::add, AtomicOp::min, AtomicOp::max};
  const Type d = facts.signed_d ? Type::s32 : Type::u32, a = facts.signed_a ? Type::s32 : Type::u32,
             b = facts.signed_b && !shape.wraps ? Type::s32 : Type::u32;
  const LaneForm typed = shape.two_types ? LaneForm(opcode, a).from(b) : LaneForm(opcode, d).from(a).third(b);
  const LaneForm dressed = typed.compare(cmp)
                               .with(LaneFlag::sat, facts.saturate)
                               .with(LaneFlag::wrap, shape.wraps && facts.wrap)
                               .with(LaneFlag::clamp, shape.wraps && !facts.wrap);
  if (shape.secondary) return dressed.second(second[static_cast<unsigned>(facts.second)]);
  return dressed.with(LaneFlag::accumulate, facts.second == Second::add);
}

void add_forms(KernelTable& table, Opcode opcode, const Shape& shape, Compare cmp, const LaneKernel* kernels,
               unsigned count) {
  for (unsigned n = 0; n < count; ++n) {
    const Facts facts = facts_of(n);
    if (has_form(shape, facts)) table.add(form_with(opcode, shape, facts, cmp), kernels[n]);
  }
}

template <Opcode... Ops>
void add_opcodes(KernelTable& table, const Shape& shape) {
  using Numbers = std::make_integer_sequence<unsigned, 64>;
  (add_forms(table, Ops, shape, Compare::none, Kernels<Ops, Compare::none, Numbers>::kernels, 64), ...);
}
template <Opcode Op, Compare... Cmps>
void add_compares(KernelTable& table, const Shape& shape) {
  using Numbers = std::make_integer_sequence<unsigned, 16>;
  (add_forms(table, Op, shape, Cmps, Kernels<Op, Cmps, Numbers>::kernels, 16), ...);
}
template <Opcode Op>
void add_vset(KernelTable& table, const Shape& shape) {
  add_compares<Op, Compare::eq, Compare::ne, Compare::lt, Compare::le, Compare::gt, Compare::ge>(table, shape);
}

}  // namespace

void add_video_kernels(KernelTable& table) {
  Shape arithmetic{};
  arithmetic.sat = arithmetic.secondary = true;
  add_opcodes<Opcode::vadd, Opcode::vsub, Opcode::vabsdiff, Opcode::vmin, Opcode::vmax>(table, arithmetic);

  Shape shift = arithmetic;
  shift.wraps = true;
  add_opcodes<Opcode::vshl, Opcode::vshr>(table, shift);

  add_multiply_kernels(table);

  Shape simd_arithmetic{};
  simd_arithmetic.sat = simd_arithmetic.accumulates = true;
  add_opcodes<Opcode::vadd2, Opcode::vadd4, Opcode::vsub2, Opcode::vsub4, Opcode::vavrg2, Opcode::vavrg4,
              Opcode::vabsdiff2, Opcode::vabsdiff4, Opcode::vmin2, Opcode::vmin4, Opcode::vmax2, Opcode::vmax4>(
      table, simd_arithmetic);

  Shape set{};
  set.two_types = set.secondary = true;
  add_vset<Opcode::vset>(table, set);
  Shape simd_set{};
  simd_set.two_types = simd_set.accumulates = true;
  add_vset<Opcode::vset2>(table, simd_set);
  add_vset<Opcode::vset4>(table, simd_set);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
