// A CPU and a GPU as a component on a board, and a program for it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "models/bridge/base_protocol_checker.h"
#include "platform/component/gpu_component.h"
#include "sc_main/examples/bus_cpu.h"

namespace syncline::tests {

inline constexpr const char* component_ptx = R"(.version 7.0
.target sm_70
.address_size 64
.global .u32 bias = 5;
.visible .entry number(.param .u32 plus, .param .u64 to)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [plus];
  mov.u32 %r2, %tid.x;
  ld.global.u32 %r3, [bias];
  add.u32 %r4, %r1, %r2;
  add.u32 %r4, %r4, %r3;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r4;
  ret;
}
.visible .entry for_ever()
{
AGAIN:
  bra AGAIN;
}
.visible .entry astray(.param .u64 to, .param .u32 who)
{
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  .reg .pred %p<3>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [who];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r2, 64, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r5, 1;
  st.global.u32 [%rd3], %r5;
  setp.eq.u32 %p1, %r1, %r2;
  @%p1 bra BAD;
  setp.ge.u32 %p2, %r3, 32;
  @%p2 bra WAIT;
AGAIN:
  membar.gl;
  red.global.add.u32 [%rd3], 0;
  ld.global.u32 %r6, [%rd3];
  bra AGAIN;
WAIT:
  bar.sync 0;
  ret;
BAD:
  mov.u64 %rd2, 64;
  st.global.u32 [%rd2], %r5;
  ret;
}
)";

/// A CPU, a checker and a GPU. `program` runs in the CPU's thread.
struct Board {
  explicit Board(std::function<void(Board&)> program, const std::string& prefix = "",
                 std::vector<std::string> settings = {}, const platform::ComponentOptions& options = {})
      : irq((prefix + "irq").c_str()),
        cpu((prefix + "cpu").c_str(), [this, program = std::move(program)](BusCpu&) { program(*this); }),
        checker((prefix + "checker").c_str()),
        gpu((prefix + "gpu").c_str(), SYNCLINE_SOURCE_DIR "/configs/tiny.yaml", std::move(settings), options) {
    cpu.socket.bind(checker.target);
    checker.initiator.bind(gpu.target);
    gpu.irq(irq);
  }
  platform::ComponentDriver driver() { return cpu.driver(0, irq); }
  std::uint32_t word(platform::Register address) { return cpu.read(static_cast<std::uint32_t>(address)); }
  void set(platform::Register address, std::uint32_t value) { cpu.write(static_cast<std::uint32_t>(address), value); }
  /// Writes a command to its slot, whose address it returns, without the doorbell.
  std::uint32_t put(std::uint32_t number, platform::Command command, std::uint32_t fence) {
    const std::uint32_t at = platform::component_area::queue + number % word(platform::Register::slots) * 64;
    cpu.write(at, static_cast<std::uint32_t>(command) | platform::slot_word::interrupt);
    cpu.write(at + 4, fence);
    return at;
  }

  sc_core::sc_signal<bool> irq;
  BusCpu cpu;
  models::BaseProtocolChecker checker;
  platform::GpuComponent gpu;
};

/// What a launch of `number` with one CTA of 32 threads leaves behind.
inline std::vector<std::uint32_t> numbers(platform::ComponentDriver& driver, std::uint32_t plus) {
  const std::uint64_t to = driver.allocate(128);
  driver.launch(driver.load_module(component_ptx), "number", {{1}, {32}},
                platform::arguments(plus, platform::DevicePointer{to}));
  std::vector<std::uint32_t> values(32);
  driver.read(to, values.data(), 128);
  driver.free(to);
  return values;
}

inline std::vector<std::uint32_t> expected_numbers(std::uint32_t plus) {
  std::vector<std::uint32_t> values(32);
  for (std::uint32_t i = 0; i < 32; ++i) values[i] = plus + i + 5;
  return values;
}

}  // namespace syncline::tests
