// vmad (PTX ISA, "Scalar Video Instructions: vmad"): the sum of a product and a word, negated, rounded up, scaled and
// saturated on the way.
#include <utility>

#include "isa/lanes/kernels/video.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

// Products of unsigned words, negated, need more than 64 bits.
__extension__ typedef __int128 Wide;

/// Everything of a form. The type of the destination does not enter the result: it is signed when an operand is, or
/// when something is negated.
struct Facts {
  bool signed_a, signed_b, saturate, plus_one;
  unsigned scale;
};
constexpr unsigned scales[] = {0, 7, 15};
constexpr Facts facts_of(unsigned n) {
  return {(n & 1) != 0, (n & 2) != 0, (n & 4) != 0, (n & 8) != 0, scales[n / 16]};
}
constexpr unsigned fact_count = 48;

constexpr u32 negate_product = 1u << 12, negate_c = 1u << 13;

u32 multiply_add(const Facts& facts, u32 selectors, u32 a, u32 b, u32 c) {
  const bool minus_product = (selectors & negate_product) != 0, minus_c = (selectors & negate_c) != 0;
  const bool is_signed = facts.signed_a || facts.signed_b || minus_product || minus_c;
  const Wide product = static_cast<Wide>(extract(a, part_of(selectors >> 4 & 15), facts.signed_a)) *
                       extract(b, part_of(selectors >> 8 & 15), facts.signed_b);
  // Negation is the complement and one more in the lowest place, as the hardware adds it.
  const Wide summand = extend(minus_c ? ~c : c, 32, is_signed);
  const Wide carry = facts.plus_one || minus_product || minus_c ? 1 : 0;
  const Wide scaled = ((minus_product ? ~product : product) + summand + carry) >> facts.scale;
  if (!facts.saturate) return static_cast<u32>(static_cast<u64>(scaled));
  const Wide low = is_signed ? -(Wide{1} << 31) : 0, high = (Wide{1} << (is_signed ? 31 : 32)) - 1;
  return static_cast<u32>(static_cast<u64>(scaled < low ? low : scaled > high ? high : scaled));
}

template <unsigned FactBits>
void kernel(const LaneArgs& args) {
  using Word = Storage<u32>::Word;
  const Operand<u32> a(args.src[0]), b(args.src[1]), c(args.src[2]);
  auto* const dst = static_cast<Word*>(args.dst);
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    if ((args.mask & lane_bit[lane]) != 0)
      dst[lane] = multiply_add(facts_of(FactBits), args.immediate, a[lane], b[lane], c[lane]);
}

template <unsigned FactBits>
void add_facts(KernelTable& table) {
  constexpr Facts facts = facts_of(FactBits);
  const auto word = [](bool is_signed) { return is_signed ? Type::s32 : Type::u32; };
  for (const Type d : {Type::u32, Type::s32})
    table.add(LaneForm(Opcode::vmad, d)
                  .from(word(facts.signed_a))
                  .third(word(facts.signed_b))
                  .with(LaneFlag::sat, facts.saturate)
                  .with(LaneFlag::plus_one, facts.plus_one)
                  .shift_right(facts.scale),
              kernel<FactBits>);
}
template <unsigned... Numbers>
void add_all(KernelTable& table, std::integer_sequence<unsigned, Numbers...>) {
  (add_facts<Numbers>(table), ...);
}

}  // namespace

void add_multiply_kernels(KernelTable& table) {
  add_all(table, std::make_integer_sequence<unsigned, fact_count>());
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
