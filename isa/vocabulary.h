// The words of PTX: opcodes, types, state spaces and modifiers, as the PTX ISA manual names them. The parser
// fills these in, the lane kernels and the executor are chosen by them. Text <-> value tables: isa/vocabulary.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace syncline::isa {

/// Base opcodes that this front end executes. Anything else is an error when a module is loaded.
enum class Opcode : std::uint8_t {
  abs_,
  activemask,
  add,
  addc,
  alloca_,
  and_,
  applypriority,
  atom,
  bar,
  barrier,
  bfe,
  bfi,
  bfind,
  bmsk,
  bra,
  brev,
  brkpt,
  brx,
  call,
  clmad,
  clz,
  cnot,
  copysign,
  cos,
  createpolicy,
  cvt,
  cvta,
  discard,
  div,
  dp2a,
  dp4a,
  elect,
  ex2,
  exit_,
  fence,
  fma,
  fns,
  isspacep,
  ld,
  ldu,
  lg2,
  lop3,
  mad,
  mad24,
  madc,
  match,
  max,
  membar,
  min,
  mov,
  mul,
  mul24,
  nanosleep,
  neg,
  not_,
  or_,
  pmevent,
  popc,
  prefetch,
  prefetchu,
  prmt,
  rcp,
  red,
  redux,
  rem,
  ret,
  rsqrt,
  sad,
  selp,
  set,
  setp,
  shf,
  shfl,
  shl,
  shr,
  sin,
  slct,
  sqrt,
  st,
  sub,
  subc,
  szext,
  tanh,
  testp,
  trap,
  tx,  ///< no PTX: transactions, an extension of this platform
  vabsdiff,
  vabsdiff2,
  vabsdiff4,
  vadd,
  vadd2,
  vadd4,
  vavrg2,
  vavrg4,
  vmad,
  vmax,
  vmax2,
  vmax4,
  vmin,
  vmin2,
  vmin4,
  vset,
  vset2,
  vset4,
  vshl,
  vshr,
  vsub,
  vsub2,
  vsub4,
  vote,
  xor_,
  count_
};

enum class Type : std::uint8_t {
  none,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  b8,
  b16,
  b32,
  b64,
  b128,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  pred,
  u16x2,
  s16x2,
  u8x4,
  s8x4,
  f32x2,
  e4m3x2,
  e5m2x2,
  e2m3x2,
  e3m2x2,
  e2m1x2,
  u4,
  s4,
  u2,
  s2,
  e4m3x4,
  e5m2x4,
  e2m3x4,
  e3m2x4,
  e2m1x4,
  e2m1p4x4,
  ue8m0x4,
  ue8m0x2,
  ue5m3x2,
  s2f6x2,
  count_
};

enum class Space : std::uint8_t { none, reg, sreg, const_, global, local, param, shared, generic };

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rna, rni, rzi, rmi, rpi, rs };

enum class Compare : std::uint8_t {
  none,
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  lo,
  ls,
  hi,
  hs,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

enum class BoolOp : std::uint8_t { none, and_, or_, xor_ };

enum class MulPart : std::uint8_t { none, lo, hi, wide };

enum class CacheOp : std::uint8_t { none, ca, cg, cs, lu, cv, wb, wt };

/// Memory ordering of ld, st, atom, red, fence (PTX ISA, "Memory Consistency Model").
enum class Semantics : std::uint8_t { none, weak, volatile_, relaxed, acquire, release, acq_rel, sc, mmio };
constexpr bool has_acquire(Semantics s) {
  return s == Semantics::acquire || s == Semantics::acq_rel || s == Semantics::sc;
}
constexpr bool has_release(Semantics s) {
  return s == Semantics::release || s == Semantics::acq_rel || s == Semantics::sc;
}

enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };

enum class AtomicOp : std::uint8_t { none, and_, or_, xor_, cas, exch, add, inc, dec, min, max };

enum class ShuffleMode : std::uint8_t { none, up, down, bfly, idx };
enum class VoteMode : std::uint8_t { none, all, any, uni, ballot };
enum class BarrierMode : std::uint8_t { none, sync, arrive, red_popc, red_and, red_or, warp_sync };
enum class TransactionMark : std::uint8_t { none, begin, commit };
enum class PrmtMode : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestpMode : std::uint8_t { none, finite, infinite, number, notanumber, normal, subnormal };

