// Which registers hold a value that is still needed, at the borders of basic blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/cfg/control_flow_graph.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

/// A set of registers.
class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers = 0) : words_((registers + 63) / 64) {}
  bool test(std::uint32_t r) const { return (words_[r / 64] >> (r % 64)) & 1U; }
  void set(std::uint32_t r) { words_[r / 64] |= std::uint64_t{1} << (r % 64); }
  void reset(std::uint32_t r) { words_[r / 64] &= ~(std::uint64_t{1} << (r % 64)); }
  /// this |= (other minus without); true when something was added.
  bool add(const RegisterSet& other, const RegisterSet& without) {
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t more = other.words_[i] & ~without.words_[i] & ~words_[i];
      words_[i] |= more;
      added |= more;
    }
    return added != 0;
  }
  bool add(const RegisterSet& other) {
    std::uint64_t added = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      added |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return added != 0;
  }
  template <class Body>
  void for_each(Body&& body) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t bits = words_[i]; bits != 0; bits &= bits - 1)
        body(static_cast<std::uint32_t>(i * 64 + static_cast<unsigned>(__builtin_ctzll(bits))));
  }

 private:
  std::vector<std::uint64_t> words_;
};

/// Per basic block: registers alive when it begins and when it ends. A guarded write leaves the old value alive.
struct Liveness {
  std::vector<RegisterSet> in, out;
};

Liveness analyse_liveness(const Function& function, const ControlFlowGraph& graph);

}  // namespace syncline::isa
