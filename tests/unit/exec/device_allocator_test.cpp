// First fit, whatever the allocator remembers of earlier searches; and the device heap of programs that call malloc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "base/error.h"
#include "isa/exec/memory_access.h"
#include "platform/functional/functional_device.h"

namespace syncline::platform {
namespace {

using Windows = isa::AddressWindows;

/// The definition: the lowest address at which a block and the gap behind it fit.
class FirstFit {
 public:
  explicit FirstFit(std::uint64_t capacity) : end_(DeviceAllocator::end_of_addresses(capacity)) {}
  std::uint64_t place(std::uint64_t bytes, std::uint64_t align) {
    align = std::max(align, DeviceAllocator::granularity);
    for (const auto& [low, high] :
         {std::pair{Windows::global_base, Windows::low_global_end}, std::pair{Windows::high_global_base, end_}}) {
      std::uint64_t from = low;
      for (const auto& [begin, end] : blocks_) {
        if (begin < low || begin >= high) continue;
        const std::uint64_t at = (from + align - 1) / align * align;
        if (at + bytes + DeviceAllocator::guard_gap <= begin) return insert(at, bytes);
        from = end + DeviceAllocator::guard_gap;
      }
      const std::uint64_t at = (from + align - 1) / align * align;
      if (at + bytes <= high) return insert(at, bytes);
    }
    return 0;
  }
  void remove(std::uint64_t begin) { blocks_.erase(begin); }

 private:
  std::uint64_t insert(std::uint64_t at, std::uint64_t bytes) {
    blocks_[at] = at + bytes;
    return at;
  }
  std::uint64_t end_;
  std::map<std::uint64_t, std::uint64_t> blocks_;
};

TEST(DeviceAllocator, IsFirstFitAfterAnyHistory) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const std::uint64_t capacity = std::uint64_t{1} << 35;
    DeviceAllocator allocator(capacity);
    FirstFit reference(capacity);
    std::vector<std::uint64_t> blocks;
    const std::uint64_t largest = seed % 2 == 0 ? 5000 : std::uint64_t{1} << 31;  // some do not fit below 4 GiB
    for (unsigned step = 0; step < 1500; ++step) {
      if (!blocks.empty() && random() % 5 < 2) {
        const std::size_t n = random() % blocks.size();
        EXPECT_TRUE(allocator.remove(blocks[n]));
        reference.remove(blocks[n]);
        blocks[n] = blocks.back();
        blocks.pop_back();
        continue;
      }
      const std::uint64_t bytes = 1 + random() % (random() % 3 == 0 ? largest : 600);
      const std::uint64_t align = random() % 6 == 0 ? 4096 : 16;
      if (allocator.in_use() + bytes > capacity) continue;
      const std::uint64_t got = allocator.place(bytes, align, "block", true);
      ASSERT_EQ(got, reference.place(bytes, align)) << "seed " << seed << " step " << step << " bytes " << bytes;
      if (got != 0) blocks.push_back(got);
    }
  }
}

TEST(DeviceAllocator, ManyBlocksComeAndGo) {
  DeviceAllocator allocator;
  std::vector<std::uint64_t> blocks;
  for (unsigned n = 0; n < 200000; ++n) blocks.push_back(allocator.place(1 + n % 200, 16, "block", true));
  EXPECT_EQ(blocks.back(), blocks.front() + 199999 * 512ull);
  for (const std::uint64_t block : blocks) EXPECT_TRUE(allocator.remove(block));
  EXPECT_EQ(allocator.in_use(), 0u);
  EXPECT_EQ(allocator.place(300, 16, "block", true), blocks.front());
}

const char* const malloc_text = R"(
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc(.param .b64 n);
.extern .func free(.param .b64 p);
// How often malloc(bytes) gives something; what was given is a list. Then the list is freed, and counted again.
.visible .entry exhaust(.param .u64 out, .param .u64 bytes)
{
  .reg .b64 %d<5>;
  .reg .b32 %r<3>;
  .reg .pred %p<3>;
  ld.param.u64 %d1, [out];
  ld.param.u64 %d2, [bytes];
  mov.u32 %r1, 0;
  mov.u32 %r2, 0;
  mov.u64 %d3, 0;
TAKE:
  { .param .b64 n; .param .b64 p; st.param.b64 [n], %d2; call (p), malloc, (n); ld.param.b64 %d4, [p]; }
  setp.eq.u64 %p1, %d4, 0;
  @%p1 bra GIVE;
  st.u64 [%d4], %d3;
  mov.u64 %d3, %d4;
  add.u32 %r1, %r1, 1;
  bra TAKE;
GIVE:
  setp.eq.u64 %p2, %d3, 0;
  @%p2 bra DONE;
  ld.u64 %d4, [%d3];
  { .param .b64 p; st.param.b64 [p], %d3; call free, (p); }
  mov.u64 %d3, %d4;
  add.u32 %r2, %r2, 1;
  bra GIVE;
DONE:
  st.global.u32 [%d1], %r1;
  st.global.u32 [%d1+4], %r2;
  ret;
}
.visible .entry forever(.param .u64 out, .param .u64 bytes)
{
  .reg .b64 %d<3>;
  ld.param.u64 %d1, [bytes];
AGAIN:
  { .param .b64 n; .param .b64 p; st.param.b64 [n], %d1; call (p), malloc, (n); ld.param.b64 %d2, [p]; }
  bra AGAIN;
}
)";

