// The functional device through the host API, and the parts that all devices share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <sstream>

#include "base/error.h"
#include "isa/exec/memory_access.h"
#include "platform/functional/functional_device.h"
#include "platform/host/memory_signature.h"

namespace syncline::platform {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const char* const module_text = R"(
.version 7.0
.target sm_70
.address_size 64
.global .align 4 .u32 counter = 5;
.const .align 4 .f32 factor[2] = {0f40000000, 0f40400000};
.global .align 8 .u64 link = counter;
.visible .entry scale(.param .u64 data, .param .u32 count, .param .f32 by)
{
  .reg .b32 %r<4>; .reg .b64 %d<3>; .reg .f32 %f<4>; .reg .pred %p;
  ld.param.u64 %d1, [data]; ld.param.u32 %r2, [count]; ld.param.f32 %f1, [by];
  mov.u32 %r1, %tid.x;
  setp.ge.u32 %p, %r1, %r2;
  @%p exit;
  mad.wide.u32 %d1, %r1, 4, %d1;
  ld.global.f32 %f2, [%d1];
  ld.const.f32 %f3, [factor+4];
  mul.f32 %f2, %f2, %f1;
  mul.f32 %f2, %f2, %f3;
  st.global.f32 [%d1], %f2;
}
.visible .entry bounded() .reqntid 32, 2, 1 { ret; }
.visible .entry small() .maxntid 64, 1, 1 { ret; }
.visible .entry wild() {
  .reg .b64 %d1; .reg .b32 %r1; mov.u64 %d1, 16; ld.global.u32 %r1, [%d1]; st.global.u32 [%d1], %r1; }
.visible .entry big() { .shared .align 4 .b8 s[40000]; .reg .b64 %d1; mov.u64 %d1, s; st.shared.u32 [%d1], 1; }
)";

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const base::Error& e) {
    return e.what();
  }
  return {};
}

class FunctionalDeviceTest : public testing::Test {
 protected:
  FunctionalDeviceTest() : module(device.module_load_text(module_text, "m.ptx")) {}
  KernelHandle kernel(const char* name) { return device.module_get_function(module, name); }
  void launch(const char* name, const LaunchConfig& config, const std::vector<Argument>& args = {}) {
    device.launch_kernel(kernel(name), config, args);
  }
  FunctionalDevice device;
  ModuleHandle module;
};

TEST_F(FunctionalDeviceTest, RunsAKernelOnUploadedData) {
  const DevicePointer data = device.upload(std::vector<float>{1, 2, 3, 4});
  launch("scale", {{1, 1, 1}, {32, 1, 1}}, arguments(data, 3u, 2.0F));
  device.synchronize();
  EXPECT_EQ(device.download<float>(data, 4), (std::vector<float>{6, 12, 18, 4}));
  EXPECT_EQ(device.totals().launches, 1u);
  EXPECT_GT(device.totals().warp_instructions, 10u);
  EXPECT_GT(device.totals().thread_instructions, device.totals().warp_instructions);
  EXPECT_EQ(device.totals().cycles, 0u);
}

TEST_F(FunctionalDeviceTest, SymbolsHaveTheirInitialValuesAndRelocations) {
  const GlobalSymbol counter = device.module_get_global(module, "counter"),
                     link = device.module_get_global(module, "link");
  EXPECT_EQ(counter.bytes, 4u);
  EXPECT_EQ(device.download<std::uint32_t>(counter.address, 1)[0], 5u);
  EXPECT_EQ(device.download<std::uint64_t>(link.address, 1)[0], address(counter.address));
  EXPECT_LT(address(counter.address), std::uint64_t{1} << 32);
  EXPECT_EQ(device.download<float>(device.module_get_global(module, "factor").address, 2), (std::vector<float>{2, 3}));
}

