// A program whose loads wait for each other, on `tiny`.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"
#include "tests/support/counter_of.h"

namespace syncline::tests {

// Each CTA of one thread walks `lines` lines of its own, `passes` times, each load behind the one before; the sum is
// that of the words.
inline constexpr const char* walk_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry walk(.param .u64 words, .param .u64 sums, .param .u32 lines, .param .u32 passes)
{
  .reg .pred %p<3>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<9>;
  ld.param.u64 %rd1, [words];
  ld.param.u64 %rd2, [sums];
  ld.param.u32 %r1, [lines];
  ld.param.u32 %r2, [passes];
  mov.u32 %r3, %ctaid.x;
  mul.lo.u32 %r4, %r3, %r1;
  mul.wide.u32 %rd3, %r4, 128;
  add.s64 %rd4, %rd1, %rd3;
  mov.u32 %r5, 0;
PASS:
  mov.u64 %rd5, %rd4;
  mov.u32 %r6, %r1;
LINE:
  ld.global.u32 %r7, [%rd5];
  add.u32 %r5, %r5, %r7;
  and.b32 %r8, %r7, 0;
  cvt.u64.u32 %rd6, %r8;
  add.s64 %rd5, %rd5, 128;
  add.s64 %rd5, %rd5, %rd6;
  sub.u32 %r6, %r6, 1;
  setp.ne.u32 %p1, %r6, 0;
  @%p1 bra LINE;
  sub.u32 %r2, %r2, 1;
  setp.ne.u32 %p2, %r2, 0;
  @%p2 bra PASS;
  mul.wide.u32 %rd7, %r3, 4;
  add.s64 %rd8, %rd2, %rd7;
  st.global.u32 [%rd8], %r5;
  ret;
}
)";

/// Runs it, checks the sums, and returns its cycles.
inline std::uint64_t walk(platform::Simulation& simulation, std::uint32_t ctas, std::uint32_t lines,
                          std::uint32_t passes) {
  std::uint64_t cycles = 0;
  std::vector<std::uint32_t> sums;
  simulation.run([&](platform::Device& gpu) {
    std::vector<std::uint32_t> words(std::size_t{ctas} * lines * 32, 0);
    for (std::size_t line = 0; line < std::size_t{ctas} * lines; ++line) words[line * 32] = 3;
    const platform::DevicePointer from = gpu.upload(words), to = gpu.mem_alloc(ctas * 4);
    gpu.launch_kernel(gpu.module_get_function(gpu.module_load_text(walk_ptx, "walk.ptx"), "walk"), {{ctas}, {1}},
                      platform::arguments(from, to, lines, passes));
    sums = gpu.download<std::uint32_t>(to, ctas);
    cycles = gpu.totals().cycles;
  });
  EXPECT_EQ(sums, std::vector<std::uint32_t>(ctas, 3 * lines * passes));
  return cycles;
}

inline platform::PlatformSpec tiny_with(const std::string& lines = "") {
  return platform::parse_configuration<platform::PlatformSpec>("include: " SYNCLINE_SOURCE_DIR "/configs/tiny.yaml\n" +
                                                               lines)
      .spec;
}

inline double value_of(platform::Simulation& simulation, const std::string& name) {
  return static_cast<double>(test::counter_of(simulation, name));
}

}  // namespace syncline::tests
