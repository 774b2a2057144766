// Kernels of a few lines, run and profiled on a small machine.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "platform/functional/functional_device.h"
#include "platform/profile/profiler.h"

namespace syncline::tests {

/// Two SMs of four warps of 32 lanes, 1024 registers and 1024 bytes of shared memory, lines of 128 bytes.
inline platform::ProfiledMachine small_machine() {
  platform::ProfiledMachine machine;
  machine.name = "small";
  machine.sms = 2;
  machine.sm.max_warps = 4;
  machine.sm.max_threads = 128;
  machine.sm.max_ctas = 4;
  machine.sm.registers = 8192;
  machine.sm.shared_bytes = 1024;
  return machine;
}

class ProfileTest : public testing::Test {
 protected:
  explicit ProfileTest(const platform::ProfiledMachine& machine = small_machine(), unsigned warp_lanes = 32)
      : device_(config(warp_lanes)), profiler_(machine) {
    device_.trace(&profiler_);
    buffer_ = device_.mem_alloc(1 << 16);
  }

  /// A kernel `name` of one parameter: the address of 64 KiB, which is in %at; %c is the CTA's number, %t the thread's.
  static std::string kernel(const std::string& body, const std::string& name = "k") {
    return ".visible .entry " + name + "(.param .u64 p)\n{\n" +
           "  .reg .b64 %at, %d<8>; .reg .b32 %c, %t, %r<8>; .reg .pred %p<4>; .reg .f32 %f<4>; .reg .f64 %e<4>;\n"
           "  ld.param.u64 %at, [p]; mov.u32 %c, %ctaid.x; mov.u32 %t, %tid.x;\n" +
           body + "\n  exit;\n}\n";
  }
  static constexpr unsigned frame = 4;  ///< instructions of each warp beside the body: three before it, and its exit
  static std::string module(const std::string& kernels) {
    return ".version 8.3\n.target sm_90\n.address_size 64\n" + kernels;
  }

  void launch(platform::KernelHandle handle, base::Dim3 grid, base::Dim3 block, std::uint32_t shared_bytes = 0) {
    device_.launch_kernel(handle, {grid, block, shared_bytes}, platform::arguments(buffer_));
    device_.synchronize();
  }
  platform::ModuleHandle load_module(const std::string& kernels) {
    return device_.module_load_text(module(kernels), "test.ptx");
  }
  platform::KernelHandle kernel_of(platform::ModuleHandle handle, const std::string& name) {
    return device_.module_get_function(handle, name);
  }
  platform::KernelHandle load(const std::string& kernels, const std::string& name = "k") {
    return kernel_of(load_module(kernels), name);
  }
  /// Runs the body once, and gives the profile of all that has run so far.
  const platform::ProgramProfile& run(const std::string& body, unsigned ctas, unsigned threads) {
    launch(load(kernel(body)), {ctas, 1, 1}, {threads, 1, 1});
    return profiler_.profile();
  }
  const platform::ProgramProfile& profile() const { return profiler_.profile(); }
  const platform::KernelProfile& total() const { return profiler_.profile().total; }

 private:
  static platform::FunctionalDevice::Config config(unsigned warp_lanes) {
    platform::FunctionalDevice::Config config;
    config.emulator.warp_lanes = warp_lanes;
    return config;
  }

  platform::FunctionalDevice device_;
  platform::Profiler profiler_;
  platform::DevicePointer buffer_ = platform::DevicePointer::null;
};

}  // namespace syncline::tests
