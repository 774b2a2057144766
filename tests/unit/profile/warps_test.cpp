// Launches: how many of the machine's warp contexts they fill, and how long their warps are busy.
#include "tests/unit/profile/profile_fixture.h"

namespace syncline::platform {
namespace {

using tests::ProfileTest;

class WarpsTest : public ProfileTest {
 protected:
  const LaunchShape& shape() const { return profile().kernels.front().shapes.front(); }
};

TEST_F(WarpsTest, AGridThatFitsIsItsOwnLimit) {
  run("", 3, 64);
  EXPECT_EQ(total().ctas, 3U);
  EXPECT_EQ(total().warps, 6U);
  EXPECT_EQ(shape().resident_ctas, 3U);
  EXPECT_EQ(shape().resident_warps(), 6U);
  EXPECT_EQ(shape().limited_by(), "the grid");
  EXPECT_EQ(profile().machine.warp_contexts(), 8U);
}

TEST_F(WarpsTest, WarpContexts) {
  run("", 9, 64);
  EXPECT_EQ(shape().resident_ctas, 4U) << "two of two warps on each of two SMs of four";
  EXPECT_EQ(shape().resident_warps(), 8U);
  EXPECT_EQ(shape().limited_by(), "warps");
  EXPECT_EQ(total().resident_warps, 8U);
  EXPECT_EQ(total().warps, 18U);
}

TEST_F(WarpsTest, Threads) {
  ProfiledMachine machine = tests::small_machine();
  machine.sm.max_threads = 64;
  Profiler profiler(machine);
  FunctionalDevice device;
  device.trace(&profiler);
  const ModuleHandle handle = device.module_load_text(module(".visible .entry k() { ret; }"), "test.ptx");
  device.launch_kernel(device.module_get_function(handle, "k"), {{9, 1, 1}, {48, 1, 1}}, {});
  device.synchronize();
  EXPECT_EQ(profiler.profile().kernels.front().shapes.front().limited_by(), "threads");
  EXPECT_EQ(profiler.profile().total.resident_warps, 4U);
}

TEST_F(WarpsTest, SharedMemory) {
  run("  .shared .align 4 .b8 s[600]; st.shared.u32 [s], %t;", 9, 32);
  EXPECT_EQ(shape().shared_bytes, 600U);
  EXPECT_EQ(shape().resident_ctas, 2U) << "1024 bytes of an SM hold one";
  EXPECT_EQ(shape().limited_by(), "shared memory");
}

TEST_F(WarpsTest, Registers) {
  ProfiledMachine machine = tests::small_machine();
  machine.sm.registers = 64;
  Profiler profiler(machine);
  FunctionalDevice device;
  device.trace(&profiler);
  const ModuleHandle handle = device.module_load_text(
      module(".visible .entry k() { .reg .b32 %a, %b; mov.u32 %a, %tid.x; add.u32 %b, %a, 1; add.u32 %b, %a, %b; }"),
      "test.ptx");
  device.launch_kernel(device.module_get_function(handle, "k"), {{9, 1, 1}, {32, 1, 1}}, {});
  device.synchronize();
  const KernelProfile& kernel = profiler.profile().kernels.front();
  EXPECT_EQ(kernel.registers, 2U);
  EXPECT_EQ(kernel.shapes.front().limited_by(), "registers");
  EXPECT_EQ(kernel.resident_warps, 2U);
}

TEST_F(WarpsTest, TheLongestWarpKeepsTheMachine) {
  // Warp 0 of CTA 0 executes four instructions more than the other seven.
  run("  or.b32 %r1, %c, %t; setp.gt.u32 %p1, %r1, 31; @%p1 bra SKIP; setp.ne.u32 %p2, %c, 0; @%p2 bra SKIP;\n"
      "  add.u32 %r1, %t, 1; add.u32 %r1, %t, 1;\nSKIP:",
      4, 64);
  // First warps of other CTAs: %c | %t is 31 at most, so they come to the second test.
  const std::uint64_t shortest = frame + 3, middle = frame + 5, longest = frame + 7;
  EXPECT_EQ(total().mix.total().warp, 4 * shortest + 3 * middle + longest);
  EXPECT_EQ(total().longest_warps, longest);
  EXPECT_EQ(total().longest_ctas, shortest + longest);
  EXPECT_DOUBLE_EQ(total().busy_warps(),
                   static_cast<double>(4 * shortest + 3 * middle + longest) / static_cast<double>(longest));
}

TEST_F(WarpsTest, LaunchesOfOneKernelAddUp) {
  const std::string text = kernel("");
  const KernelHandle k = load(text);
  launch(k, {1, 1, 1}, {32, 1, 1});
  launch(k, {8, 1, 1}, {32, 1, 1});
  launch(k, {8, 1, 1}, {32, 1, 1});
  ASSERT_EQ(profile().kernels.size(), 1U);
  const KernelProfile& kernel = profile().kernels.front();
  ASSERT_EQ(kernel.shapes.size(), 2U);
  EXPECT_EQ(kernel.shapes[1].launches, 2U);
  EXPECT_EQ(kernel.main_shape(), &kernel.shapes[1]);
  EXPECT_EQ(kernel.launches, 3U);
  EXPECT_EQ(kernel.ctas, 17U);
  EXPECT_EQ(kernel.longest_warps, 3U * frame);
  EXPECT_EQ(kernel.resident_warps, 8U);
  EXPECT_DOUBLE_EQ(kernel.mean_resident_warps(), (1.0 * 1 + 16 * 8) / 17) << "by instructions";
}

TEST_F(WarpsTest, TheMostOfAnyLaunchStays) {
  const KernelHandle k = load(kernel(""));
  launch(k, {8, 1, 1}, {32, 1, 1});
  launch(k, {1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(total().resident_warps, 8U);
}

TEST_F(WarpsTest, SharedMemoryOfALaunchMakesAShape) {
  const KernelHandle k = load(".extern .shared .align 4 .b8 s[];\n" + kernel("  st.shared.u32 [s], %t;"));
  launch(k, {9, 1, 1}, {32, 1, 1}, 256);
  launch(k, {9, 1, 1}, {32, 1, 1}, 1024);
  const std::vector<LaunchShape>& shapes = profile().kernels.front().shapes;
  ASSERT_EQ(shapes.size(), 2U);
  EXPECT_EQ(shapes[0].resident_ctas, 8U);
  EXPECT_EQ(shapes[1].resident_ctas, 2U);
  EXPECT_EQ(shapes[1].shared_bytes, 1024U);
}

TEST_F(WarpsTest, KernelsOfOneModuleAreToldApart) {
  const ModuleHandle two = load_module(kernel("", "a") + kernel("", "b"));
  for (const char* const name : {"a", "b", "a"}) launch(kernel_of(two, name), {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(profile().kernels.size(), 2U);
  EXPECT_EQ(profile().kernels[0].launches, 2U);
  EXPECT_EQ(profile().kernels[1].kernel, "b");
}

TEST_F(WarpsTest, KernelsAreToldApart) {
  const std::string two = kernel("  ld.global.u32 %r1, [%at];", "a") + kernel("  st.global.u32 [%at], %t;", "b");
  launch(load(two, "a"), {1, 1, 1}, {32, 1, 1});
  launch(load(two, "b"), {1, 1, 1}, {32, 1, 1});
  launch(load(two, "a"), {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(profile().kernels.size(), 3U) << "each load is a module of its own";
  EXPECT_EQ(profile().kernels[0].kernel, "a");
  EXPECT_EQ(profile().kernels[1].kernel, "b");
  EXPECT_EQ(profile().kernels[0].lines.lines().written, 0U);
  EXPECT_EQ(profile().kernels[1].lines.lines().read, 0U);
  EXPECT_EQ(profile().kernels[2].lines.lines_handed_on(), 1U);
  EXPECT_EQ(total().launches, 3U);
  EXPECT_EQ(total().lines.lines().both, 1U) << "the same line";
}

TEST_F(WarpsTest, LocalMemoryAsFarAsItIsTouched) {
  run("  .local .align 4 .b8 l[64]; st.local.u32 [l+8], %t;", 1, 32);
  EXPECT_EQ(profile().kernels.front().local_declared, 64U);
  EXPECT_EQ(total().local_touched, 12U);
  EXPECT_EQ(total().lines.lines().all, 0U);
  run("", 1, 32);
  EXPECT_EQ(profile().kernels.back().local_touched, 0U);
  EXPECT_EQ(total().local_touched, 12U);
}

TEST_F(WarpsTest, ALaunchThatFaultsDoesNotCount) {
  EXPECT_THROW(run("  ld.global.u32 %r1, [%at+1000000];", 1, 32), base::ProgramFault);
  EXPECT_EQ(total().launches, 0U);
  EXPECT_EQ(total().mix.total().warp, 0U);
}

}  // namespace
}  // namespace syncline::platform
