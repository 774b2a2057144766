// Modules that have room for few pages (`modules.memory`): whose allocation fails, and where pages go that their module
// has no room for.
#include <gmock/gmock.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/support/error_of.h"
#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t page = 4096;

/// One thread writes the number of each page into its first word.
constexpr const char* touch_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry touch(.param .u64 out, .param .u32 pages)
{
  .reg .pred %p1;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [pages];
  mov.u32 %r2, 0;
again:
  st.global.u32 [%rd1], %r2;
  add.s64 %rd1, %rd1, 4096;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p1, %r2, %r1;
  @%p1 bra again;
  ret;
}
)";

/// Two GPUs of two modules, each with room for four pages; SM 0 has the first CTA.
PlatformSpec four_pages_each(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"modules.memory=16 KiB", "modules.ctas=none"});
  return two_gpus(std::move(overrides));
}

class FullModules : public OnEachDevice {
 protected:
  static void run(const std::function<void(Device&)>& program, std::vector<std::string> overrides = {}) {
    run_on(four_pages_each(std::move(overrides)), program);
  }
};
INSTANTIATE_TEST_SUITE_P(OnEach, FullModules, ::testing::Bool(), name_of_time);

TEST_P(FullModules, OfADeviceAreNamedByTheAllocationThatDoesNotFit) {
  run([](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    b.mem_alloc(3 * page - 256);
    EXPECT_THAT(
        test::error_of([&] { b.mem_alloc(5 * page); }),
        HasSubstr("mem_alloc of 20480 bytes: out of memory of device 1, whose pages lie in modules 2 to 3: 20480 "
                  "of 32768 bytes there are free (`modules.memory`), in 5 pages, and it takes 6 with the gap "
                  "between blocks"));
    EXPECT_THAT(test::error_of([&] { b.mem_alloc(~std::uint64_t{0}); }), HasSubstr("(its part of `host.memory`)"));
    b.mem_alloc(5 * page - 256);
    EXPECT_THAT(test::error_of([&] { b.mem_alloc(1); }), HasSubstr("0 of 32768 bytes there are free"));
    a.mem_alloc(8 * page - 256);  // the other GPU's are still free
    EXPECT_THAT(test::error_of([&] { machine.mem_alloc(1); }),
                HasSubstr("out of device memory, whose pages lie in modules 0 to 3: 0 of 65536 bytes"));
  });
}

TEST_P(FullModules, GiveBackWhatIsFreed) {
  run([](Device& machine) {
    Device& b = machine.device(1);
    const DevicePointer all = b.mem_alloc(8 * page - 256);
    b.mem_free(all);
    EXPECT_EQ(b.mem_alloc(8 * page - 256), all);
    const DevicePointer rest = machine.mem_alloc(7 * page);
    EXPECT_THAT(test::error_of([&] { machine.mem_alloc(2 * page); }), HasSubstr("in 1 pages, and it takes 3"));
    machine.mem_free(rest);
    EXPECT_EQ(machine.mem_alloc(7 * page), rest);
  });
}

TEST_P(FullModules, OfTheWholeMachineAreNamedToo) {
  run([](Device& machine) {
    machine.mem_alloc(10 * page);
    EXPECT_THAT(test::error_of([&] { machine.mem_alloc(7 * page); }),
                AllOf(HasSubstr("mem_alloc of 28672 bytes: out of device memory"),
                      HasSubstr("24576 of 65536 bytes there are free (`modules.memory`), in 6 pages, and it takes 8")));
    EXPECT_THAT(test::error_of([&] { machine.mem_alloc(~std::uint64_t{0}); }),
                HasSubstr("bytes (`host.memory`) are in"));
    machine.mem_alloc(6 * page - 256);
  });
}

TEST_P(FullModules, UnderFixedAreTheOneThatHasAllPages) {
  run(
      [](Device& machine) {
        machine.mem_alloc(2 * page);
        EXPECT_THAT(test::error_of([&] { machine.mem_alloc(4 * page); }),
                    HasSubstr("out of device memory, whose pages lie in module 3: 8192 of 16384 bytes"));
        EXPECT_THAT(test::error_of([&] { machine.device(1).mem_alloc(4 * page); }),
                    HasSubstr("out of memory of device 1, whose pages lie in module 3: 8192 of 16384 bytes"));
        EXPECT_THAT(test::error_of([&] { machine.device(0).mem_alloc(4 * page); }),
                    HasSubstr("out of memory of device 0, whose pages lie in module 1: 16384 of 16384 bytes"));
        machine.device(0).mem_alloc(4 * page - 256);
      },
      {"modules.pages.placement=fixed", "modules.pages.module=3"});
}

