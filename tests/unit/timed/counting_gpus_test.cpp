// GPUs that count in one word, by each form of an atomic that PTX takes to be of the device: none is lost.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <tuple>

#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

struct Form {
  const char* name;
  const char* text;
};
std::ostream& operator<<(std::ostream& to, const Form& form) {
  return to << form.name;
}

class GpusThatCount : public ::testing::TestWithParam<std::tuple<std::string, Form>> {};

TEST_P(GpusThatCount, LoseNothing) {
  const auto& [policy, form] = GetParam();
  const std::string ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry count(.param .u64 n)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [n];
  )" + std::string(form.text) +
                          R"(
  ret;
}
)";
  constexpr std::uint32_t threads = 128;
  Simulation(two_gpus({"coherence.policy=" + policy}), 1).run([&](Device& machine) {
    const DevicePointer word = machine.upload(Words(1, 0));
    const ModuleHandle module = machine.module_load_text(ptx, "count.ptx");
    machine.launch_kernel(machine.module_get_function(module, "count"), {{threads}, {1}}, arguments(word));
    machine.synchronize();
    EXPECT_EQ(machine.download<std::uint32_t>(word, 1)[0], threads);
  });
}
INSTANTIATE_TEST_SUITE_P(
    Each, GpusThatCount,
    ::testing::Combine(::testing::Values("no_remote_caching", "sw", "sw_hierarchical", "nhcc", "hmg", "ideal_remote"),
                       ::testing::Values(Form{"red", "red.global.add.u32 [%rd1], 1;"},
                                         Form{"red_generic", "red.add.u32 [%rd1], 1;"},
                                         Form{"red_gpu", "red.relaxed.gpu.global.add.u32 [%rd1], 1;"},
                                         Form{"atom_unused", "atom.global.add.u32 _, [%rd1], 1;"},
                                         Form{"atom", "atom.global.add.u32 %r1, [%rd1], 1;"})),
    [](const auto& its) { return std::get<0>(its.param) + "_" + std::get<1>(its.param).name; });

}  // namespace
}  // namespace syncline::platform
