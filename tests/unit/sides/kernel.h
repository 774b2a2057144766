// A small program: each thread adds 1 to a word of its own, and counts.
#pragma once

#include "platform/host/device.h"

namespace syncline::tests {

constexpr const char* work_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry work(.param .u64 words, .param .u64 counter)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [words];
  ld.param.u64 %rd4, [counter];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r5, %ntid.x;
  mad.lo.s32 %r3, %r1, %r5, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd3], %r4;
  red.global.add.u32 [%rd4], 1;
  ret;
}
)";

/// So many CTAs of so many threads; `words` has one for each thread.
inline void launch_work(platform::Device& gpu, unsigned ctas, unsigned threads, platform::DevicePointer words,
                        platform::DevicePointer counter) {
  gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(work_ptx, "work.ptx"), "work"), {{ctas}, {threads}},
                    platform::arguments(words, counter));
}

}  // namespace syncline::tests