TEST_F(FunctionalDeviceTest, UnknownNamesSuggestTheNearest) {
  EXPECT_THAT(error_of([&] { kernel("scal"); }), HasSubstr("m.ptx has no kernel `scal`; did you mean `scale`?"));
  EXPECT_THAT(error_of([&] { device.module_get_global(module, "countr"); }),
              HasSubstr("has no .global or .const variable `countr`; did you mean `counter`?"));
  EXPECT_THAT(error_of([&] { device.module_get_function(ModuleHandle{9}, "scale"); }), HasSubstr("module handle 9"));
  EXPECT_THAT(error_of([&] { device.launch_kernel(KernelHandle{9}, {}, {}); }), HasSubstr("kernel handle 9"));
  EXPECT_THAT(error_of([&] { device.stream_synchronize(StreamHandle{9}); }), HasSubstr("stream handle 9"));
}

TEST_F(FunctionalDeviceTest, ArgumentsAreCheckedAgainstTheParameters) {
  const DevicePointer data = device.mem_alloc(64);
  const LaunchConfig one{{1, 1, 1}, {32, 1, 1}};
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data)); }),
              HasSubstr("launch of kernel `scale`: 1 arguments are given, it has 3 parameters"));
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data, 3u, 2)); }),
              HasSubstr("parameter 2 `by` is .f32; the argument is an integer of 4 bytes"));
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data, 3u, 2.0)); }),
              HasSubstr("parameter 2 `by` is .f32; the argument is a floating-point value of 8 bytes"));
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data, data, 2.0F)); }),
              HasSubstr("parameter 1 `count` is .u32; the argument is a pointer of 8 bytes"));
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data, std::uint64_t{3}, 2.0F)); }),
              HasSubstr("parameter 1 `count` is .u32; the argument is an integer of 8 bytes"));
  EXPECT_THAT(error_of([&] { launch("scale", one, arguments(data, 3.0F, 2.0F)); }),
              HasSubstr("parameter 1 `count` is .u32; the argument is a floating-point value of 4 bytes"));
}

TEST(FunctionalDevice, ModulesWithShortPointersTakeTheLowHalf) {
  FunctionalDevice::Config config;
  config.memory_bytes = std::uint64_t{8} << 30;
  FunctionalDevice device(config);
  const ModuleHandle module = device.module_load_text(R"(.version 1.4
.target sm_10
.entry k(.param .u32 to) { .reg .u32 %r1; ld.param.u32 %r1, [to]; st.global.u32 [%r1], 9; exit; }
)",
                                                      "old.ptx");
  const KernelHandle kernel = device.module_get_function(module, "k");
  const DevicePointer low = device.mem_alloc(std::uint64_t{3} << 30), high = device.mem_alloc(std::uint64_t{3} << 30);
  device.launch_kernel(kernel, {{1, 1, 1}, {1, 1, 1}}, arguments(low));
  EXPECT_EQ(device.download<std::uint32_t>(low, 1)[0], 9u);
  EXPECT_THAT(error_of([&] {
                device.launch_kernel(kernel, {{1, 1, 1}, {1, 1, 1}}, arguments(high));
              }),
              HasSubstr("parameter 0 `to` is .u32; the argument is a pointer above 4 GiB"));
}

TEST_F(FunctionalDeviceTest, LaunchShapesAreChecked) {
  EXPECT_THAT(error_of([&] { launch("small", {{0, 1, 1}, {32, 1, 1}}); }), HasSubstr("the grid (0, 1, 1) is empty"));
  EXPECT_THAT(error_of([&] { launch("small", {{1, 1, 1}, {32, 0, 1}}); }), HasSubstr("the block (32, 0, 1) is empty"));
  EXPECT_THAT(error_of([&] { launch("small", {{1, 70000, 1}, {32, 1, 1}}); }), HasSubstr("is larger than"));
  EXPECT_THAT(error_of([&] {
                launch("scale", {{1, 1, 1}, {1025, 1, 1}});
              }),
              HasSubstr("has 1025 threads; a CTA may have 1024"));
  EXPECT_THAT(error_of([&] {
                launch("bounded", {{1, 1, 1}, {64, 1, 1}});
              }),
              HasSubstr("is not the (32, 2, 1) that .reqntid demands"));
  EXPECT_THAT(error_of([&] {
                launch("small", {{1, 1, 1}, {65, 1, 1}});
              }),
              HasSubstr("has 65 threads; .maxntid allows 64"));
  EXPECT_THAT(error_of([&] {
                launch("big", {{1, 1, 1}, {1, 1, 1}, 10000});
              }),
              AllOf(HasSubstr("a CTA needs 50000 bytes of shared memory (40000 static, 10000 dynamic)"),
                    HasSubstr("an SM has 49152")));
  launch("bounded", {{1, 1, 1}, {32, 2, 1}});
  device.synchronize();
}

