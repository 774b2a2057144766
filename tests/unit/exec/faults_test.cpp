// Every fault of a program is told with kernel, line, CTA, warp, lane and address.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/ptx/parser.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(Faults, OutOfBoundsNamesThreadPlaceAndNeighbour) {
  Machine machine(kernel_of("  mov.u32 %r0, 5;\n"));
  const std::uint64_t out = machine.allocate(4 * 40);
  const std::string message = error_of([&] { machine.run("k", {2, 1, 1}, {32, 1, 1}, out); });
  EXPECT_THAT(message, AllOf(HasSubstr("out-of-bounds global store of 4 bytes at 0x100000a0"),
                             HasSubstr("thread (8, 0, 0) (warp 0, lane 8) of CTA (1, 0, 0) in kernel `k`"),
                             HasSubstr("test.ptx:"), HasSubstr("`st.global.u32 [%at], %r0;`"),
                             HasSubstr("nearest is buffer [0x10000000, 0x100000a0), which ends 0 bytes before")));
}

TEST(Faults, AddressesBeforeAnythingAndWithNothing) {
  Machine machine(kernel_of("  mov.u64 %d1, 4;\n  ld.global.u32 %r0, [%d1];\n"));
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
              }),
              HasSubstr("load of 4 bytes at 0x4 by thread (0, 0, 0)"));
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
              }),
              HasSubstr("nothing is allocated"));
  machine.allocate(16);
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
              }),
              HasSubstr("which begins 268435452 bytes behind"));
}

TEST(Faults, AccessAcrossTheEnd) {
  Machine machine(kernel_of("  add.u64 %d1, %out, 8;\n  ld.global.v2.u32 {%r1, %r2}, [%d1];\n"));
  const std::uint64_t out = machine.allocate(12);
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {1, 1, 1}, out);
              }),
              AllOf(HasSubstr("out-of-bounds global load of 8 bytes"), HasSubstr("which holds the first byte")));
}

TEST(Faults, Misaligned) {
  EXPECT_THAT(error_of([] { results_of("  add.u64 %d1, %out, 2;\n  ld.global.u32 %r0, [%d1];\n"); }),
              AllOf(HasSubstr("misaligned global load of 4 bytes"), HasSubstr("must be a multiple of 4")));
  EXPECT_THAT(
      error_of([] {
        results_of(
            "  .shared .align 16 .b8 s[64];\n  mov.u64 %d1, s;\n  st.shared.v4.u32 [%d1+8], {%t, %t, %t, %t};\n");
      }),
      AllOf(HasSubstr("misaligned shared store of 16 bytes at 0x8"), HasSubstr("must be a multiple of 16")));
}

TEST(Faults, SharedAndLocalLimits) {
  EXPECT_THAT(
      error_of([] { results_of("  .shared .align 4 .b8 s[64];\n  mov.u64 %d1, s;\n  st.shared.u32 [%d1+64], %t;\n"); }),
      AllOf(HasSubstr("out-of-bounds shared store of 4 bytes at 0x40"), HasSubstr("of this CTA has 64 bytes")));
  EXPECT_THAT(
      error_of([] { results_of("  .local .align 4 .b8 s[16];\n  mov.u64 %d1, s;\n  st.local.u32 [%d1+16], %t;\n"); }),
      AllOf(HasSubstr("out-of-bounds local store of 4 bytes at 0x10"), HasSubstr("of this thread has 16 bytes")));
}

TEST(Faults, StoresToConstants) {
  EXPECT_THAT(error_of([] {
                results_of("  mov.u64 %d1, const_table;\n  st.global.u32 [%d1], %t;\n", 32,
                           ".const .align 4 .u32 const_table[2] = {1, 2};\n");
              }),
              AllOf(HasSubstr("forbidden global store"), HasSubstr("variable `const_table` is constant")));
}

TEST(Faults, AtomicsAreCheckedToo) {
  EXPECT_THAT(error_of([] { results_of("  mov.u64 %d1, 64;\n  atom.global.add.u32 %r0, [%d1], 1;\n"); }),
              HasSubstr("out-of-bounds global atomic of 4 bytes at 0x40"));
}

TEST(Faults, PrefetchOfNothingIsNoFault) {
  EXPECT_EQ(results_of("  mov.u64 %d1, 64;\n  prefetch.global.L1 [%d1];\n  mov.u32 %r0, 3;\n", 1)[0], 3u);
}

TEST(Faults, TrapAndBreakpoint) {
  EXPECT_THAT(error_of([] { results_of("  setp.eq.u32 %p1, %t, 7;\n  @%p1 trap;\n"); }),
              HasSubstr("trap by thread (7, 0, 0) (warp 0, lane 7) of CTA (0, 0, 0) in kernel `k`"));
  EXPECT_EQ(results_of("  brkpt;\n  mov.u32 %r0, 3;\n", 1)[0], 3u);
}