TEST_P(FullModules, HaveNoRoomForAVariable) {
  run([](Device& machine) {
    const std::string ptx =
        ".version 6.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .b8 table[70000];\n";
    EXPECT_THAT(test::error_of([&] { machine.module_load_text(ptx, "table.ptx"); }),
                HasSubstr("table.ptx:4:31: error: no room for variable `table` of 70000 bytes"));
  });
}

// ---- with time

using Pages = std::map<unsigned, unsigned>;  ///< by module

Pages pages_of(const Gpu& gpu, DevicePointer at, unsigned count) {
  Pages pages;
  for (unsigned i = 0; i < count; ++i)
    ++pages[gpu.homes().home(address(at) + i * page).index];  // one partition a module
  return pages;
}

void touch(Device& device, DevicePointer at, std::uint32_t pages) {
  const ModuleHandle module = device.module_load_text(touch_ptx, "touch.ptx");
  device.launch_kernel(device.module_get_function(module, "touch"), {{1}, {1}}, arguments(at, pages));
  device.synchronize();
  for (std::uint32_t i = 0; i < pages; ++i) EXPECT_EQ(device.download<std::uint32_t>(at + i * page, 2)[0], i);
}

TEST(FirstTouch, OfAFullModuleTakesTheNextOfTheGpuAndThenOtherGpus) {
  Simulation simulation(four_pages_each(), 1);
  simulation.run([&](Device& machine) {
    const DevicePointer out = machine.upload(std::vector<std::uint32_t>(14 * page / 4, 5));
    EXPECT_EQ(pages_of(simulation.gpu(), out, 14), (Pages{{0, 14}})) << "nobody has touched them";
    touch(machine, out, 14);
    EXPECT_EQ(pages_of(simulation.gpu(), out, 6), (Pages{{0, 4}, {1, 2}}));
    EXPECT_EQ(pages_of(simulation.gpu(), out, 14), (Pages{{0, 4}, {1, 4}, {2, 4}, {3, 2}}));
    EXPECT_EQ(machine.download<std::uint32_t>(out + 13 * page + 4, 1)[0], 5U) << "what the host wrote went with it";
  });
}

// What a device has taken has its place in its GPU, even before it is touched.
TEST(FirstTouch, LeavesTheRoomThatADeviceHasTaken) {
  Simulation simulation(four_pages_each(), 1);
  simulation.run([&](Device& machine) {
    Device& a = machine.device(0);
    const DevicePointer of_a = a.mem_alloc(6 * page - 256), of_all = machine.mem_alloc(9 * page);
    touch(machine, of_all, 9);
    EXPECT_EQ(pages_of(simulation.gpu(), of_all, 9), (Pages{{0, 2}, {2, 4}, {3, 3}}));
    touch(a, of_a, 6);
    const Pages its = pages_of(simulation.gpu(), of_a, 6);
    EXPECT_EQ(its, (Pages{{0, 2}, {1, 4}}));
    EXPECT_THAT(test::error_of([&] { machine.device(1).mem_alloc(page); }),
                HasSubstr("out of memory of device 1, whose pages lie in modules 2 to 3: 4096 of 32768 bytes"))
        << "most of its modules' pages are of all devices together";
  });
}

class Spilling : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Placements, Spilling, ::testing::Values("interleaved", "hash"),
                         [](const auto& its) { return its.param; });

TEST_P(Spilling, FillsAllModulesAndNoneBeyond) {
  Simulation simulation(four_pages_each({std::string("modules.pages.placement=") + GetParam()}), 1);
  simulation.run([&](Device& machine) {
    Device& b = machine.device(1);
    const DevicePointer of_b = b.mem_alloc(7 * page - 256);
    touch(b, of_b, 6);
    const DevicePointer of_all = machine.mem_alloc(8 * page - 1024);
    touch(machine, of_all, 8);
    Pages all = pages_of(simulation.gpu(), of_b, 6);
    EXPECT_EQ(all[0] + all[1], 0U);
    for (const auto& [module, pages] : pages_of(simulation.gpu(), of_all, 8)) all[module] += pages;
    for (const auto& [module, pages] : all) EXPECT_LE(pages, 4U) << module;
  });
}

class SpillingPolicies : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Each, SpillingPolicies, ::testing::Values("none", "rcc", "hmg", "nhcc", "sw"),
                         [](const auto& its) { return its.param; });

TEST_P(SpillingPolicies, FindPagesWhereTheyLie) {
  Simulation simulation(four_pages_each({std::string("coherence.policy=") + GetParam()}), 1);
  simulation.run([&](Device& machine) { touch(machine, machine.mem_alloc(15 * page), 15); });
}

}  // namespace
}  // namespace syncline::platform
