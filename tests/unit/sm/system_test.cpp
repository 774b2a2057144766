// Instructions that reach beyond registers and memory: system calls, clocks, sleep, ordered accesses, generic
// addresses.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/sm/sm_machine.h"

namespace syncline::tests {
namespace {

class SystemTest : public SmMachine {
 protected:
  static std::string module(const std::string& globals, const std::string& body) {
    return ".version 7.0\n.target sm_70\n.address_size 64\n" + globals +
           "\n.visible .entry k(.param .u64 p) {\n"
           ".reg .pred %p<4>; .reg .b32 %r<10>; .reg .b64 %rd<10>; .shared .align 4 .b8 box[128]; .local .align 8 .b8 "
           "mine[16];\n"
           "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n" +
           body + "\nret;\n}\n";
  }
};

constexpr const char* print_globals =
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 text[10] = {116, 32, 61, 32, 37, 100, 10, 0, 0, 0};\n";
constexpr const char* print_body = R"(
  st.local.u32 [mine], %r1;
  mov.u64 %rd7, mine; cvta.local.u64 %rd4, %rd7;
  mov.u64 %rd5, text; cvta.global.u64 %rd6, %rd5;
  { .param .b64 f; .param .b64 a; .param .b32 r;
    st.param.b64 [f], %rd6; st.param.b64 [a], %rd4;
    call.uni (r), vprintf, (f, a);
    ld.param.b32 %r2, [r]; }
  st.global.u32 [%rd3], %r2;)";

TEST_F(SystemTest, PrintsWhatTheEmulatorPrints) {
  sm_count = 1;
  build();
  const auto out = allocate(12);
  compare(module(print_globals, print_body), {"k", {1}, {3}, {out}});
  EXPECT_EQ(host.printed, "t = 0\nt = 1\nt = 2\n");
  EXPECT_EQ(host.printed, emulated_host.printed);
}

TEST_F(SystemTest, ACallFindsWhatItsWarpHasStored) {
  sm_count = 1;
  build();
  const auto out = allocate(4096);
  std::string queued = "shl.b64 %rd8, %rd2, 5; add.s64 %rd9, %rd1, %rd8;";
  for (int i = 0; i < 16; ++i) queued += "st.global.u32 [%rd9+64], 1;";  // a line for each lane: what comes next waits
  compare(module(print_globals, queued + print_body), {"k", {1}, {32}, {out}});
  EXPECT_EQ(host.printed, emulated_host.printed);
}

TEST_F(SystemTest, SleepTakesTheTimeThatTheClocksShow) {
  sm_count = 1;
  build();
  const auto out = allocate(8);
  execute(
      module("",
             "mov.u64 %rd4, %clock64; mov.u64 %rd5, %globaltimer; nanosleep.u32 2000; mov.u64 %rd6, %clock64;"
             "mov.u64 %rd7, %globaltimer; sub.u64 %rd6, %rd6, %rd4; sub.u64 %rd7, %rd7, %rd5;"
             "cvt.u32.u64 %r2, %rd6; cvt.u32.u64 %r3, %rd7; st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+4], %r3;"),
      {"k", {1}, {1}, {out}});
  EXPECT_NEAR(at<std::uint32_t>(out)[0], 2000, 60) << "cycles of a clock of 1 GHz";
  EXPECT_NEAR(at<std::uint32_t>(out)[1], 2000, 60) << "nanoseconds";
  EXPECT_GT(statistic("sm0.stall_sleep"), 1900);
}

TEST_F(SystemTest, GenericAddressesReachAllSpacesOfOneWarp) {
  build();
  const auto out = allocate(256);
  // Even lanes store to and load from shared memory, odd ones global memory, by one instruction.
  compare(module("",
                 "mov.u64 %rd4, box; cvta.shared.u64 %rd5, %rd4; add.s64 %rd5, %rd5, %rd2;"
                 "cvta.global.u64 %rd6, %rd1; add.s64 %rd6, %rd6, %rd2;"
                 "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0; selp.b64 %rd7, %rd5, %rd6, %p1;"
                 "mul.lo.u32 %r3, %r1, 5; st.u32 [%rd7], %r3; ld.u32 %r4, [%rd7]; add.u32 %r4, %r4, 1;"
                 "st.global.u32 [%rd3+128], %r4;"),
          {"k", {1}, {32}, {out}});
  for (unsigned lane = 0; lane < 32; ++lane) ASSERT_EQ(at<std::uint32_t>(out)[32 + lane], lane * 5 + 1);
}

TEST_F(SystemTest, ReleaseAndAcquireOrderAMessageBetweenSms) {
  build();
  const auto data = allocate(4), flag = allocate(4), out = allocate(4);
  // CTA 0 writes data and releases the flag; CTA 1 acquires the flag and reads data.
  const std::string text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 data, .param .u64 flag, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<6>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [flag]; ld.param.u64 %rd3, [out];
  mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 0;
  @%p1 bra reader;
  st.global.u32 [%rd1], 42;
  st.release.gpu.global.u32 [%rd2], 1;
  ret;
reader:
  ld.acquire.gpu.global.u32 %r2, [%rd2]; setp.eq.u32 %p2, %r2, 0;
  @%p2 bra reader;
  ld.global.u32 %r3, [%rd1];
  st.global.u32 [%rd3], %r3;
  ret;
})";
  execute(text, {"k", {2}, {1}, {data, flag, out}});
  EXPECT_EQ(*at<std::uint32_t>(out), 42U);
  EXPECT_GT(statistic("sm0.stall_fence"), 0) << "the release waits for the store";
}

TEST_F(SystemTest, ScalarLoopsCostWhatTheSpecSays) {
  sm_count = 1;
  build();
  const auto out = allocate(8);
  // 64 dependent additions between two readings of the clock.
  std::string chain;
  for (int i = 0; i < 64; ++i) chain += "add.u32 %r2, %r2, %r1;";
  execute(module("", "mov.u64 %rd4, %clock64;" + chain +
                         "add.u32 %r3, %r2, 0; mov.u64 %rd5, %clock64; sub.u64 %rd6, %rd5, %rd4;"
                         "cvt.u32.u64 %r4, %rd6; st.global.u32 [%rd1], %r4; st.global.u32 [%rd1+4], %r3;"),
          {"k", {1}, {1}, {out}});
  EXPECT_NEAR(at<std::uint32_t>(out)[0], 64 * spec.units.integer.latency, spec.units.integer.latency);
}

}  // namespace
}  // namespace syncline::tests