TEST(Faults, EndlessLoopEndsAtTheInstructionLimit) {
  isa::EmulatorConfig config;
  config.instruction_limit = 10000;
  EXPECT_THAT(error_of([&] { results_of("LOOP:\n  add.u32 %r0, %r0, 1;\n  bra LOOP;\n", 32, "", config); }),
              AllOf(HasSubstr("kernel `k` did not end within 10000 warp instructions"), HasSubstr("is at test.ptx:")));
}

TEST(Faults, WhatDoesNotEndIsWhatRuns) {
  isa::EmulatorConfig config;
  config.instruction_limit = 10000;
  EXPECT_THAT(error_of([&] {
                Machine machine(
                    kernel_of("  setp.gt.u32 %p1, %block, 31;\n  @%p1 bra STORE;\n  setp.eq.u32 %p2, %r0, 0;\n"
                              "  tx.begin;\nLOOP:\n  @%p2 bra LOOP;\n  tx.commit;\n"),
                    config);
                machine.run("k", {2, 1, 1}, {64, 1, 1}, machine.allocate(4 * 64));
              }),
              HasSubstr("thread (0, 0, 0) (warp 0, lane 0) of CTA (0, 0, 0) is at test.ptx:"));
}

TEST(Faults, TheInstructionLimitIsExact) {
  isa::EmulatorConfig config;
  config.limit_key = " (limits.instructions)";
  const auto run = [&](unsigned ctas, unsigned threads, std::uint64_t limit) {
    config.instruction_limit = limit;
    return error_of([&] {
      Machine machine(kernel_of("LOOP:\n  add.u32 %r0, %r0, 1;\n  setp.lt.u32 %p1, %r0, 100;\n  @%p1 bra LOOP;\n"),
                      config);
      const std::uint64_t out = machine.allocate(4 * ctas * threads);
      machine.run("k", {ctas, 1, 1}, {threads, 1, 1}, out);
    });
  };
  constexpr std::uint64_t one_warp = 9 + 300 + 2;  // of kernel_of, of the loop, behind it
  EXPECT_EQ(run(1, 32, one_warp), "");
  EXPECT_THAT(
      run(1, 32, one_warp - 1),
      AllOf(HasSubstr("kernel `k` did not end within 310 warp instructions (limits.instructions); an infinite loop? "
                      "thread (0, 0, 0) (warp 0, lane 0) of CTA (0, 0, 0) is at test.ptx:"),
            HasSubstr("`ret;`")));
  // What ends, ends within the limit; what is left of the grid does not begin.
  EXPECT_EQ(run(4, 64, 8 * one_warp), "");
  EXPECT_THAT(run(4, 64, 4 * one_warp),
              HasSubstr("thread (0, 0, 0) (warp 0, lane 0) of CTA (2, 0, 0) is at test.ptx:"));
  EXPECT_THAT(run(4, 64, 4 * one_warp + 20), HasSubstr("of CTA (2, 0, 0) is at test.ptx:"));
  EXPECT_THAT(run(1000000, 32, 100 * one_warp), HasSubstr("of CTA (100, 0, 0) is at test.ptx:"));
  EXPECT_EQ(run(1, 32, ~std::uint64_t{0}), "");
}

TEST(Faults, LaneThatWaitsForALaneOfItsOwnWarp) {
  // Census trap 14: needs independent thread scheduling; a stack spins for ever, which the limit tells.
  isa::EmulatorConfig config;
  config.instruction_limit = 100000;
  EXPECT_THAT(error_of([&] {
                results_of(R"(
  mov.u64 %d1, flag;
  setp.eq.u32 %p1, %t, 0;
  @%p1 bra SET;
WAIT:
  ld.volatile.global.u32 %r1, [%d1];
  setp.eq.u32 %p2, %r1, 0;
  @%p2 bra WAIT;
  bra STORE;
SET:
  st.global.u32 [%d1], 1;
)",
                           32, ".global .u32 flag;\n", config);
              }),
              HasSubstr("did not end within 100000 warp instructions"));
}

TEST(Faults, BranchTableIndexTooLarge) {
  EXPECT_THAT(
      error_of([] { results_of("TABLE: .branchtargets A, B;\n  brx.idx %t, TABLE;\nA:\nB:\n  mov.u32 %r0, 1;\n"); }),
      HasSubstr("lane 2 takes entry 2 of a branch table with 2"));
}