struct DeviceHeap : testing::Test {
  static FunctionalDevice::Config config() {
    FunctionalDevice::Config c;
    c.heap_bytes = 1 << 20;
    c.emulator.instruction_limit = 5'000'000;
    return c;
  }
  FunctionalDevice functional{config()};
  Device& device = functional;
  ModuleHandle module = device.module_load_text(malloc_text, "heap.ptx");
  DevicePointer out = device.mem_alloc(8);
  void launch(const char* kernel, std::uint64_t bytes) {
    device.launch_kernel(device.module_get_function(module, kernel), {{1, 1, 1}, {1, 1, 1}}, arguments(out, bytes));
  }
  std::vector<std::uint32_t> counts() {
    std::vector<std::uint32_t> words(2);
    device.memcpy_dtoh(words.data(), out, 8);
    return words;
  }
};

TEST_F(DeviceHeap, GivesNothingWhenItIsFull) {
  // A block takes whole units of 16 bytes and one more.
  for (const auto& [bytes, blocks] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{{8, 32768},
                                                                                          {16, 32768},
                                                                                          {17, 21845},
                                                                                          {1000, 1024},
                                                                                          {(1 << 20) - 16, 1},
                                                                                          {(1 << 20) - 15, 0},
                                                                                          {1 << 20, 0},
                                                                                          {~0ull, 0}}) {
    launch("exhaust", bytes);
    EXPECT_EQ(counts(), (std::vector<std::uint32_t>{blocks, blocks})) << bytes;
  }
}

TEST_F(DeviceHeap, AProgramThatTakesForEverEndsAtTheInstructionLimit) {
  launch("forever", 1);
  try {
    device.synchronize();
    ADD_FAILURE() << "it ended";
  } catch (const base::ProgramFault& fault) {
    EXPECT_THAT(fault.what(), testing::HasSubstr("kernel `forever` did not end within 5000000 warp instructions"));
  }
}

/// Devices of one machine share its addresses, and no page is of two of them, or of one and the machine.
TEST(DeviceAllocator, DevicesHavePagesOfTheirOwn) {
  constexpr std::uint64_t page = 64 << 10;
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    DeviceAllocator machine(std::uint64_t{1} << 30);
    std::map<std::uint64_t, unsigned> given;  // by page: which device was told that it has it
    std::vector<std::unique_ptr<DeviceAllocator>> devices;
    for (unsigned i = 0; i < 2; ++i) {
      const auto took = [&given, i](std::uint64_t begin, std::uint64_t end) {
        EXPECT_TRUE(begin % page == 0 && end % page == 0);
        for (; begin < end; begin += page) EXPECT_TRUE(given.emplace(begin / page, i).second);
      };
      devices.push_back(std::make_unique<DeviceAllocator>(
          machine, DeviceShare{static_cast<isa::DeviceNumber>(i), 512 << 20, page, took}));
    }
    const auto allocator = [&](unsigned who) -> DeviceAllocator& { return who == 2 ? machine : *devices[who]; };
    std::vector<std::pair<unsigned, DevicePointer>> alive;
    for (unsigned step = 0; step < 200; ++step) {
      if (random() % 3 == 0 && !alive.empty()) {
        std::swap(alive.back(), alive[random() % alive.size()]);
        allocator(alive.back().first).free(alive.back().second);
        alive.pop_back();
        continue;
      }
      const unsigned who = random() % 3;
      constexpr std::uint64_t sizes[] = {1, 4096, page, 5 * page + 1};
      const std::uint64_t bytes = sizes[random() % 4];
      const DevicePointer pointer = allocator(who).allocate(bytes);
      alive.emplace_back(who, pointer);
      EXPECT_EQ(machine.map().find(address(pointer))->device, who == 2 ? isa::all_devices : who);
      for (std::uint64_t at = address(pointer) / page; at <= (address(pointer) + bytes - 1) / page; ++at) {
        const auto owner = given.find(at);
        EXPECT_TRUE(who == 2 ? owner == given.end() : owner != given.end() && owner->second == who);
      }
    }
    for (const auto& [who, pointer] : alive) allocator(who).free(pointer);
    EXPECT_EQ(machine.in_use(), 0U);
    EXPECT_EQ(devices[0]->in_use() + devices[1]->in_use(), 0U);
  }
}

}  // namespace
}  // namespace syncline::platform