TEST_F(FunctionalDeviceTest, FaultsSurfaceAtTheNextSynchronisation) {
  launch("wild", {{1, 1, 1}, {1, 1, 1}});
  EXPECT_THROW(device.synchronize(), base::ProgramFault);
  const DevicePointer data = device.mem_alloc(4);
  std::uint32_t value = 0;
  EXPECT_THROW(device.memcpy_dtoh(&value, data, 4, StreamHandle::default_stream), base::ProgramFault);
  EXPECT_THROW(device.stream_synchronize(StreamHandle::default_stream), base::ProgramFault);
}

TEST_F(FunctionalDeviceTest, CopiesStayInsideTheirAllocation) {
  const DevicePointer a = device.mem_alloc(100), b = device.mem_alloc(50);
  std::vector<std::uint8_t> bytes(200, 7);
  EXPECT_THAT(error_of([&] { device.memcpy_htod(a, bytes.data(), 101, {}); }),
              HasSubstr("memcpy_htod of 101 bytes at 0x"));
  EXPECT_THAT(error_of([&] { device.memcpy_htod(a, bytes.data(), 101, {}); }),
              HasSubstr("runs 1 bytes past the end of allocation 0"));
  EXPECT_THAT(error_of([&] { device.memset_d8(DevicePointer{64}, 1, 4, {}); }),
              HasSubstr("memset_d8 of 4 bytes at 0x40: nothing is allocated there"));
  EXPECT_THAT(error_of([&] { device.memcpy_dtod(b, a, 60, {}); }), HasSubstr("memcpy_dtod of 60 bytes"));
  device.memset_d8(a, 3, 100, {});
  device.memcpy_dtod(b, a, 50, {});
  EXPECT_THAT(device.download<std::uint8_t>(b, 50), testing::Each(3));
  device.memcpy_htod(a, nullptr, 0, {});
}

TEST_F(FunctionalDeviceTest, AllocationErrors) {
  const DevicePointer a = device.mem_alloc(100);
  EXPECT_EQ(address(a) % 256, 0u);
  device.mem_free(a);
  EXPECT_THAT(error_of([&] { device.mem_free(a); }), HasSubstr("it was freed already"));
  EXPECT_THAT(error_of([&] { device.mem_free(DevicePointer{12345}); }),
              HasSubstr("mem_free of 0x3039: no allocation begins there"));
  EXPECT_THAT(error_of([&] { device.mem_free(device.module_get_global(module, "counter").address); }),
              HasSubstr("no allocation begins there"));
  EXPECT_THAT(error_of([&] { device.mem_alloc(0); }), HasSubstr("mem_alloc of 0 bytes"));
  EXPECT_THAT(error_of([&] { device.mem_alloc(std::uint64_t{1} << 40); }), HasSubstr("out of device memory"));
  const DevicePointer again = device.mem_alloc(100);
  EXPECT_EQ(address(again), address(a));  // first fit
  EXPECT_THAT(device.download<std::uint8_t>(again, 100), testing::Each(0));
}

TEST(DeviceAllocator, UsesLowAddressesFirstAndKeepsGaps) {
  DeviceAllocator allocator(std::uint64_t{16} << 30);
  const std::uint64_t gib = std::uint64_t{1} << 30;
  const DevicePointer a = allocator.allocate(gib), b = allocator.allocate(2 * gib), c = allocator.allocate(gib);
  EXPECT_GE(address(b), address(a) + gib + DeviceAllocator::guard_gap);
  EXPECT_LT(address(b) + 2 * gib, std::uint64_t{1} << 32);
  EXPECT_GE(address(c), std::uint64_t{1} << 32);
  allocator.free(a);
  EXPECT_EQ(address(allocator.allocate(4096)), address(a));
}

