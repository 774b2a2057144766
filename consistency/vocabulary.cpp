#include "consistency/vocabulary.h"

#include <algorithm>

namespace syncline::consistency {
namespace {

/// Words wrap around, as the machine's do.
Value wrapped(std::uint32_t word) {
  return static_cast<Value>(word);
}
std::uint32_t word(Value value) {
  return static_cast<std::uint32_t>(value);
}

}  // namespace

const base::ChoiceTable<Scope>& scope_names() {
  static const base::ChoiceTable<Scope> table{{"cta", Scope::cta}, {"gpu", Scope::gpu}, {"sys", Scope::sys}};
  return table;
}

const base::ChoiceTable<Semantics>& semantics_names() {
  static const base::ChoiceTable<Semantics> table{{"weak", Semantics::weak},       {"relaxed", Semantics::relaxed},
                                                  {"acquire", Semantics::acquire}, {"release", Semantics::release},
                                                  {"acq_rel", Semantics::acq_rel}, {"sc", Semantics::sc}};
  return table;
}

const base::ChoiceTable<AtomicOp>& atomic_names() {
  static const base::ChoiceTable<AtomicOp> table{
      {"add", AtomicOp::add},  {"sub", AtomicOp::sub}, {"exch", AtomicOp::exch}, {"cas", AtomicOp::cas},
      {"and", AtomicOp::and_}, {"or", AtomicOp::or_},  {"xor", AtomicOp::xor_},  {"min", AtomicOp::min},
      {"max", AtomicOp::max},  {"inc", AtomicOp::inc}, {"dec", AtomicOp::dec}};
  return table;
}

const base::ChoiceTable<AluOp>& alu_names() {
  static const base::ChoiceTable<AluOp> table{{"add", AluOp::add},  {"sub", AluOp::sub}, {"mul", AluOp::mul},
                                              {"and", AluOp::and_}, {"or", AluOp::or_},  {"xor", AluOp::xor_}};
  return table;
}

const base::ChoiceTable<Proxy>& proxy_names() {
  static const base::ChoiceTable<Proxy> table{{"generic", Proxy::generic},
                                              {"texture", Proxy::texture},
                                              {"surface", Proxy::surface},
                                              {"constant", Proxy::constant},
                                              {"alias", Proxy::alias}};
  return table;
}

Value applied(AtomicOp op, Value old, Value operand, Value compare) {
  switch (op) {
    case AtomicOp::add:
      return wrapped(word(old) + word(operand));
    case AtomicOp::sub:
      return wrapped(word(old) - word(operand));
    case AtomicOp::exch:
      return operand;
    case AtomicOp::cas:
      return old == compare ? operand : old;
    case AtomicOp::and_:
      return wrapped(word(old) & word(operand));
    case AtomicOp::or_:
      return wrapped(word(old) | word(operand));
    case AtomicOp::xor_:
      return wrapped(word(old) ^ word(operand));
    case AtomicOp::min:
      return std::min(old, operand);
    case AtomicOp::max:
      return std::max(old, operand);
    case AtomicOp::inc:  // up to the operand, then 0 again; unsigned, as PTX has it
      return word(old) >= word(operand) ? 0 : wrapped(word(old) + 1);
    case AtomicOp::dec:
      return old == 0 || word(old) > word(operand) ? operand : wrapped(word(old) - 1);
  }
  return old;
}

Value applied(AluOp op, Value a, Value b) {
  switch (op) {
    case AluOp::add:
      return wrapped(word(a) + word(b));
    case AluOp::sub:
      return wrapped(word(a) - word(b));
    case AluOp::mul:
      return wrapped(word(a) * word(b));
    case AluOp::and_:
      return wrapped(word(a) & word(b));
    case AluOp::or_:
      return wrapped(word(a) | word(b));
    case AluOp::xor_:
      return wrapped(word(a) ^ word(b));
  }
  return a;
}

bool holds(Comparison comparison, Value a, Value b) {
  switch (comparison) {
    case Comparison::always:
      return true;
    case Comparison::eq:
      return a == b;
    case Comparison::ne:
      return a != b;
    case Comparison::lt:
      return a < b;
    case Comparison::le:
      return a <= b;
    case Comparison::gt:
      return a > b;
    case Comparison::ge:
      return a >= b;
  }
  return false;
}

}  // namespace syncline::consistency