TEST(Faults, CallsOfBadAddressesAndTooDeep) {
  EXPECT_THAT(error_of([] { results_of("  mov.u64 %d1, 4096;\n  P: .callprototype _ ();\n  call %d1, (), P;\n"); }),
              HasSubstr("lane 0 calls address 0x1000, where no function begins"));
  EXPECT_THAT(error_of([] {
                results_of("  mov.u64 %d1, f;\n  P: .callprototype _ ();\n  call %d1, (), P;\n", 32,
                           ".func f(.param .b32 n) { ret; }\n");
              }),
              HasSubstr("calls `f` with 0 arguments for 0 results; it takes 1 and returns 0"));
  const std::string function = ".func (.reg .b32 r) f(.reg .b64 wide, .param .b8 rest[64]) { mov.u32 r, 1; ret; }\n";
  const auto mistake = [&](const std::string& prototype, const std::string& call) {
    return error_of([&] {
      results_of("  .param .b8 rest[64], less[60];\n  mov.u64 %d1, f;\n  P: .callprototype " + prototype +
                     ";\n  call " + call + ", P;\n",
                 32, function);
    });
  };
  EXPECT_THAT(mistake("(.reg .b32 _) _ (.reg .b64 _, .param .b8 _[60])", "(%r0), %d1, (%d1, less)"),
              HasSubstr("lane 0 calls `f`, whose argument 2 has 64 bytes, not 60 as this call says"));
  EXPECT_THAT(mistake("(.reg .b32 _) _ (.reg .b32 _, .param .b8 _[64])", "(%r0), %d1, (%t, rest)"),
              HasSubstr("lane 0 calls `f`, whose argument 1 has 8 bytes, not 4 as this call says"));
  EXPECT_THAT(mistake("(.reg .b64 _) _ (.reg .b64 _, .param .b8 _[64])", "(%d2), %d1, (%d1, rest)"),
              HasSubstr("lane 0 calls `f`, whose result 1 has 4 bytes, not 8 as this call says"));
  EXPECT_EQ(mistake("(.reg .b32 _) _ (.reg .b64 _, .param .b8 _[64])", "(%r0), %d1, (%d1, rest)"), "");
  isa::EmulatorConfig config;
  config.call_limit = 50;
  EXPECT_THAT(error_of([&] {
                results_of("  call forever, ();\n", 32, ".func forever() { call forever, (); ret; }\n", config);
              }),
              HasSubstr("call stack overflow: 51 calls are nested, the limit is 50"));
}

TEST(Faults, LocalMemoryHasALimit) {
  isa::EmulatorConfig config;
  config.local_limit = 4096;
  EXPECT_THAT(error_of([&] {
                results_of("  call forever, ();\n", 32,
                           ".func forever() { .local .align 4 .b8 a[256]; .reg .b32 %r1; mov.u32 %r1, 1; "
                           "st.local.u32 [a], %r1; call forever, (); ret; }\n",
                           config);
              }),
              HasSubstr("bytes of local memory in kernel `k`, the limit is 4096"));
}

TEST(Faults, ParametersReadBeyondTheirEnd) {
  Machine machine(kernel_of("  mov.b64 %d1, k_out;\n  ld.param.u64 %d2, [%d1+8];\n"));
  EXPECT_THAT(error_of([&] {
                machine.run("k", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
              }),
              HasSubstr("lane 0 reads offset 8 of 8 bytes of kernel parameters"));
  Machine second(
      kernel_of("  mov.b64 %d1, k_out;\n  cvta.param.u64 %d1, %d1;\n  st.u32 [%d1], %t;\n", "", "sm_70", "7.7"));
  EXPECT_THAT(error_of([&] {
                second.run("k", {1, 1, 1}, {1, 1, 1}, std::uint64_t{0});
              }),
              HasSubstr("may only load from the 8 bytes of kernel parameters"));
}

TEST(Faults, CallOfAFunctionThatNobodyProvides) {
  const std::string message = error_of([] { results_of("  call vprintg, ();\n", 32, ".extern .func vprintg();\n"); });
  EXPECT_THAT(message, AllOf(HasSubstr("test.ptx:"), HasSubstr("function `vprintg` is called but has no body here"),
                             HasSubstr("did you mean `vprintf`?")));
}

TEST(Faults, UnknownReconvergenceMechanism) {
  EXPECT_THAT(error_of([] { isa::make_reconvergence({"ipdon"}); }),
              HasSubstr("unknown reconvergence mechanism `ipdon`; did you mean `ipdom`?"));
}

TEST(Faults, OverlappingRegionsBreakTheMap) {
  isa::MemoryMap map;
  map.insert({100, 200, true, "first"});
  EXPECT_THAT(error_of([&] {
                map.insert({199, 300, true, "second"});
              }),
              HasSubstr("second at 0xc7 overlaps another region"));
  EXPECT_THAT(error_of([&] {
                map.insert({50, 101, true, "third"});
              }),
              HasSubstr("third at 0x32 overlaps another region"));
  EXPECT_THAT(error_of([&] { map.erase(101); }), HasSubstr("no region begins at 0x65"));
}

}  // namespace
}  // namespace syncline::test
