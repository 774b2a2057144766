// What tests of a machine of several GPUs share, whose programs tell its devices apart.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/functional/functional_device.h"
#include "platform/spec/limits.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

/// Two GPUs of two modules.
inline PlatformSpec two_gpus(std::vector<std::string> overrides = {}) {
  return load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/hmg_tiny.yaml", std::move(overrides)).spec;
}

using Words = std::vector<std::uint32_t>;
inline Words numbers(std::size_t count, std::uint32_t first = 0) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

/// What holds with and without time.
class OnEachDevice : public ::testing::TestWithParam<bool> {
 protected:
  static void run_on(const PlatformSpec& spec, const std::function<void(Device&)>& program) {
    if (GetParam()) return Simulation(spec, 1).run(program);
    FunctionalDevice::Config config{device_config(spec), {}};
    config.emulator.sms = spec.sms;
    FunctionalDevice device(config);
    program(device);
  }
};
inline std::string name_of_time(const ::testing::TestParamInfo<bool>& its) {
  return its.param ? "timed" : "functional";
}

/// All lanes of a warp wait for one that spins on a word which is zero.
inline void launch_wait_for(Device& device, DevicePointer flag) {
  constexpr const char* ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry wait_for(.param .u64 flag)
{
  .reg .pred %p<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [flag];
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra met;
again:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra again;
met:
  ret;
}
)";
  const ModuleHandle module = device.module_load_text(ptx, "wait_for.ptx");
  device.launch_kernel(device.module_get_function(module, "wait_for"), {{1}, {32}}, arguments(flag));
}

}  // namespace syncline::platform
