#include "isa/vocabulary.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace syncline::isa {
namespace {

// In the order of the enumerations: the position is the value.
constexpr std::string_view opcode_names[] = {
    "abs",     "activemask", "add",      "addc",         "alloca",    "and",    "applypriority",
    "atom",    "bar",        "barrier",  "bfe",          "bfi",       "bfind",  "bmsk",
    "bra",     "brev",       "brkpt",    "brx",          "call",      "clmad",  "clz",
    "cnot",    "copysign",   "cos",      "createpolicy", "cvt",       "cvta",   "discard",
    "div",     "dp2a",       "dp4a",     "elect",        "ex2",       "exit",   "fence",
    "fma",     "fns",        "isspacep", "ld",           "ldu",       "lg2",    "lop3",
    "mad",     "mad24",      "madc",     "match",        "max",       "membar", "min",
    "mov",     "mul",        "mul24",    "nanosleep",    "neg",       "not",    "or",
    "pmevent", "popc",       "prefetch", "prefetchu",    "prmt",      "rcp",    "red",
    "redux",   "rem",        "ret",      "rsqrt",        "sad",       "selp",   "set",
    "setp",    "shf",        "shfl",     "shl",          "shr",       "sin",    "slct",
    "sqrt",    "st",         "sub",      "subc",         "szext",     "tanh",   "testp",
    "trap",    "tx",         "vabsdiff", "vabsdiff2",    "vabsdiff4", "vadd",   "vadd2",
    "vadd4",   "vavrg2",     "vavrg4",   "vmad",         "vmax",      "vmax2",  "vmax4",
    "vmin",    "vmin2",      "vmin4",    "vset",         "vset2",     "vset4",  "vshl",
    "vshr",    "vsub",       "vsub2",    "vsub4",        "vote",      "xor"};
static_assert(std::size(opcode_names) == static_cast<std::size_t>(Opcode::count_));

constexpr std::string_view type_names[] = {
    "none",   "u8",       "u16",     "u32",     "u64",     "s8",    "s16",    "s32",    "s64",    "b8",
    "b16",    "b32",      "b64",     "b128",    "f16",     "f16x2", "bf16",   "bf16x2", "tf32",   "f32",
    "f64",    "pred",     "u16x2",   "s16x2",   "u8x4",    "s8x4",  "f32x2",  "e4m3x2", "e5m2x2", "e2m3x2",
    "e3m2x2", "e2m1x2",   "u4",      "s4",      "u2",      "s2",    "e4m3x4", "e5m2x4", "e2m3x4", "e3m2x4",
    "e2m1x4", "e2m1p4x4", "ue8m0x4", "ue8m0x2", "ue5m3x2", "s2f6x2"};
static_assert(std::size(type_names) == static_cast<std::size_t>(Type::count_));

constexpr std::string_view space_names[] = {"none",  "reg",   "sreg",   "const",  "global",
                                            "local", "param", "shared", "generic"};
constexpr std::string_view rounding_names[] = {"none", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "rs"};
constexpr std::string_view compare_names[] = {"none", "eq",  "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls", "hi",
                                              "hs",   "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};
constexpr std::string_view cache_names[] = {"none", "ca", "cg", "cs", "lu", "cv", "wb", "wt"};
constexpr std::string_view semantics_names[] = {"none",    "weak",    "volatile", "relaxed", "acquire",
                                                "release", "acq_rel", "sc",       "mmio"};
constexpr std::string_view scope_names[] = {"none", "cta", "cluster", "gpu", "sys"};
constexpr std::string_view atomic_names[] = {"none", "and", "or",  "xor", "cas", "exch",
                                             "add",  "inc", "dec", "min", "max"};

template <class Enum, std::size_t N>
constexpr std::string_view at(const std::string_view (&names)[N], Enum value) {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view("?");
}

}  // namespace

unsigned simd_elements(Opcode opcode) {
  switch (opcode) {
    case Opcode::vadd2:
    case Opcode::vsub2:
    case Opcode::vavrg2:
    case Opcode::vabsdiff2:
    case Opcode::vmin2:
    case Opcode::vmax2:
    case Opcode::vset2:
      return 2;
    case Opcode::vadd4:
    case Opcode::vsub4:
    case Opcode::vavrg4:
    case Opcode::vabsdiff4:
    case Opcode::vmin4:
    case Opcode::vmax4:
    case Opcode::vset4:
      return 4;
    default:
      return 0;
  }
}

std::string_view name(Opcode opcode) {
  return at(opcode_names, opcode);
}
std::string_view name(Type type) {
  return at(type_names, type);
}
std::string_view name(Space space) {
  return at(space_names, space);
}
std::string_view name(Rounding rounding) {
  return at(rounding_names, rounding);
}
std::string_view name(Compare compare) {
  return at(compare_names, compare);
}
std::string_view name(CacheOp cache) {
  return at(cache_names, cache);
}
std::string_view name(Semantics semantics) {
  return at(semantics_names, semantics);
}
std::string_view name(Scope scope) {
  return at(scope_names, scope);
}
std::string_view name(AtomicOp op) {
  return at(atomic_names, op);
}

std::optional<Opcode> find_opcode(std::string_view text) {
  const auto* found = std::find(std::begin(opcode_names), std::end(opcode_names), text);
  if (found == std::end(opcode_names)) return std::nullopt;
  return static_cast<Opcode>(found - std::begin(opcode_names));
}

std::optional<Type> find_type(std::string_view text) {
  for (std::size_t i = 1; i < std::size(type_names); ++i)
    if (type_names[i] == text) return static_cast<Type>(i);
  return std::nullopt;
}

bool operator==(const Modifiers& a, const Modifiers& b) {
  const auto fields = [](const Modifiers& m) {
    return std::tuple_cat(
        std::tie(m.type, m.source_type, m.third_type, m.rounding, m.compare, m.bool_op, m.part, m.ftz, m.sat, m.approx,
                 m.full, m.relu, m.nan, m.xorsign_abs, m.cc, m.uni, m.left, m.right, m.wrap, m.clamp),
        std::tie(m.satfinite, m.shift_amount, m.aligned, m.sync, m.vector, m.space, m.to_space, m.cache, m.non_coherent,
                 m.level_prefetch_l1, m.level_prefetch_l2, m.semantics, m.scope, m.proxy_fence, m.atomic, m.no_ftz),
        std::tie(m.shuffle, m.vote, m.match_all, m.barrier, m.prmt, m.testp, m.accumulate, m.secondary, m.absolute,
                 m.oob, m.pack, m.mask, m.plus_one, m.scale, m.pzo, m.scaled, m.transaction));
  };
  return fields(a) == fields(b);
}

}  // namespace syncline::isa
