// Random kernels under every form of GPUDet: whatever chance does and on another machine, they end alike.
#include <gmock/gmock.h>

#include <algorithm>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/apart.h"
#include "tests/support/sanitized.h"
#include "tests/unit/timed/random_kernel.h"

namespace syncline::platform {
namespace {

using Settings = std::vector<std::string>;

struct GpudetAtRandom : ::testing::TestWithParam<Settings> {
  static bool has(const std::string& setting) { return std::count(GetParam().begin(), GetParam().end(), setting) != 0; }
  /// How the kernel ends: the memory that it leaves, or its fault.
  static std::string end_of(const std::string& ptx, const Settings& more) {
    Settings all{"determinism.policy=gpudet", "sm.max_ctas=2", "limits.cycles=20000000"};
    if (!has("byte_stores=serial")) all.emplace_back("z_unit.granule=1");
    for (const std::string& one : GetParam()) all.push_back("determinism.gpudet." + one);
    all.insert(all.end(), more.begin(), more.end());
    return tests::apart([&] {
      Simulation simulation(
          load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(all)).spec, 1);
      std::string end;
      simulation.run([&](Device& gpu) {
        constexpr unsigned ctas = 6, threads = 128;
        const DevicePointer data = gpu.mem_alloc(256), far = gpu.mem_alloc(1 << 18);
        const DevicePointer out = gpu.mem_alloc(ctas * threads * 4);
        const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(ptx, "k.ptx"), "k");
        gpu.launch_kernel(kernel, {{ctas}, {threads}}, arguments(data, far, out));
        gpu.synchronize();
        end = "memory " + std::to_string(gpu.memory_signature());
      });
      return end;
    });
  }
};

TEST_P(GpudetAtRandom, KernelsEndAlike) {
  // Where shared memory is raced for, some kernels end by a fault.
  if (tests::sanitized && has("shared_order=instructions")) GTEST_SKIP() << tests::no_exceptions;
  constexpr unsigned kernels = 24;
  unsigned ended = 0;
  for (unsigned seed = 1; seed <= kernels; ++seed) {
    const std::string ptx = tests::random_kernel(
        seed, has("shared_order=instructions") ? tests::Races::words_and_shared : tests::Races::words);
    const std::string wanted = end_of(ptx, {});
    ended += wanted.rfind("memory ", 0) == 0 ? 1U : 0U;
    const std::string chance = "perturbation.seed=" + std::to_string(seed);
    EXPECT_EQ(end_of(ptx, {"perturbation.chance=all", chance}), wanted) << "kernel " << seed << ptx;
    EXPECT_EQ(
        end_of(ptx, {"perturbation.chance=all", chance, "determinism.gpudet.overlap=next_quantum",
                     "sm.scheduler.policy=gto", "l1.size=4KiB", "crossbar.latency=13", "sm.coalescer.mode=half_warp",
                     "determinism.gpudet.sync_latency=9", "determinism.gpudet.store_buffer.data=chunk"}),
        wanted)
        << "kernel " << seed << ptx;
  }
  EXPECT_GE(ended, kernels * 2 / 3) << "most have no fault";
}

INSTANTIATE_TEST_SUITE_P(
    Forms, GpudetAtRandom,
    ::testing::Values(Settings{}, Settings{"shared_order=instructions"},
                      Settings{"shared_order=instructions", "quantum_formation=base", "serial=w_ser"},
                      Settings{"quantum_formation=bta", "quantum_size=13"},
                      Settings{"shared_order=instructions", "quantum_size=1"},
                      Settings{"commit=lock", "depth_bits=8", "byte_stores=serial"}, Settings{"byte_stores=serial"},
                      Settings{"store_buffer.entries=64", "depth_bits=8"},
                      Settings{"barrier_rule=thesis", "quantum_size=30"}));

}  // namespace
}  // namespace syncline::platform
