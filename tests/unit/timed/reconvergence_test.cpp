// Random divergent programs leave on the timed GPU what each thread computes on its own, however lanes meet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/unit/exec/random_program.h"

namespace syncline::platform {
namespace {

struct Reconverging : ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Reconverging, RandomProgramsGiveWhatTheirThreadsCompute) {
  Simulation simulation(load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", GetParam()).spec, 1);
  simulation.run([](Device& gpu) {
    constexpr std::uint32_t ctas = 1, threads = 128;  // a program knows its thread by %tid.x
    const DevicePointer out = gpu.mem_alloc(threads * 4);
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const test::RandomProgram program(seed);
      const ModuleHandle module = gpu.module_load_text(program.ptx(), "k.ptx");
      gpu.launch_kernel(gpu.module_get_function(module, "k"), {{ctas}, {threads}}, arguments(out));
      gpu.synchronize();
      const auto values = gpu.download<std::uint32_t>(out, threads);
      for (std::uint32_t t = 0; t < threads; ++t)
        ASSERT_EQ(values[t], program.expected(t)) << "seed " << seed << ", thread " << t;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Mechanisms, Reconverging,
                         ::testing::Values(std::vector<std::string>{"sm.reconvergence=ipdom"},
                                           std::vector<std::string>{"sm.reconvergence=tf_stack"},
                                           std::vector<std::string>{"sm.reconvergence=its"},
                                           std::vector<std::string>{"sm.reconvergence=its", "sm.its_patience=1"}));

}  // namespace
}  // namespace syncline::platform
