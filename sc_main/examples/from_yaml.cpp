// A GPU from a YAML file, and a host program in C++ that uses it: build, run, look at the result.
#include <cstdio>
#include <systemc>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline::platform;

namespace {

// y[i] = x[i]^2, by hand. PTX may come from clang, nvcc or a string.
constexpr const char* square_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry square(.param .u64 x, .param .u64 y, .param .u32 n)
{
  .reg .pred %p1;
  .reg .f32 %f<3>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f1, [%rd4];
  mul.f32 %f2, %f1, %f1;
  st.global.f32 [%rd5], %f2;
done:
  ret;
}
)";

bool square_numbers(Device& gpu) {
  constexpr std::uint32_t n = 1000;
  std::vector<float> x(n);
  for (std::uint32_t i = 0; i < n; ++i) x[i] = static_cast<float>(i);

  const ModuleHandle module = gpu.module_load_text(square_ptx, "square.ptx");
  const KernelHandle square = gpu.module_get_function(module, "square");
  const DevicePointer in = gpu.upload(x);
  const DevicePointer out = gpu.mem_alloc(n * sizeof(float));
  gpu.launch_kernel(square, {{(n + 127) / 128}, {128}}, arguments(in, out, n));
  gpu.synchronize();

  const std::vector<float> y = gpu.download<float>(out, n);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (y[i] != x[i] * x[i]) return false;
  }
  return true;
}

}  // namespace

int sc_main(int, char**) {
  const auto configuration = load_configuration<PlatformSpec>("gtx480", {"sm.scheduler.policy=gto"});
  Simulation simulation(configuration.spec, /*seed=*/1);

  bool correct = false;
  simulation.run([&](Device& gpu) { correct = square_numbers(gpu); });

  std::printf("1000 squares on %s: %s, %llu SM cycles\n", configuration.spec.name.c_str(),
              correct ? "correct" : "WRONG", static_cast<unsigned long long>(simulation.device().totals().cycles));
  return correct ? 0 : 1;
}
