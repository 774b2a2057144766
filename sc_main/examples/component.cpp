// A GPU as a component: a module on the bus of a platform of your own, here beside a CPU that does nothing but drive it
// (bus_cpu.h). It loads a program, fills memory, launches, waits for the interrupt, and compares; and it resets the
// GPU after a kernel that went astray.
#include <cstdio>
#include <sstream>
#include <string>
#include <systemc>
#include <vector>

#include "base/error.h"
#include "models/bridge/base_protocol_checker.h"
#include "platform/component/gpu_component.h"

#include "bus_cpu.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

constexpr const char* increment_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 data)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

}  // namespace

int sc_main(int, char**) {
  constexpr std::uint32_t n = 1024;
  std::vector<std::uint32_t> values(n, 41), again(n);
  std::string refused, fault;

  sc_core::sc_signal<bool> irq("irq");
  BusCpu cpu("cpu", [&](BusCpu& self) {
    ComponentDriver driver = self.driver(/*base=*/0, irq);
    const std::uint64_t data = driver.allocate(n * 4);
    driver.write(data, values.data(), n * 4);
    const std::uint32_t module = driver.load_module(increment_ptx);
    driver.launch(module, "increment", {{n / 256}, {256}}, arguments(data));
    driver.read(data, values.data(), n * 4);
    try {
      driver.launch(module, "decrement", {{1}, {1}}, {});
    } catch (const base::UserError& error) {
      refused = error.what();  // what the registers say; the simulation goes on
    }
    try {
      driver.launch(module, "increment", {{n / 256}, {256}}, arguments(std::uint64_t{64}));  // nobody's memory
    } catch (const base::UserError& error) {
      fault = error.what();
    }
    driver.reset();
    driver.launch(module, "increment", {{n / 256}, {256}}, arguments(data));
    driver.read(data, again.data(), n * 4);
  });
  GpuComponent gpu("gpu", "tiny");
  models::BaseProtocolChecker checker("checker");  // ends the run when the link breaks the protocol
  cpu.socket.bind(checker.target);
  checker.initiator.bind(gpu.target);
  gpu.irq(irq);
  sc_core::sc_start();  // ends when nothing is left to do

  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < n; ++i) wrong += values[i] == 42 && again[i] == 43 ? 0 : 1;
  std::ostringstream statistics;
  gpu.write_statistics(statistics);
  const bool counted = statistics.str().find("\"gpu.gpu.sm0.warp_instructions\"") != std::string::npos;
  std::printf("%u wrong values after %s\nrefused: %s\nfault: %s\n", wrong, sc_core::sc_time_stamp().to_string().c_str(),
              refused.c_str(), fault.c_str());
  return wrong == 0 && counted && !refused.empty() && !fault.empty() ? 0 : 1;
}
