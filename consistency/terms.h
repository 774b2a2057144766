// Values of a thread in terms of what its reads bring.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "consistency/vocabulary.h"

namespace syncline::consistency {

/// Terms over the reads of one thread. A read is known by the number of its step, below 64.
class Terms {
 public:
  using Id = unsigned;

  Id constant(Value value);
  Id read(unsigned step);
  Id result(AluOp op, Id a, Id b);
  /// What an atomic leaves behind that found `old`.
  Id result(AtomicOp op, Id old, Id operand);

  /// Bit per step: the reads that a term speaks of.
  std::uint64_t reads(Id term) const { return nodes_[term].reads; }
  bool is_constant(Id term) const { return reads(term) == 0; }

  /// The term's value, where `value_of(step)` gives that of a read, or nothing when it is not known.
  template <class ReadValue>
  std::optional<Value> value(Id term, ReadValue&& value_of) const {
    const Node& node = nodes_[term];
    switch (node.kind) {
      case Kind::constant:
        return node.value;
      case Kind::read:
        return value_of(node.step);
      case Kind::alu:
      case Kind::atomic:
        break;
    }
    const std::optional<Value> a = value(node.a, value_of);
    if (!a) return std::nullopt;
    const std::optional<Value> b = value(node.b, value_of);
    if (!b) return std::nullopt;
    return node.kind == Kind::alu ? applied(node.alu, *a, *b) : applied(node.atomic, *a, *b, 0);
  }
  Value constant_value(Id term) const {
    return *value(term, [](unsigned) { return std::nullopt; });
  }

 private:
  enum class Kind : std::uint8_t { constant, read, alu, atomic };
  struct Node {
    Kind kind = Kind::constant;
    Value value = 0;
    unsigned step = 0;
    AluOp alu = AluOp::add;
    AtomicOp atomic = AtomicOp::add;
    Id a = 0, b = 0;
    std::uint64_t reads = 0;
  };
  Id add(const Node& node);

  std::vector<Node> nodes_;
};

}  // namespace syncline::consistency
