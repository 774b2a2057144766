// A module in SystemVerilog in the place of a block: serial_adder.sv performs the atomics of a histogram, under the
// coherence policy that the command line names.
#include "Vserial_adder.h"  // before SystemC, of which it would take itself for a part

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/rtl/codecs.h"
#include "models/rtl/verilated_pins.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

constexpr const char* program = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry histogram(.param .u64 values, .param .u64 counts)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [values];
  ld.param.u64 %rd2, [counts];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd3, %rd1, %rd3;
  ld.global.u32 %r5, [%rd3];
  mul.wide.u32 %rd4, %r5, 4;
  add.s64 %rd4, %rd2, %rd4;
  red.global.add.u32 [%rd4], 1;
  ret;
}
)";

using Adder = models::RtlServer<models::AtomicProtocol>;

}  // namespace

int sc_main(int argc, char** argv) {
  constexpr std::uint32_t ctas = 8, threads = 128, kinds = 50;
  const std::string policy = argc > 1 ? argv[1] : "none";
  const auto configuration = load_configuration<PlatformSpec>("tiny", {"coherence.policy=" + policy});

  std::vector<std::unique_ptr<Adder>> adders;
  GpuOptions options;
  options.atomic_unit = [&](unsigned partition, models::PlatformContext& context, models::ClockDomain& l2_clock,
                            models::AtomicLink& link) {
    const std::string name = "part" + std::to_string(partition) + "_adder";
    const auto pins = rtl::server_pins<Vserial_adder>([](Vserial_adder&) {});
    adders.push_back(std::make_unique<Adder>(name.c_str(), context, l2_clock, models::TickRank::atomic_unit, pins,
                                             rtl::atomic_codec(), /*queue=*/8));
    link.bind(adders.back()->socket);
  };
  Simulation simulation(configuration.spec, /*seed=*/1, options);

  std::vector<std::uint32_t> values(ctas * threads), counts(kinds), expected(kinds);
  for (std::uint32_t i = 0; i < values.size(); ++i) ++expected[values[i] = i * i % kinds];
  simulation.run([&](Device& gpu) {
    const DevicePointer from = gpu.upload(values), to = gpu.upload(counts);
    const KernelHandle kernel = gpu.module_get_function(gpu.module_load_text(program, "histogram.ptx"), "histogram");
    gpu.launch_kernel(kernel, {{ctas}, {threads}}, arguments(from, to));
    counts = gpu.download<std::uint32_t>(to, kinds);
  });
  std::printf("%s: %zu values counted%s in %llu SM cycles\n", policy.c_str(), values.size(),
              counts == expected ? "" : " WRONGLY",
              static_cast<unsigned long long>(simulation.device().totals().cycles));
  return counts == expected ? 0 : 1;
}
