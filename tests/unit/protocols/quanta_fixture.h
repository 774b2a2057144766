// The machine of quanta in the hands of a test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::tests {

using namespace protocols::gpudet;

/// A GPU of two SMs with places for four warps each.
class Quanta : public testing::Test {
 protected:
  Quanta() {
    spec.quantum_size = 3;
    spec.quantum_formation = QuantumFormation::bta;
  }
  /// CTAs of these many warps, on SM 0, 1, 0, 1...
  void begin(const std::vector<unsigned>& ctas) {
    machine = std::make_unique<QuantumMachine>(spec, 2, 4, rounds);
    unsigned sm = 0;
    for (const unsigned warps : ctas) ASSERT_TRUE(machine->launch(sm++ % 2, warps));
    machine->distributed();
  }
  bool issue(Place warp, OpClass op = OpClass::plain) {
    const bool may = machine->may_issue(warp, op);
    if (may) machine->issued(warp, op);
    machine->advance();
    return may;
  }
  void exit(Place warp) {
    machine->exited(warp);
    machine->advance();
  }
  /// The warp comes to barrier 0 of its CTA and, the last, opens it.
  void at_barrier(Place warp, bool last) {
    machine->arrived(warp, 0, true);
    if (last) machine->opened(machine->cta_of(warp), 0);
    machine->advance();
  }
  void commit_all() {
    ASSERT_EQ(machine->mode(), Mode::commit);
    for (Place warp = 0; warp < machine->places(); ++warp) {
      if (machine->present(warp)) machine->committed(warp);
    }
  }
  void stop(Place warp) {
    while (issue(warp)) {
    }
  }
  bool issue(Place warp, const Ask& ask) {
    const bool may = machine->may_issue(warp, ask);
    if (may) machine->issued(warp, ask.op);
    return may;
  }
  static Ask ahead(bool reads = false) { return {OpClass::plain, true, false, false, true, reads}; }

  GpudetSpec spec;
  std::uint64_t rounds = QuantumMachine::no_limit;
  std::unique_ptr<QuantumMachine> machine;
};

}  // namespace syncline::tests
