#include "consistency/terms.h"

namespace syncline::consistency {

Terms::Id Terms::add(const Node& node) {
  nodes_.push_back(node);
  return static_cast<Id>(nodes_.size()) - 1;
}

Terms::Id Terms::constant(Value value) {
  Node node;
  node.value = value;
  return add(node);
}

Terms::Id Terms::read(unsigned step) {
  Node node;
  node.kind = Kind::read;
  node.step = step;
  node.reads = std::uint64_t{1} << step;
  return add(node);
}

Terms::Id Terms::result(AluOp op, Id a, Id b) {
  Node node;
  node.kind = Kind::alu;
  node.alu = op;
  node.a = a;
  node.b = b;
  node.reads = reads(a) | reads(b);
  return add(node);
}

Terms::Id Terms::result(AtomicOp op, Id old, Id operand) {
  if (op == AtomicOp::exch) return operand;
  Node node;
  node.kind = Kind::atomic;
  node.atomic = op;
  node.a = old;
  node.b = operand;
  node.reads = reads(old) | reads(operand);
  return add(node);
}

}  // namespace syncline::consistency
