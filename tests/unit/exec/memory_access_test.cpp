// Loads, stores and atomics: widths, vectors, spaces, generic addresses, parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "isa/exec/memory_access.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

std::string two_buffers(const std::string& body, const std::string& before = "", const std::string& target = "sm_70") {
  return module_header(target) + before + R"(
.visible .entry k(.param .u64 k_out, .param .u64 k_in)
{
  .reg .b64 %out, %in, %d<16>;
  .reg .b32 %t, %r<16>;
  .reg .b16 %s<16>;
  .reg .f32 %f<8>;
  .reg .pred %p<8>;
  ld.param.u64 %out, [k_out];
  ld.param.u64 %in, [k_in];
  mov.u32 %t, %tid.x;
)" + body +
         "\n}\n";
}

template <class Out, class In>
std::vector<Out> transform(const std::string& ptx, const std::vector<In>& input, std::size_t count,
                           unsigned threads = 32, isa::EmulatorConfig config = {}) {
  Machine machine(ptx, std::move(config));
  const std::uint64_t in = machine.upload(input);
  const std::uint64_t out = machine.allocate(count * sizeof(Out));
  machine.run("k", {1, 1, 1}, {threads, 1, 1}, out, in);
  return machine.download<Out>(out, count);
}

std::vector<std::uint8_t> pattern(std::size_t bytes) {
  std::vector<std::uint8_t> data(bytes);
  for (std::size_t n = 0; n < bytes; ++n) data[n] = static_cast<std::uint8_t>(n * 37 + 90);
  return data;
}

TEST(Memory, NarrowLoadsExtendByTheirType) {
  const auto data = pattern(64);
  const auto got = transform<std::uint64_t>(two_buffers(R"(
  cvt.u64.u32 %d1, %t;
  add.u64 %d2, %in, %d1;
  add.u64 %d3, %d2, %d1;
  ld.global.u8 %d4, [%d2];
  ld.global.s8 %d5, [%d2];
  ld.global.s16 %d6, [%d3];
  ld.global.s8 %s1, [%d2];
  mul.wide.u32 %d7, %t, 32;
  add.u64 %d7, %d7, %out;
  cvt.u64.u16 %d8, %s1;
  st.global.u64 [%d7], %d4;
  st.global.u64 [%d7+8], %d5;
  st.global.u64 [%d7+16], %d6;
  st.global.u64 [%d7+24], %d8;
)"),
                                            data, 128);
  for (unsigned t = 0; t < 32; ++t) {
    std::int16_t half = 0;
    std::memcpy(&half, &data[2 * t], 2);
    EXPECT_EQ(got[4 * t], data[t]);
    EXPECT_EQ(got[4 * t + 1], static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int8_t>(data[t]))));
    EXPECT_EQ(got[4 * t + 2], static_cast<std::uint64_t>(static_cast<std::int64_t>(half)));
    EXPECT_EQ(got[4 * t + 3], static_cast<std::uint16_t>(static_cast<std::int8_t>(data[t])));
  }
}

TEST(Memory, NarrowStoresKeepTheirNeighbours) {
  const auto got = transform<std::uint8_t>(two_buffers(R"(
  cvt.u64.u32 %d1, %t;
  add.u64 %d1, %d1, %d1;
  add.u64 %d1, %d1, %out;
  add.u32 %r1, %t, 256;
  st.global.u8 [%d1+1], %r1;
)"),
                                           std::vector<std::uint8_t>(4), 64);
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_EQ(got[2 * t], 0);
    EXPECT_EQ(got[2 * t + 1], t);
  }
}

TEST(Memory, VectorsWithSinks) {
  std::vector<std::uint32_t> data(128);
  for (unsigned n = 0; n < data.size(); ++n) data[n] = 1000 + n;
  const auto got = transform<std::uint32_t>(two_buffers(R"(
  mul.wide.u32 %d1, %t, 16;
  add.u64 %d2, %d1, %in;
  add.u64 %d3, %d1, %out;
  ld.global.v4.u32 {%r1, _, %r3, %r4}, [%d2];
  mov.u32 %r2, 5;
  st.global.v2.u32 [%d3], {%r4, %r2};
  st.global.v2.u32 [%d3+8], {%r3, %r1};
)"),
                                            data, 128);
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(std::vector<std::uint32_t>(got.begin() + 4 * t, got.begin() + 4 * t + 4),
              (std::vector<std::uint32_t>{data[4 * t + 3], 5, data[4 * t + 2], data[4 * t]}));
}

