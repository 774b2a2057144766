#include "isa/ptx/operand_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/ptx/constant.h"
#include "isa/ptx/printer.h"
#include "isa/ptx/verifier.h"
#include "isa/ptx/video_selector.h"

namespace syncline::isa {
namespace {

std::string typed(Type type) {
  return fmt::format(".{}", name(type));
}

bool is_address_register(Type type) {
  const unsigned bytes = type_bytes(type);
  return (bytes == 4 || bytes == 8) && !is_float(type);
}

}  // namespace

std::string OperandChecker::check(const OperandRule& rule, Operand& operand) const {
  switch (rule.kind) {
    case RuleKind::address:
      return check_address(operand);
    case RuleKind::constant:
      if (operand.kind == OperandKind::immediate && operand.immediate_kind == ImmediateKind::integer) return {};
      return "expected an integer constant, found " + found(operand);
    case RuleKind::value:
      return check_value(rule, operand);
    case RuleKind::label:
    case RuleKind::branch_table:
    case RuleKind::call:
      break;
  }
  return {};
}

std::string OperandChecker::found(const Operand& operand) const {
  const std::string text = operand_text(context_.module, function_, operand);
  if (operand.kind == OperandKind::reg)
    return fmt::format("`{}` of type {}", text, typed(function_.registers[operand.index].type));
  return fmt::format("`{}`", text);
}

std::string OperandChecker::check_value(const OperandRule& rule, Operand& operand) const {
  const Type type = rule_type(rule, instruction_.mods);
  if (operand.kind == OperandKind::pair) {
    if (!rule.pair) return "a second destination `|p` does not belong here";
    if (std::string misfit = check_scalar(rule, type, operand.elements[0], true); !misfit.empty()) return misfit;
    return check_scalar(rule, Type::pred, operand.elements[1], true);
  }
  if (rule.pair_required) return "expected two destinations `d|p`, found " + found(operand);
  const bool several = rule.vector && instruction_.mods.vector > 1;
  if ((!several || !rule.special) && operand.kind == OperandKind::vector && operand.elements.size() == 4 &&
      std::all_of(operand.elements.begin(), operand.elements.end(),
                  [](const Operand& e) { return e.kind == OperandKind::special; }))
    return fmt::format("expected a component, as in `{}.x`", special_register_name(operand.elements[0].special));
  // {r} is r, where a vector could stand.
  const bool braces = operand.kind == OperandKind::vector && operand.elements.size() == 1;
  if (braces && !several && (rule.pack || rule.vector || instruction_.opcode == Opcode::mov))
    operand = Operand(std::move(operand.elements.front()));
  if (several) return check_vector(rule, type, instruction_.mods.vector, operand);
  if (rule.quadruple) return check_vector(rule, type, 4, operand);
  if (rule.pack && operand.kind == OperandKind::vector) return check_pack(rule, type, operand);
  return check_scalar(rule, type, operand, rule.sink);
}

std::string OperandChecker::check_vector(const OperandRule& rule, Type type, unsigned count, Operand& operand) const {
  if (rule.sink && operand.kind == OperandKind::sink) return {};
  // mov.v4 v, 0 gives it to all elements.
  if (instruction_.opcode == Opcode::mov && operand.kind == OperandKind::immediate) {
    const Operand element = operand;
    operand = Operand();
    operand.kind = OperandKind::vector;
    operand.elements.assign(count, element);
  }
  if (operand.kind != OperandKind::vector || operand.elements.size() != count)
    return fmt::format("expected a vector of {} elements, found {}", count, found(operand));
  // `_` leaves an element unread or, in vectors of 32 bytes, unwritten.
  const bool sink = rule.destination || (instruction_.opcode == Opcode::st && count * type_bytes(type) == 32);
  for (Operand& element : operand.elements) {
    if (element.kind == OperandKind::special && !info(element.special).is_vector)
      return fmt::format("{} is read by a `mov` of its own", found(element));
    if (std::string misfit = check_scalar(rule, type, element, sink); !misfit.empty()) return misfit;
  }
  if (!rule.destination && std::all_of(operand.elements.begin(), operand.elements.end(),
                                       [](const Operand& e) { return e.kind == OperandKind::sink; }))
    return "a vector of `_` alone stores nothing";
  return {};
}

std::string OperandChecker::check_pack(const OperandRule& rule, Type type, Operand& operand) const {
  const auto count = static_cast<unsigned>(operand.elements.size());
  const bool untyped = type == Type::b16 || type == Type::b32 || type == Type::b64 || type == Type::b128;
  const unsigned bytes = type_bytes(type) / count;
  if (!untyped || (count != 2 && count != 4) || bytes == 0)
    return fmt::format("expected an operand of type {}, found {}", typed(type), found(operand));
  const Type part = bytes == 1 ? Type::b8 : bytes == 2 ? Type::b16 : bytes == 4 ? Type::b32 : Type::b64;
  OperandRule element_rule = rule;
  element_rule.special = element_rule.symbol = false;
  // Bytes are packed from and into registers of 16 bits as well.
  element_rule.wider = part == Type::b8;
  for (Operand& element : operand.elements)
    if (std::string misfit = check_scalar(element_rule, part, element, rule.destination); !misfit.empty())
      return misfit;
  return {};
}

std::string OperandChecker::check_scalar(const OperandRule& rule, Type type, Operand& operand, bool sink) const {
  if (operand.selector != 0 && !rule.selector) return "a part of a register stands only in video instructions";
  if (std::string misfit = selector_misfit(instruction_.opcode, rule.destination, operand); !misfit.empty())
    return misfit;
  if (operand.minus && !rule.minus) return "`-` before a register stands only in vmad without .po";
  if (operand.negated && (rule.destination || type != Type::pred))
    return fmt::format("`!` does not belong before an operand of type {}", typed(type));
  switch (operand.kind) {
    case OperandKind::sink:
      return sink ? std::string{} : "`_` cannot stand here";
    case OperandKind::reg:
      return check_register(rule, type, operand);
    case OperandKind::immediate:
      return check_immediate(rule, type, operand);
    case OperandKind::special:
      return check_special(rule, type, operand);
    case OperandKind::symbol:
      return check_symbol(rule, type, operand);
    default:
      break;
  }
  return fmt::format("expected {} of type {}, found {}", rule.destination ? "a register" : "a register or constant",
                     typed(type), found(operand));
}

std::string OperandChecker::check_register(const OperandRule& rule, Type type, const Operand& operand) const {
  const Type have = function_.registers[operand.index].type;
  if (rule.type_from == RuleType::address)
    return is_address_register(have) ? std::string{}
                                     : "expected a register that holds an address, found " + found(operand);
  // The relaxed rule leaves floating-point instruction types out, except against untyped registers.
  if (register_fits(have, type, rule.wider)) return {};
  return fmt::format("expected {} of type {}, found {}", rule.destination ? "a register" : "a register or constant",
                     typed(type), found(operand));
}

std::string OperandChecker::check_immediate(const OperandRule& rule, Type type, Operand& operand) const {
  if (rule.destination) return "a constant cannot be a destination";
  Constant constant;
  constant.kind = operand.immediate_kind;
  constant.bits = operand.bits;
  constant.is_unsigned = !operand.negative;
  std::uint64_t bits = 0;
  const Type wanted = rule.type_from == RuleType::address ? Type::u64 : type;
  const bool half = is_float(type) && (type_bytes(type) == 2 || type == Type::f16x2 || type == Type::bf16x2);
  if (half)
    return fmt::format("constants of type {} do not exist: load it by `mov.b{}`", typed(type), 8 * type_bytes(type));
  if (!constant_bits(constant, wanted, bits))
    return fmt::format("expected {}, found {}",
                       is_float(type) ? fmt::format("a floating-point constant or a register of type {}", typed(type))
                                      : fmt::format("an integer constant or a register of type {}", typed(type)),
                       found(operand));
  operand.bits = bits;
  if (operand.immediate_kind != ImmediateKind::integer)
    operand.immediate_kind = type_bytes(wanted) == 8   ? ImmediateKind::f64
                             : type_bytes(wanted) == 4 ? ImmediateKind::f32
                                                       : ImmediateKind::integer;
  return {};
}

std::string OperandChecker::check_special(const OperandRule& rule, Type type, const Operand& operand) const {
  if (rule.destination) return "special registers are read-only";
  if (!rule.special) return "special registers are read by `mov` and `cvt` only; found " + found(operand);
  const SpecialRegisterInfo special = info(operand.special);
  if (special.type == Type::pred) return type == Type::pred ? std::string{} : misfit_special(type, operand);
  const unsigned have = type_bytes(special.type), want = type_bytes(type);
  // PTX 1.x had 16-bit %tid, %ntid, %ctaid, %nctaid, and a 32-bit %gridid: both widths stay legal.
  const bool narrow = (special.is_vector && want == 2) || (operand.special == SpecialRegister::gridid && want < have);
  if (is_float(type) || type == Type::pred || (want != have && !narrow)) return misfit_special(type, operand);
  return {};
}

std::string OperandChecker::misfit_special(Type type, const Operand& operand) const {
  return fmt::format("{} is of type {}, the instruction wants {}", found(operand), typed(info(operand.special).type),
                     typed(type));
}

std::string OperandChecker::check_symbol(const OperandRule& rule, Type type, const Operand& operand) const {
  if (!rule.symbol)
    return fmt::format("expected a register or constant of type {}, found the address {}; load it by `mov`",
                       typed(type), found(operand));
  const unsigned bytes = type_bytes(type);
  if ((bytes != 4 && bytes != 8) || is_float(type))
    return fmt::format("an address does not fit in type {}", typed(type));
  if (instruction_.opcode != Opcode::cvta) return {};
  const Variable* variable = find_symbol(context_.module, function_, operand.symbol);
  if (variable != nullptr && variable->space == instruction_.mods.space) return {};
  return fmt::format("{} is not in .{} space", found(operand), name(instruction_.mods.space));
}

std::string OperandChecker::check_address(const Operand& operand) const {
  if (operand.kind != OperandKind::address) return "expected an address in `[ ]`, found " + found(operand);
  if (operand.unified) {
    const Space space = instruction_.mods.space;
    const bool weak = instruction_.mods.semantics == Semantics::none || instruction_.mods.semantics == Semantics::weak;
    if (instruction_.opcode != Opcode::ld || !weak || (space != Space::none && space != Space::global))
      return "`.unified` belongs to ld without .volatile, .relaxed and .acquire, of .global or generic addresses";
    if (!context_.module.version.at_least(8, 0) || context_.module.sm < 90)
      return "`.unified` needs PTX ISA 8.0 and sm_90 or higher";
  }
  if (operand.symbol.kind != SymbolKind::none) return check_symbol_base(operand);
  if (instruction_.mods.space == Space::param && function_.is_entry && instruction_.opcode == Opcode::st)
    return "the parameters of a kernel are read-only, and those of a call are stored to by name";
  if (operand.index == no_index) return check_number(operand);
  const Type type = function_.registers[operand.index].type;
  if (!is_address_register(type))
    return fmt::format("an address is an integer of 32 or 64 bits, but `{}` is of type {}",
                       function_.registers[operand.index].name, typed(type));
  const Space space = instruction_.mods.space;
  const bool window =
      space == Space::shared || space == Space::local || space == Space::param || space == Space::const_;
  if (context_.module.address_size == 64 && type_bytes(type) == 4 && !window)
    return fmt::format("`{}` has 32 bits, but addresses of this module have 64",
                       function_.registers[operand.index].name);
  return {};
}

std::int64_t OperandChecker::accessed_bytes() const {
  return std::int64_t{instruction_.mods.vector} * type_bytes(instruction_.mods.type);
}

bool OperandChecker::lies_within(const Operand& operand, std::int64_t bytes) const {
  return operand.offset >= 0 && operand.offset <= bytes && accessed_bytes() <= bytes - operand.offset;
}

std::string OperandChecker::check_number(const Operand& operand) const {
  if (instruction_.mods.space != Space::param) return {};
  if (!function_.is_entry) return "expected the name of a parameter, found the address " + found(operand);
  const auto bytes = function_.params.empty()
                         ? std::int64_t{0}
                         : static_cast<std::int64_t>(function_.params.back().offset + function_.params.back().bytes);
  if (lies_within(operand, bytes)) return {};
  return fmt::format("{} bytes at {} do not lie within the {} bytes of the kernel's parameters", accessed_bytes(),
                     operand.offset, bytes);
}

std::string OperandChecker::check_symbol_base(const Operand& operand) const {
  const Variable* variable = find_symbol(context_.module, function_, operand.symbol);
  if (variable == nullptr) return "a function is no address of data";
  const Space space = instruction_.mods.space;
  if (space != Space::none && space != variable->space)
    return fmt::format("`{}` is in .{} space, the instruction accesses .{}", variable->name, name(variable->space),
                       name(space));
  const bool store =
      instruction_.opcode == Opcode::st || instruction_.opcode == Opcode::atom || instruction_.opcode == Opcode::red;
  if (store && operand.symbol.kind == SymbolKind::parameter)
    return fmt::format("the parameter `{}` is read-only", variable->name);
  if (store && variable->space == Space::const_) return fmt::format("`{}` is constant", variable->name);
  return check_parameter_bounds(operand, *variable);
}

std::string OperandChecker::check_parameter_bounds(const Operand& operand, const Variable& variable) const {
  if (variable.space != Space::param) return {};
  if (variable.unsized)
    return operand.offset >= 0 ? ""
                               : fmt::format("offset {} lies before the array `{}`", operand.offset, variable.name);
  const auto bytes = static_cast<std::int64_t>(variable.bytes);
  if (lies_within(operand, bytes)) return {};
  return fmt::format("{} bytes at offset {} do not lie within `{}` of {} bytes", accessed_bytes(), operand.offset,
                     variable.name, bytes);
}

}  // namespace syncline::isa
