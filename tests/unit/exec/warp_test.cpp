// The warp as an SM uses it: one instruction at a time, memory answered later, in parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "isa/exec/warp.h"
#include "tests/unit/exec/machine.h"

namespace syncline::test {
namespace {

struct Host final : isa::Environment {
  std::uint64_t clock() override { return 1000; }
  std::uint64_t globaltimer() override { return 2000; }
  std::uint32_t smid() override { return 7; }
};

struct Running {
  explicit Running(const std::string& ptx, unsigned lanes = 32, base::Dim3 block = {32, 1, 1}) : machine(ptx) {
    grid.program = machine.program("k");
    grid.block = block;
    grid.parameters.assign(8, 0);
    warp.launch(grid, {0, 0, 0}, 0, lanes);
  }
  isa::Step until(isa::OpKind kind) {
    for (;;) {
      const bool found = warp.next()->kind == kind;
      const isa::Step step = warp.execute(access, host);
      if (found) return step;
    }
  }
  Machine machine;
  isa::GridContext grid;
  isa::Warp warp;
  isa::MemoryAccess access;
  Host host;
};

TEST(Warp, LoadsFillTheAccessAndWaitForTheirValues) {
  Running r(kernel_of("  mov.u32 %r1, 5;\n  ld.global.v2.s16 {%r2, %r3}, [%at+4];\n  add.u32 %r0, %r2, %r3;\n"));
  const isa::Step step = r.until(isa::OpKind::load);
  EXPECT_EQ(step.kind, isa::StepKind::memory);
  EXPECT_EQ(r.access.kind, isa::AccessKind::load);
  EXPECT_EQ(r.access.space, isa::Space::global);
  EXPECT_EQ(r.access.stride, 4);
  EXPECT_EQ(r.access.elements, 2);
  EXPECT_EQ(r.access.lanes, 0xFFFFFFFFu);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(r.access.address[lane], 4 * lane + 4);
  EXPECT_EQ(step.op->registers.writes, 2);
  // Values come in two halves, the upper lanes first.
  std::vector<std::int16_t> values(64);
  for (unsigned n = 0; n < 64; ++n) values[n] = static_cast<std::int16_t>(n * 1000 - 30000);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  r.warp.write_back(r.access, 0xFFFF0000, bytes);
  r.warp.write_back(r.access, 0x0000FFFF, bytes);
  r.until(isa::OpKind::store);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::int32_t stored = 0;
    std::memcpy(&stored, r.access.data.data() + 4 * lane, 4);
    EXPECT_EQ(stored, values[2 * lane] + values[2 * lane + 1]);
  }
}

TEST(Warp, GenericAccessIsServedSpaceBySpace) {
  Running r(kernel_of(R"(
  .shared .align 4 .b32 tile[64];
  mov.u64 %d1, tile;
  cvta.shared.u64 %d1, %d1;
  setp.lt.u32 %p1, %t, 8;
  selp.b64 %d2, %d1, %at, %p1;
  ld.u32 %d2, [%d2];
  cvt.u32.u64 %r0, %d2;
)"));
  isa::Step step = r.until(isa::OpKind::load);
  EXPECT_TRUE(step.more);
  EXPECT_EQ(r.access.space, isa::Space::shared);
  EXPECT_EQ(r.access.lanes, 0xFFu);
  EXPECT_EQ(r.access.address[3], 0u);
  const isa::MemoryAccess first = r.access;
  EXPECT_EQ(r.warp.next(), step.op);
  step = r.warp.execute(r.access, r.host);
  EXPECT_FALSE(step.more);
  EXPECT_EQ(r.access.space, isa::Space::global);
  EXPECT_EQ(r.access.lanes, 0xFFFFFF00u);
  EXPECT_EQ(r.access.address[9], 36u);
  std::vector<std::uint32_t> values(32, 50);
  r.warp.write_back(r.access, r.access.lanes, reinterpret_cast<const std::uint8_t*>(values.data()));
  std::fill(values.begin(), values.end(), 60);
  r.warp.write_back(first, first.lanes, reinterpret_cast<const std::uint8_t*>(values.data()));
  r.until(isa::OpKind::store);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(r.access.data[4 * lane], lane < 8 ? 60 : 50);
}

TEST(Warp, LoadsReturnIntoTheFrameThatIssuedThem) {
  Running r(module_header() + R"(
.func (.param .b32 r) f(.param .b32 n)
{ .reg .b32 %r<3>; ld.param.b32 %r1, [n]; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }
.entry k(.param .u64 out)
{
  .reg .b32 %r<8>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [out];
  mov.u32 %r1, %tid.x;
  ld.global.u32 %r2, [%d1];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), f, (a); ld.param.b32 %r3, [b]; }
  mad.lo.u32 %r4, %r2, 1000, %r3;
  st.global.u32 [%d1], %r4;
}
)");
  r.until(isa::OpKind::load);
  const isa::MemoryAccess load = r.access;
  r.until(isa::OpKind::call);
  const std::vector<std::uint32_t> values(32, 9);
  r.warp.write_back(load, load.lanes, reinterpret_cast<const std::uint8_t*>(values.data()));
  r.until(isa::OpKind::store);
  for (unsigned lane = 0; lane < 32; ++lane) {
    std::uint32_t stored = 0;
    std::memcpy(&stored, r.access.data.data() + 4 * lane, 4);
    EXPECT_EQ(stored, 9000 + lane + 1);
  }
}

