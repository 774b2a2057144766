// A link that stops giving credits back, in a run of a whole machine: it ends, and says what waits for what.
#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/nvlink/nvlink_port.h"
#include "tests/support/error_of.h"
#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* reach_over_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry reach_over(.param .u64 there)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [there];
  ld.global.u32 %r1, [%rd1];
  add.u32 %r1, %r1, 1;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

/// The links of GPU 0 lose so many credits of each way and virtual network, all or one, and what they carry is needed.
struct Cut {
  const char* policy;
  bool all;           ///< credits
  const char* links;  ///< whose name has this in it
};

void run_cut(const Cut& cut, bool copies) {
  const PlatformSpec spec = two_gpus({std::string("coherence.policy=") + cut.policy, "limits.progress_window=20000"});
  Simulation simulation(spec, 1);
  const unsigned networks = simulation.gpu().coherence().virtual_networks();
  for (models::Block* const block : simulation.context().blocks) {
    auto* const link = dynamic_cast<models::NvlinkPort*>(block);
    if (link == nullptr || std::string(link->name()).find(cut.links) == std::string::npos) continue;
    for (unsigned way = 0; way < 2; ++way) {
      for (unsigned network = 0; network < networks; ++network)
        link->lose_credits(way, static_cast<models::VirtualNetwork>(network), cut.all ? spec.modules.link.credits : 1);
    }
  }
  simulation.run([&](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer of_a = a.upload(std::vector<std::uint32_t>(64, 7)), of_b = b.mem_alloc(256);
    if (copies) return b.memcpy_peer(of_b, of_a, 256);
    b.enable_peer_access(0);
    const ModuleHandle module = b.module_load_text(reach_over_ptx, "reach_over.ptx");
    b.launch_kernel(b.module_get_function(module, "reach_over"), {{1}, {1}}, arguments(of_a));
    b.synchronize();
    EXPECT_EQ(a.download<std::uint32_t>(of_a, 1)[0], 8U);
  });
}

std::ostream& operator<<(std::ostream& to, const Cut& cut) {
  return to << cut.policy << (cut.all ? ", all credits of " : ", a credit of ") << cut.links;
}

class CutLinks : public ::testing::TestWithParam<Cut> {};

std::string name_of(const ::testing::TestParamInfo<Cut>& its) {
  return std::string(its.param.policy) + (its.param.all ? "_all" : "_one") + its.param.links;
}

INSTANTIATE_TEST_SUITE_P(Each, CutLinks,
                         ::testing::Values(Cut{"none", true, "nvlink0_in"}, Cut{"none", true, "nvlink0_out"},
                                           Cut{"none", true, "nvlink"}, Cut{"rcc", true, "nvlink0_in"},
                                           Cut{"hmg", true, "nvlink0_in"}, Cut{"hmg", true, "nvlink0_out"},
                                           Cut{"nhcc", true, "nvlink1_out"}),
                         name_of);

// A partition of the fabric: what cannot leave, and the SM and the L2 that wait for it, are named.
TEST_P(CutLinks, EndTheRunWithWhatWaitsForWhat) {
  const std::string error = test::error_of<base::ModelError>([] { run_cut(GetParam(), false); });
  EXPECT_THAT(
      error,
      AllOf(HasSubstr("no progress since cycle "), HasSubstr("limits.progress_window is 20000 cycles"),
            HasSubstr("messages wait, the first is a"), HasSubstr("; 0 of 64 credits are there"),
            HasSubstr("\n  gpu.sm3: kernel `reach_over`, CTA (0, 0, 0), warp 0 (SM 3, %warpid 0) waits (memory)")));
  EXPECT_THAT(error, HasSubstr(std::string("\n  gpu.") + GetParam().links));
}

TEST_P(CutLinks, EndACopyWithWhatWaitsForWhat) {
  const std::string error = test::error_of<base::ModelError>([] { run_cut(GetParam(), true); });
  EXPECT_THAT(error, AllOf(HasSubstr("no progress since cycle "), HasSubstr("0 of 64 credits are there"),
                           HasSubstr("gpu.copy_engine1: copies 256 bytes from 0x")));
}

class LostCredits : public ::testing::TestWithParam<Cut> {};
INSTANTIATE_TEST_SUITE_P(Each, LostCredits,
                         ::testing::Values(Cut{"none", false, "nvlink0_in"}, Cut{"hmg", false, "nvlink1_out"}),
                         name_of);

// A credit too few stops nobody; it is told at the end all the same.
TEST_P(LostCredits, AreNamedAtTheEnd) {
  const std::string error = test::error_of<base::ModelError>([] { run_cut(GetParam(), false); });
  EXPECT_THAT(error, AllOf(HasSubstr("the run ended with work left over:"),
                           HasSubstr(std::string("\n  gpu.") + GetParam().links + ": gpu." + GetParam().links +
                                     ": in0 network 0: "
                                     "1 of 64 credits have not come back"),
                           Not(HasSubstr("messages wait"))));
}

}  // namespace
}  // namespace syncline::platform