/// Everything that stands between the opcode and the operands. A field that the text does not mention keeps `none`
/// (or false); defaults that the ISA prescribes (for example `.rn` of add.f32) are resolved where they matter.
struct Modifiers {
  Type type = Type::none;  ///< the (first) type: destination of cvt and set, operand of everything else
  Type source_type =
      Type::none;  ///< second type: source of cvt and set, selector of slct, b of dp4a/dp2a, b of video ops
  Type third_type = Type::none;  ///< third type of the video instructions
  Rounding rounding = Rounding::none;
  Compare compare = Compare::none;
  BoolOp bool_op = BoolOp::none;  ///< setp.eq.and.s32 ...; lop3.and/.or with predicate result
  MulPart part = MulPart::none;
  bool ftz = false, sat = false, approx = false, full = false, relu = false, nan = false, xorsign_abs = false;
  bool satfinite = false;  ///< cvt: the largest number in place of an infinity
  bool pzo = false;        ///< cvt: a negative zero becomes a positive one
  bool scaled = false;     ///< cvt: .scaled::n1::ue8m0 or .scaled::n2::ue8m0, the last operand is a scale
  bool absolute = false;   ///< .abs of min and max without .xorsign
  bool oob = false;        ///< .oob of fma: zero where a factor is the NaN of elements outside a tensor
  bool pack = false;       ///< cvt.pack
  bool cc = false;         ///< .cc: writes the carry flag
  bool mask = false;       ///< pmevent.mask: a bit for each event in place of a number
  bool uni = false;        ///< bra.uni, call.uni
  bool left = false, right = false, wrap = false, clamp = false, shift_amount = false;  ///< shf, bmsk, bfind, vshl
  bool aligned = false, sync = false;
  std::uint8_t vector = 1;  ///< .v2 .v4 .v8
  Space space = Space::none;
  Space to_space = Space::none;  ///< cvta.to.SPACE
  CacheOp cache = CacheOp::none;
  bool non_coherent = false;  ///< .nc
  bool level_prefetch_l1 = false, level_prefetch_l2 = false;
  Semantics semantics = Semantics::none;
  Scope scope = Scope::none;
  bool proxy_fence = false;  ///< fence.proxy.*: ordered like a fence of the same thread here
  AtomicOp atomic = AtomicOp::none;
  bool no_ftz = false;  ///< atom/red.add.noftz
  ShuffleMode shuffle = ShuffleMode::none;
  VoteMode vote = VoteMode::none;
  bool match_all = false;  ///< match.all (else match.any)
  BarrierMode barrier = BarrierMode::none;
  PrmtMode prmt = PrmtMode::none;
  TestpMode testp = TestpMode::none;
  bool accumulate = false;                              ///< .add of the video SIMD instructions
  AtomicOp secondary = AtomicOp::none;                  ///< vadd/...: secondary add, min, max
  bool plus_one = false;                                ///< .po of vmad
  std::uint8_t scale = 0;                               ///< vmad: 7 or 15 places to the right
  TransactionMark transaction = TransactionMark::none;  ///< tx.begin, tx.commit
  friend bool operator==(const Modifiers&, const Modifiers&);
};

/// Parts of a register that a SIMD video instruction works on, 2 or 4; 0 for all other instructions.
unsigned simd_elements(Opcode opcode);

std::string_view name(Opcode opcode);  ///< "add", "and", "ld"
std::string_view name(Type type);      ///< "u32", without the dot
std::string_view name(Space space);
std::string_view name(Rounding rounding);
std::string_view name(Compare compare);
std::string_view name(CacheOp cache);
std::string_view name(Semantics semantics);
std::string_view name(Scope scope);
std::string_view name(AtomicOp op);
std::optional<Opcode> find_opcode(std::string_view text);
std::optional<Type> find_type(std::string_view text);

/// Size in bytes of one value of a type; 0 for pred and none. Two and four bits count as a byte.
constexpr unsigned type_bytes(Type t) {
  switch (t) {
    case Type::u8:
    case Type::s8:
    case Type::b8:
    case Type::e2m1x2:
    case Type::u4:
    case Type::s4:
    case Type::u2:
    case Type::s2:
      return 1;
    case Type::u16:
    case Type::s16:
    case Type::b16:
    case Type::f16:
    case Type::bf16:
    case Type::e4m3x2:
    case Type::e5m2x2:
    case Type::e2m3x2:
    case Type::e3m2x2:
    case Type::e2m1x4:
    case Type::ue8m0x2:
    case Type::ue5m3x2:
    case Type::s2f6x2:
      return 2;
    case Type::u32:
    case Type::s32:
    case Type::b32:
    case Type::f32:
    case Type::f16x2:
    case Type::bf16x2:
    case Type::tf32:
    case Type::u16x2:
    case Type::s16x2:
    case Type::u8x4:
    case Type::s8x4:
    case Type::e2m1p4x4:
    case Type::ue8m0x4:
    case Type::e4m3x4:
    case Type::e5m2x4:
    case Type::e2m3x4:
    case Type::e3m2x4:
      return 4;
    case Type::u64:
    case Type::s64:
    case Type::b64:
    case Type::f64:
    case Type::f32x2:
      return 8;
    case Type::b128:
      return 16;
    default:
      return 0;
  }
}
constexpr bool is_signed(Type t) {
  return t == Type::s8 || t == Type::s16 || t == Type::s32 || t == Type::s64 || t == Type::s16x2 || t == Type::s8x4 ||
         t == Type::s4 || t == Type::s2;
}
/// Pairs and quadruples of numbers of 4, 6 or 8 bits, which cvt, add, sub, mul and fma know.
constexpr bool is_small_float(Type t) {
  return t == Type::e4m3x2 || t == Type::e5m2x2 || t == Type::e2m3x2 || t == Type::e3m2x2 || t == Type::e2m1x2 ||
         t == Type::e4m3x4 || t == Type::e5m2x4 || t == Type::e2m3x4 || t == Type::e3m2x4 || t == Type::e2m1x4 ||
         t == Type::e2m1p4x4 || t == Type::ue8m0x4 || t == Type::ue8m0x2 || t == Type::ue5m3x2 || t == Type::s2f6x2;
}
/// Types of instructions only: no register and no variable can be declared with them.
constexpr bool is_instruction_type(Type t) {
  return is_small_float(t) || t == Type::f32x2 || t == Type::u8x4 || t == Type::s8x4 || t == Type::u4 ||
         t == Type::s4 || t == Type::u2 || t == Type::s2;
}
constexpr bool is_float(Type t) {
  return t == Type::f16 || t == Type::f16x2 || t == Type::bf16 || t == Type::bf16x2 || t == Type::tf32 ||
         t == Type::f32 || t == Type::f64 || t == Type::f32x2 || is_small_float(t);
}

}  // namespace syncline::isa