TEST(Warp, EnvironmentAnswersVaryingRegisters) {
  Running r(kernel_of("  mov.u32 %r1, %smid;\n  mov.u32 %r2, %clock;\n  mad.lo.u32 %r0, %r1, 10000, %r2;\n"));
  r.until(isa::OpKind::store);
  std::uint32_t stored = 0;
  std::memcpy(&stored, r.access.data.data(), 4);
  EXPECT_EQ(stored, 71000u);
}

TEST(Warp, StepsTellBranchesFencesAndSleeps) {
  Running r(kernel_of(R"(
  setp.lt.u32 %p1, %t, 4;
  @%p1 bra A;
  nanosleep.u32 %t;
A:
  membar.gl;
  @%p1 prefetch.global.L2 [%at];
)"));
  isa::Step step = r.until(isa::OpKind::branch);
  EXPECT_EQ(step.taken, 0xFu);
  EXPECT_EQ(r.warp.active(), 0xFFFFFFF0u);
  step = r.until(isa::OpKind::nanosleep);
  EXPECT_EQ(step.kind, isa::StepKind::sleep);
  EXPECT_EQ(step.sleep_ns, 31u);
  EXPECT_EQ(r.warp.active(), 0xFFFFFFFFu);
  EXPECT_EQ(r.until(isa::OpKind::fence).kind, isa::StepKind::fence);
  step = r.until(isa::OpKind::prefetch);
  EXPECT_EQ(step.kind, isa::StepKind::memory);
  EXPECT_EQ(r.access.kind, isa::AccessKind::prefetch);
  EXPECT_EQ(r.access.lanes, 0xFu);
  EXPECT_EQ(r.until(isa::OpKind::exit).kind, isa::StepKind::exited);
  EXPECT_TRUE(r.warp.finished());
  EXPECT_EQ(r.warp.next(), nullptr);
}

TEST(Warp, RelaunchStartsAfresh) {
  Running r(kernel_of("  add.u32 %r1, %r1, 1;\n  mov.u32 %r0, %r1;\n"));
  for (unsigned round = 0; round < 2; ++round) {
    r.warp.launch(r.grid, {round, 0, 0}, 0, 32);
    r.until(isa::OpKind::store);
    EXPECT_EQ(r.access.data[0], 1);
    EXPECT_EQ(r.access.address[0], round * 128);
  }
}

TEST(Warp, KernelInfoDescribesWhatASmMustKnow) {
  Machine machine(module_header() + R"(
.shared .align 4 .b8 used[100];
.shared .align 4 .b8 unused[1000];
.func leaf() { .local .align 8 .b8 x[40]; ret; }
.func middle() { .local .align 8 .b8 x[24]; call leaf, (); ret; }
.entry k(.param .u64 first, .param .align 16 .b8 second[20], .param .f32 third) .maxntid 256, 1, 1 .minnctapersm 2
{
  .reg .b64 %d<4>;
  .local .align 8 .b8 x[8];
  mov.u64 %d1, used;
  st.shared.u32 [%d1], 1;
  call middle, ();
  bar.sync 2;
}
)");
  const auto program = machine.program("k");
  const isa::KernelInfo& k = program->kernel();
  EXPECT_EQ(k.name, "k");
  ASSERT_EQ(k.parameters.size(), 3u);
  EXPECT_EQ(k.parameters[1].offset, 16u);
  EXPECT_TRUE(k.parameters[1].is_array);
  EXPECT_EQ(k.parameters[2].offset, 36u);
  EXPECT_EQ(k.parameter_bytes, 40u);
  EXPECT_EQ(k.static_shared_bytes, 100u);
  EXPECT_EQ(k.local_bytes, 16u + 32 + 48);
  EXPECT_EQ(k.max_threads[0], 256u);
  EXPECT_EQ(k.min_ctas_per_sm, 2u);
  EXPECT_EQ(k.barriers, 3u);
  EXPECT_TRUE(k.uses_barriers);
  EXPECT_FALSE(k.recursive);
  EXPECT_FALSE(k.indirect_calls);
  EXPECT_EQ(k.registers, 2u);  // one 64-bit address
}

struct Recorder final : isa::TraceSink {
  void event(const isa::TraceEvent& e) override {
    if (e.op->kind == isa::OpKind::branch && e.op->guarded) branches.push_back({e.taken, e.fall_through});
    if (e.parted) parted.push_back(e.cta.x);
    if (e.continued) ++continued;
    if (e.access != nullptr) {
      addresses.push_back(e.access->address[0]);
      guards.push_back(e.guarded);
      depths.push_back(e.stack_depth);
      ctas.push_back(e.cta.x);
      texts.push_back(e.program->location(*e.op));
    }
  }
  void begins(const isa::GridContext& grid) override { launches.push_back(grid.grid.x); }
  void ended() override { launches.push_back(0); }
  std::vector<std::uint32_t> launches;  ///< the grid's extent where one begins, 0 where it ends
  std::vector<unsigned> parted;         ///< CTAs
  unsigned continued = 0;
  std::vector<std::pair<base::LaneMask, base::LaneMask>> branches;
  std::vector<std::uint64_t> addresses, guards;
  std::vector<unsigned> depths, ctas;
  std::vector<std::string> texts;
};

TEST(Trace, EventsCarryMasksAddressesAndPlace) {
  Machine machine(kernel_of("  setp.lt.u32 %p1, %t, 3;\n  @%p1 bra A;\n  @!%p1 st.global.u32 [%at], %t;\nA:\n"));
  Recorder recorder;
  machine.emulator().subscribe(&recorder);
  const std::uint64_t out = machine.allocate(4 * 64);
  machine.run("k", {2, 1, 1}, {32, 1, 1}, out);
  ASSERT_EQ(recorder.branches.size(), 2u);
  EXPECT_EQ(recorder.branches[0], (std::pair<base::LaneMask, base::LaneMask>{0x7, 0xFFFFFFF8}));
  EXPECT_EQ(recorder.branches[1], (std::pair<base::LaneMask, base::LaneMask>{0, 0xFFFFFFFF}));
  EXPECT_EQ(recorder.guards, (std::vector<std::uint64_t>{0xFFFFFFF8, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}));
  EXPECT_EQ(recorder.depths, (std::vector<unsigned>{1, 0, 0, 0}));
  EXPECT_EQ(recorder.ctas, (std::vector<unsigned>{0, 0, 1, 1}));
  EXPECT_EQ(recorder.addresses, (std::vector<std::uint64_t>{out, out, out + 128, out + 128}));
  EXPECT_THAT(recorder.texts[0], testing::StartsWith("test.ptx:"));
  EXPECT_EQ(recorder.parted, (std::vector<unsigned>{0}));
  EXPECT_EQ(recorder.continued, 0u);
  EXPECT_EQ(recorder.launches, (std::vector<std::uint32_t>{2, 0}));
}

TEST(Trace, ALaunchThatFaultsHasNoEnd) {
  Machine machine(kernel_of("  st.global.u32 [%at+4096], %t;\n"));
  Recorder recorder;
  machine.emulator().subscribe(&recorder);
  EXPECT_THROW(machine.run("k", {1, 1, 1}, {32, 1, 1}, machine.allocate(128)), base::ProgramFault);
  EXPECT_EQ(recorder.launches, (std::vector<std::uint32_t>{1}));
}

TEST(Trace, LanesPartAtCallsOfDifferentFunctions) {
  // The thread's number decides: 0 calls one function, the others another; then all of them the first.
  Machine machine(
      ".version 7.0\n.target sm_70\n.address_size 64\n"
      ".func a() { ret; }\n.func b() { ret; }\n"
      ".visible .entry k(.param .u64 unused)\n{\n  .reg .pred %p; .reg .b32 %t; .reg .b64 %x, %y;\n"
      "  F: .callprototype _ ();\n  mov.u32 %t, %tid.x; setp.eq.u32 %p, %t, 0;\n"
      "  mov.u64 %x, a; mov.u64 %y, b; selp.b64 %y, %x, %y, %p;\n  call %y, F;\n  call %x, F;\n  ret;\n}\n");
  Recorder recorder;
  machine.emulator().subscribe(&recorder);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, std::uint64_t{0});
  EXPECT_EQ(recorder.parted.size(), 1u);
}

TEST(Trace, AnAccessOfTwoSpacesGoesOn) {
  Machine machine(
      kernel_of("  .shared .b32 s;\n  mov.u64 %d1, s; cvta.shared.u64 %d1, %d1; setp.lt.u32 %p1, %t, 3;\n"
                "  selp.b64 %d1, %d1, %at, %p1; ld.u32 %r1, [%d1];\n"));
  Recorder recorder;
  machine.emulator().subscribe(&recorder);
  machine.run("k", {1, 1, 1}, {32, 1, 1}, machine.allocate(4 * 64));
  EXPECT_EQ(recorder.continued, 1u);
  EXPECT_EQ(recorder.guards.front() | recorder.guards.at(1), 0xFFFFFFFFu);
  EXPECT_EQ(recorder.guards.front() & recorder.guards.at(1), 0u);
}

}  // namespace
}  // namespace syncline::test