TEST(Memory, VectorsFromWiderRegistersLeaveTheirUpperHalves) {
  const auto got = transform<std::uint32_t>(two_buffers(R"(
  mul.wide.u32 %d1, %t, 8;
  add.u64 %d3, %d1, %out;
  cvt.u64.u32 %d4, %t;
  or.b64 %d5, %d4, 0x7700000000000000;
  add.u64 %d6, %d5, 0x1100000100;
  st.global.v2.u32 [%d3], {%d5, %d6};
)"),
                                            pattern(8), 64);
  for (unsigned t = 0; t < 32; ++t) {
    EXPECT_EQ(got[2 * t], t);
    EXPECT_EQ(got[2 * t + 1], t + 0x100);
  }
}

TEST(Memory, VectorsOfBytesAndOfDoubleWords) {
  const auto data = pattern(1024);
  const auto got = transform<std::uint64_t>(two_buffers(R"(
  mul.wide.u32 %d1, %t, 16;
  add.u64 %d2, %d1, %in;
  add.u64 %d3, %d1, %out;
  ld.global.v4.u8 {%s1, %s2, %s3, %s4}, [%d2+4];
  add.u16 %s1, %s1, %s4;
  cvt.u64.u16 %d4, %s1;
  ld.global.v2.u64 {%d5, %d6}, [%d2];
  add.u64 %d5, %d5, %d6;
  st.global.v2.u64 [%d3], {%d4, %d5};
)"),
                                            data, 64);
  for (unsigned t = 0; t < 32; ++t) {
    std::uint64_t words[2];
    std::memcpy(words, &data[16 * t], 16);
    EXPECT_EQ(got[2 * t], data[16 * t + 4] + data[16 * t + 7]);
    EXPECT_EQ(got[2 * t + 1], words[0] + words[1]);
  }
}

TEST(Memory, GenericAccessesOfOneWarpMayGoToSeveralSpaces) {
  // Lanes 0 mod 3 go to global, 1 mod 3 to shared, 2 mod 3 to local memory, in one instruction.
  std::vector<std::uint32_t> data(32);
  for (unsigned n = 0; n < 32; ++n) data[n] = 7000 + n;
  const auto got = transform<std::uint32_t>(two_buffers(R"(
  .shared .align 4 .b32 tile[32];
  .local .align 4 .b32 mine[2];
  mul.wide.u32 %d1, %t, 4;
  add.u64 %d2, %d1, %in;
  mov.u64 %d3, tile;
  cvta.shared.u64 %d3, %d3;
  add.u64 %d3, %d3, %d1;
  mov.u64 %d4, mine;
  cvta.local.u64 %d4, %d4;
  add.u64 %d4, %d4, 4;
  add.u32 %r1, %t, 100;
  add.u32 %r2, %t, 200;
  st.u32 [%d3], %r1;
  st.u32 [%d4], %r2;
  rem.u32 %r3, %t, 3;
  setp.eq.u32 %p1, %r3, 1;
  setp.eq.u32 %p2, %r3, 2;
  selp.b64 %d5, %d3, %d2, %p1;
  selp.b64 %d5, %d4, %d5, %p2;
  ld.u32 %r4, [%d5];
  add.u32 %r4, %r4, 1;
  st.u32 [%d5], %r4;
  atom.add.u32 %r5, [%d5], 10;
  ld.u32 %r6, [%d5];
  add.u64 %d6, %d1, %out;
  st.global.u32 [%d6], %r6;
  isspacep.shared %p3, %d5;
  isspacep.local %p4, %d5;
  isspacep.global %p5, %d5;
  selp.u32 %r7, 1, 0, %p3;
  selp.u32 %r8, 2, 0, %p4;
  selp.u32 %r9, 4, 0, %p5;
  add.u32 %r7, %r7, %r8;
  add.u32 %r7, %r7, %r9;
  st.global.u32 [%d6+128], %r7;
  st.global.u32 [%d6+256], %r5;
)"),
                                            data, 96);
  for (unsigned t = 0; t < 32; ++t) {
    const std::uint32_t base = t % 3 == 1 ? 100 + t : t % 3 == 2 ? 200 + t : 7000 + t;
    EXPECT_EQ(got[t], base + 11);
    EXPECT_EQ(got[32 + t], t % 3 == 1 ? 1u : t % 3 == 2 ? 2u : 4u);
    EXPECT_EQ(got[64 + t], base + 1);
  }
}

