// Random structured kernels with the value that every thread must compute, evaluated thread by thread on the host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace syncline::test {

/// A program over 32-bit, 64-bit and 16-bit registers: straight-line code on ever new registers, overwritten ones,
/// guarded instructions, branches and loops that depend on the thread. Same seed, same program.
class RandomProgram {
 public:
  explicit RandomProgram(std::uint64_t seed);
  ~RandomProgram();
  /// A kernel `k(out)` that stores one 32-bit value per thread.
  std::string ptx() const;
  /// What thread `t` stores.
  std::uint32_t expected(std::uint32_t t) const;

 private:
  struct Node;
  struct State;
  class Generator;
  void print(const std::vector<Node>& nodes, std::string& text, unsigned& label) const;
  void run(const std::vector<Node>& nodes, State& state) const;
  std::vector<Node> body_;
  std::vector<std::uint32_t> results_;  ///< registers that enter the result
  std::uint32_t registers_ = 0;
};

}  // namespace syncline::test
