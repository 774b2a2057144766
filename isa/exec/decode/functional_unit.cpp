#include "isa/exec/decode/functional_unit.h"

#include "isa/ptx/video_selector.h"

namespace syncline::isa {
namespace {

FunctionalUnit arithmetic_unit(const Modifiers& m) {
  if (m.type == Type::f64 || m.source_type == Type::f64) return FunctionalUnit::double_;
  return is_float(m.type) || is_float(m.source_type) ? FunctionalUnit::single : FunctionalUnit::integer;
}

FunctionalUnit division_unit(const Modifiers& m) {
  if (m.type == Type::f64) return FunctionalUnit::double_div;
  if (!is_float(m.type)) return FunctionalUnit::integer_div;
  return m.approx || m.full ? FunctionalUnit::special : FunctionalUnit::float_div;
}

}  // namespace

FunctionalUnit functional_unit(const Instruction& instruction) {
  const Modifiers& m = instruction.mods;
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::st:
    case Opcode::atom:
    case Opcode::red:
    case Opcode::prefetch:
    case Opcode::prefetchu:
    case Opcode::shfl:
    case Opcode::discard:
    case Opcode::applypriority:
      return FunctionalUnit::load_store;
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::membar:
    case Opcode::fence:
    case Opcode::tx:
      return FunctionalUnit::synchronise;
    case Opcode::bra:
    case Opcode::brx:
    case Opcode::call:
    case Opcode::ret:
    case Opcode::exit_:
    case Opcode::trap:
    case Opcode::brkpt:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::activemask:
    case Opcode::elect:
    case Opcode::redux:
    case Opcode::nanosleep:
    case Opcode::pmevent:
    case Opcode::alloca_:
      return FunctionalUnit::control;
    case Opcode::div:
    case Opcode::rem:
      return division_unit(m);
    case Opcode::rcp:
    case Opcode::sqrt:
      if (m.type == Type::f64) return m.approx ? FunctionalUnit::special : FunctionalUnit::double_div;
      return m.approx ? FunctionalUnit::special : FunctionalUnit::float_div;
    case Opcode::rsqrt:
    case Opcode::sin:
    case Opcode::cos:
    case Opcode::lg2:
    case Opcode::ex2:
    case Opcode::tanh:
      return FunctionalUnit::special;
    case Opcode::mul:
    case Opcode::mad:
    case Opcode::madc: {
      const FunctionalUnit unit = arithmetic_unit(m);
      return unit == FunctionalUnit::integer ? FunctionalUnit::integer_mul : unit;
    }
    case Opcode::mul24:
    case Opcode::clmad:
    case Opcode::mad24:
    case Opcode::dp2a:
    case Opcode::dp4a:
    case Opcode::sad:
    case Opcode::bfe:
    case Opcode::bfi:
    case Opcode::bfind:
    case Opcode::popc:
    case Opcode::clz:
    case Opcode::brev:
    case Opcode::fns:
      return FunctionalUnit::integer_mul;
    case Opcode::mov:
    case Opcode::selp:
      return FunctionalUnit::integer;
    default:
      break;
  }
  if (is_video(instruction.opcode)) return FunctionalUnit::integer_mul;
  return arithmetic_unit(m);
}

}  // namespace syncline::isa