TEST(Memory, LocalVariablesBelongToTheirFrame) {
  // sum(n) keeps n in a .local variable, recurs, and adds what it kept: frames must not share storage.
  const std::string before = R"(
.func (.param .b64 result) sum(.param .b64 n)
{
  .local .align 8 .b64 kept[3];
  .reg .b64 %d<6>;
  .reg .pred %p1;
  ld.param.u64 %d1, [n];
  st.local.u64 [kept+8], %d1;
  mov.u64 %d2, 0;
  setp.eq.u64 %p1, %d1, 0;
  @%p1 bra DONE;
  sub.u64 %d3, %d1, 1;
  { .param .b64 a; .param .b64 b;
  st.param.b64 [a], %d3;
  call (b), sum, (a);
  ld.param.b64 %d2, [b]; }
DONE:
  mov.u64 %d4, kept;
  ld.local.u64 %d5, [%d4+8];
  add.u64 %d2, %d2, %d5;
  st.param.b64 [result], %d2;
  ret;
}
)";
  const auto got = results_of(R"(
  cvt.u64.u32 %d1, %t;
  { .param .b64 a; .param .b64 b;
  st.param.b64 [a], %d1;
  call (b), sum, (a);
  ld.param.b64 %d2, [b]; }
  cvt.u32.u64 %r0, %d2;
)",
                              32, before);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], t * (t + 1) / 2);
}

TEST(Memory, StackDepotThroughGenericPointers) {
  // Census trap 2: the frame pointer is made generic, and ld/st go through it.
  const auto got = results_of(R"(
  .local .align 8 .b8 __local_depot0[16];
  mov.u64 %d1, __local_depot0;
  cvta.local.u64 %d2, %d1;
  st.u32 [%d2], %t;
  st.v2.u32 [%d2+8], {%t, %t};
  ld.local.u32 %r1, [%d1+12];
  ld.u32 %r2, [%d2+0];
  add.u32 %r0, %r1, %r2;
  cvta.to.local.u64 %d3, %d2;
  ld.local.u32 %r3, [%d3+8];
  add.u32 %r0, %r0, %r3;
)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], 3 * t);
}

TEST(Memory, AllocaGivesEveryLaneItsOwnRoom) {
  const auto got = results_of(R"(
  .reg .b64 %size;
  cvt.u64.u32 %size, %t;
  add.u64 %size, %size, 8;
  alloca.u64 %d1, %size, 16;
  alloca.u64 %d2, 16, 16;
  st.local.u32 [%d1], %t;
  st.local.u32 [%d2], 7;
  ld.local.u32 %r1, [%d1];
  ld.local.u32 %r2, [%d2];
  add.u32 %r0, %r1, %r2;
  sub.u64 %d3, %d2, %d1;
  setp.ge.u64 %p1, %d3, %size;
  @!%p1 mov.u32 %r0, 999;
)",
                              32, "", {});
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], t + 7);
}

TEST(Memory, ConstantsAndAddressesOfVariables) {
  // Census trap 6: a table of addresses.
  const auto got = results_of(R"(
  and.b32 %r1, %t, 1;
  mul.wide.u32 %d1, %r1, 8;
  mov.u64 %d2, pointers;
  add.u64 %d1, %d1, %d2;
  ld.global.u64 %d3, [%d1];
  ld.u32 %r2, [%d3];
  ld.const.u32 %r3, [second+4];
  add.u32 %r0, %r2, %r3;
)",
                              32, R"(
.const .align 4 .u32 first[2] = {11, 12};
.const .align 4 .u32 second[2] = {21, 22};
.global .align 8 .u64 pointers[2] = {generic(first)+4, generic(second)};
)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], (t % 2 == 0 ? 12 : 21) + 22);
}