TEST(DeviceAllocator, GivesOutAllOfItsCapacityBelowItsEnd) {
  const std::uint64_t gib = std::uint64_t{1} << 30;
  EXPECT_EQ(DeviceAllocator::end_of_addresses(gib), 8 * gib);
  EXPECT_EQ(DeviceAllocator::end_of_addresses(4 * gib), 8 * gib);
  for (const std::uint64_t capacity : {gib, 4 * gib, 4 * gib + 1, 9 * gib, 64 * gib, 1024 * gib}) {
    const std::uint64_t end = DeviceAllocator::end_of_addresses(capacity);
    DeviceAllocator whole(capacity);
    EXPECT_LE(address(whole.allocate(capacity)) + capacity, end);
    EXPECT_THAT(error_of([&] { whole.allocate(1); }), HasSubstr("out of device memory"));
    for (const unsigned parts : {2, 3, 7, 1000}) {
      DeviceAllocator divided(capacity);
      for (unsigned i = 0; i < parts; ++i)
        EXPECT_LE(address(divided.allocate(capacity / parts)) + capacity / parts, end);
    }
  }
}

TEST(DeviceAllocator, HasRoomForAllOfItsCapacityInSmallBlocks) {
  const std::uint64_t gib = std::uint64_t{1} << 30;
  for (const std::uint64_t capacity : {4 * gib + 1, 9 * gib, 1024 * gib}) {
    const std::uint64_t room = DeviceAllocator::end_of_addresses(capacity) - isa::AddressWindows::high_global_base;
    for (const std::uint64_t bytes : {DeviceAllocator::smallest_packed, DeviceAllocator::smallest_packed + 1}) {
      DeviceAllocator allocator(capacity);
      const DevicePointer first = allocator.allocate(bytes), second = allocator.allocate(bytes);
      EXPECT_LE(capacity / bytes * (address(second) - address(first)), room) << capacity << " in blocks of " << bytes;
    }
  }
}

// In each round every second block goes, and those of the next are a little too large for the gaps.
TEST(DeviceAllocator, TellsScatteredMemoryFromLittleMemory) {
  const std::uint64_t mib = std::uint64_t{1} << 20, capacity = 4096 * mib;
  DeviceAllocator allocator(capacity);
  for (std::uint64_t bytes = 64 * mib; bytes < 68 * mib; bytes += mib) {
    std::vector<DevicePointer> blocks;
    while (allocator.in_use() + bytes <= capacity) blocks.push_back(allocator.allocate(bytes));
    for (std::size_t i = 0; i < blocks.size(); i += 2) allocator.free(blocks[i]);
  }
  EXPECT_EQ(error_of([&] { allocator.allocate(capacity - allocator.in_use()); }),
            "mem_alloc of 290455552 bytes: out of device memory, 4004511744 of 4294967296 bytes (`host.memory`) are in "
            "use, and the others are not in one piece");
}

TEST(DeviceAllocator, KnowsWhatMayHaveBeenWritten) {
  DeviceAllocator allocator;
  const DevicePointer first = allocator.allocate(1000);
  EXPECT_EQ(allocator.reused(), 0U);
  allocator.allocate(512);
  EXPECT_EQ(allocator.reused(), 0U);
  allocator.free(first);
  // In the place of the first block, and behind the second.
  EXPECT_EQ(allocator.allocate(700), first);
  EXPECT_EQ(allocator.reused(), 700U);
  const DevicePointer last = allocator.allocate(64);
  EXPECT_EQ(allocator.reused(), 0U);
  allocator.free(last);
  allocator.allocate(4096);
  EXPECT_EQ(allocator.reused(), 64U) << "the rest was never given out";
  // Addresses above 4 GiB count apart.
  EXPECT_EQ(address(allocator.allocate(0xE0000000)), std::uint64_t{1} << 32);
  EXPECT_EQ(allocator.reused(), 0U);
}

