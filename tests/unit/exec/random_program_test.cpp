// Random programs give what each thread computes on its own, with and without register allocation, in warps of every
// width, traced or not; and the same every time.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/exec/machine.h"
#include "tests/unit/exec/random_program.h"

namespace syncline::test {
namespace {

constexpr unsigned thread_count = 96;  // whole PTX warps: shuffles read their neighbours

std::vector<std::uint32_t> run(const RandomProgram& program, unsigned lanes, isa::Allocation allocation,
                               isa::TraceSink* sink = nullptr, const isa::ReconvergenceSpec& reconvergence = {}) {
  isa::EmulatorConfig config;
  config.warp_lanes = lanes;
  config.reconvergence = reconvergence;
  Machine machine(program.ptx(), config, allocation);
  machine.emulator().subscribe(sink);
  const std::uint64_t out = machine.allocate(4 * thread_count);
  machine.run("k", {1, 1, 1}, {thread_count, 1, 1}, out);
  return machine.download<std::uint32_t>(out, thread_count);
}

std::vector<std::uint32_t> expected(const RandomProgram& program) {
  std::vector<std::uint32_t> values;
  for (std::uint32_t t = 0; t < thread_count; ++t) values.push_back(program.expected(t));
  return values;
}

RC_GTEST_PROP(RandomPrograms, RegisterAllocationKeepsValues, (std::uint64_t seed)) {
  const RandomProgram program(seed);
  RC_ASSERT(run(program, 32, isa::Allocation::none) == expected(program));
  RC_ASSERT(run(program, 32, isa::Allocation::linear_scan) == expected(program));
}

RC_GTEST_PROP(RandomPrograms, WideWarpsGiveTheSame, (std::uint64_t seed)) {
  const RandomProgram program(seed);
  RC_ASSERT(run(program, 64, isa::Allocation::linear_scan) == expected(program));
}

RC_GTEST_PROP(RandomPrograms, EveryReconvergenceGivesTheSame, (std::uint64_t seed)) {
  const RandomProgram program(seed);
  const unsigned patience = 1 + static_cast<unsigned>(seed % 5);
  for (const isa::ReconvergenceSpec& spec :
       {isa::ReconvergenceSpec{"tf_stack"}, isa::ReconvergenceSpec{"its"}, isa::ReconvergenceSpec{"its", patience}})
    for (const unsigned lanes : {32U, 64U})
      RC_ASSERT(run(program, lanes, isa::Allocation::linear_scan, nullptr, spec) == expected(program));
}

struct CountingSink final : isa::TraceSink {
  void event(const isa::TraceEvent& e) override {
    ++events;
    lanes += base::lane_count(e.guarded);
  }
  std::uint64_t events = 0, lanes = 0;
};

RC_GTEST_PROP(RandomPrograms, TracingChangesNothing, (std::uint64_t seed)) {
  const RandomProgram program(seed);
  CountingSink sink;
  RC_ASSERT(run(program, 32, isa::Allocation::linear_scan, &sink) == expected(program));
  RC_ASSERT(sink.events > 0U);
}

TEST(RandomPrograms, AllocationUsesFewerRegistersThanNames) {
  const RandomProgram program(5);
  Machine compact(program.ptx()), plain(program.ptx(), {}, isa::Allocation::none);
  EXPECT_LT(compact.program("k")->entry().frame_bytes, plain.program("k")->entry().frame_bytes);
}

}  // namespace
}  // namespace syncline::test