TEST(Memory, DynamicSharedMemoryBeginsBehindTheStatic) {
  const std::string ptx = kernel_of(R"(
  .shared .align 4 .b8 fixed[5];
  mov.u64 %d1, room;
  mul.wide.u32 %d2, %t, 4;
  add.u64 %d3, %d1, %d2;
  st.shared.u32 [%d3], %t;
  bar.sync 0;
  xor.b32 %r1, %t, 31;
  mul.wide.u32 %d2, %r1, 4;
  add.u64 %d3, %d1, %d2;
  ld.shared.u32 %r0, [%d3];
  mov.u32 %r2, %dynamic_smem_size;
  mov.u32 %r3, %total_smem_size;
  mov.u64 %d4, fixed;
  st.shared.u8 [%d4+4], 1;
  mad.lo.u32 %r0, %r2, 1000, %r0;
  mad.lo.u32 %r0, %r3, 1000000, %r0;
)",
                                    ".extern .shared .align 16 .b8 room[];\n");
  Machine machine(ptx);
  machine.dynamic_shared_bytes = 128;
  const std::uint64_t out = machine.allocate(128);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, out);
  const auto got = machine.download<std::uint32_t>(out, 32);
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], 144 * 1000000u + 128 * 1000 + (t ^ 31));
  EXPECT_EQ(machine.program("k")->kernel().static_shared_bytes, 5u);
  EXPECT_EQ(machine.program("k")->kernel().dynamic_shared_offset, 16u);
}

TEST(Memory, PacksAndUnpacks) {
  // Census trap 5.
  const auto got = results_of(R"(
  mul.wide.u32 %d1, %t, 65537;
  mov.b64 {%r1, %r2}, %d1;
  mov.b32 {%s1, %s2}, %r1;
  mov.b32 %r3, {%s2, %s1};
  mov.b64 %d2, {%r3, %t};
  mov.b64 {_, %r4}, %d2;
  mov.b64 {%s3, _, %s4, _}, %d2;
  cvt.u32.u16 %r5, %s3;
  mad.lo.u32 %r0, %r4, 100, %r5;
)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(got[t], t * 100 + t);
}

TEST(Memory, OldModulesKeepAddressesInThirtyTwoBits) {
  // Census traps 8 and 16: 32-bit addresses, 16-bit %tid, a kernel that ends in exit.
  const std::string ptx = R"(
.version 1.4
.target sm_10, map_f64_to_f32
.entry k(.param .u32 __cudaparm_k_out)
{
  .reg .u16 %rh<4>; .reg .u32 %r<12>;
  cvt.u32.u16 %r1, %tid.x;
  mov.u16 %rh1, %ntid.x;
  mov.u16 %rh2, %ctaid.x;
  mul.wide.u16 %r2, %rh1, %rh2;
  add.u32 %r3, %r1, %r2;
  ld.param.u32 %r4, [__cudaparm_k_out];
  mul.lo.u32 %r5, %r3, 4;
  add.u32 %r6, %r4, %r5;
  mul24.lo.u32 %r7, %r3, %r3;
  add.u32 %r6, %r6, 8;
  st.global.u32 [%r6+-8], %r7;
  exit;
}
)";
  Machine machine(ptx);
  const std::uint64_t out = machine.allocate(4 * 96);
  machine.run("k", {2, 1, 1}, {48, 1, 1}, static_cast<std::uint32_t>(out));
  const auto got = machine.download<std::uint32_t>(out, 96);
  for (unsigned t = 0; t < 96; ++t) EXPECT_EQ(got[t], t * t);
}

TEST(Memory, ThreadsSeeTheirOwnStoresInOrder) {
  // Census trap 13: unlock by a plain store behind plain stores to the protected data.
  const auto got = results_of(R"(
  mov.u64 %d1, cell;
  mov.u32 %r1, 0;
LOOP:
  st.global.u32 [%d1], %r1;
  ld.global.u32 %r2, [%d1];
  add.u32 %r0, %r0, %r2;
  add.u32 %r1, %r1, 1;
  setp.lt.u32 %p1, %r1, 5;
  @%p1 bra LOOP;
)",
                              1, ".global .u32 cell;\n");
  EXPECT_EQ(got[0], 10u);
}

}  // namespace
}  // namespace syncline::test