TEST_F(FunctionalDeviceTest, BlocksBeginAsZeros) {
  Device& api = device;
  const DevicePointer used = api.mem_alloc(256);
  api.memset_d8(used, 0xff, 256);
  api.mem_free(used);
  const DevicePointer again = api.mem_alloc(512);
  EXPECT_EQ(again, used);
  std::array<std::uint8_t, 512> bytes{};
  bytes.fill(1);
  api.memcpy_dtoh(bytes.data(), again, bytes.size());
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; }));
}

TEST(MemorySignature, DependsOnContentsAndSizesNotOnPieces) {
  std::vector<std::uint8_t> bytes(100);
  for (std::size_t n = 0; n < bytes.size(); ++n) bytes[n] = static_cast<std::uint8_t>(n * n);
  const auto in_pieces = [&](std::size_t piece) {
    MemorySignature s;
    s.begin(bytes.size());
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      s.add(bytes.data() + at, std::min(piece, bytes.size() - at));
    return s.value();
  };
  EXPECT_EQ(in_pieces(100), in_pieces(7));
  EXPECT_EQ(in_pieces(100), in_pieces(8));
  const std::uint64_t before = in_pieces(100);
  bytes[99] ^= 1;
  EXPECT_NE(in_pieces(100), before);
}

TEST(FunctionalDevice, SignatureIsTheSameTwice) {
  const auto run = [] {
    FunctionalDevice device;
    const ModuleHandle module = device.module_load_text(module_text, "m.ptx");
    const DevicePointer data = device.upload(std::vector<float>(32, 1.5F));
    device.launch_kernel(device.module_get_function(module, "scale"), {{1, 1, 1}, {32, 1, 1}},
                         arguments(data, 32u, 2.0F));
    device.synchronize();
    return device.memory_signature();
  };
  EXPECT_EQ(run(), run());
}

TEST(FunctionalDevice, KernelsPrintToTheChosenStream) {
  std::ostringstream out;
  FunctionalDevice::Config config;
  config.output = &out;
  FunctionalDevice device(config);
  const ModuleHandle module = device.module_load_text(R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
.global .align 1 .b8 text[4] = {104, 105, 10, 0};
.visible .entry k()
{
  .reg .b64 %d1, %d2; .reg .b32 %r1;
  { .param .b64 n; .param .b64 p; st.param.b64 [n], 64; call (p), malloc, (n); ld.param.b64 %d2, [p]; }
  st.u32 [%d2], 5;
  { .param .b64 p; st.param.b64 [p], %d2; call free, (p); }
  mov.u64 %d1, text;
  cvta.global.u64 %d1, %d1;
  { .param .b64 f; .param .b64 a; .param .b32 r; st.param.b64 [f], %d1; st.param.b64 [a], 0;
    call (r), vprintf, (f, a); }
}
)",
                                                      "print.ptx");
  device.launch_kernel(device.module_get_function(module, "k"), {{1, 1, 1}, {1, 1, 1}}, {});
  device.synchronize();
  EXPECT_EQ(out.str(), "hi\n");
}

TEST(ModuleImage, RefusesWhatCannotBePlaced) {
  FunctionalDevice device;
  const std::string head = ".version 7.0\n.target sm_70\n.address_size 64\n";
  EXPECT_THAT(error_of([&] { device.module_load_text(head + ".extern .global .u32 elsewhere;\n", "m.ptx"); }),
              AllOf(HasSubstr("m.ptx:4:"), HasSubstr("variable `elsewhere` is .extern and no module here defines it")));
  EXPECT_THAT(error_of([&] {
                device.module_load_text(head + ".shared .align 4 .b8 s[4];\n.global .u64 p = generic(s);\n", "m.ptx");
              }),
              HasSubstr("`s`"));
  EXPECT_THAT(error_of([&] { device.module_load("/nonexistent/file.ptx"); }), HasSubstr("/nonexistent/file.ptx"));
  EXPECT_THAT(error_of([&] { device.module_load_text(head + ".global .b8 much[0x200000000];\n", "m.ptx"); }),
              AllOf(HasSubstr("m.ptx:4:"), HasSubstr("no room for variable `much` of 8589934592 bytes")));
}

}  // namespace
}  // namespace syncline::platform
