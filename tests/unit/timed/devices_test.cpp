// GPUs of one machine as devices that a program tells apart, on the timed machine and without time.
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/support/counter_of.h"
#include "tests/support/error_of.h"
#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

using test::counter_of;
using test::error_of;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

constexpr const char* devices_ptx = R"(
.version 6.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter = 7;

.visible .entry add_to(.param .u64 out, .param .u32 value, .param .u32 turns)
{
  .reg .pred %p1;
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [value];
  ld.param.u32 %r4, [turns];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r2, %r2, %r3, %r5;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd1, %rd1, %rd2;
again:
  sub.u32 %r4, %r4, 1;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra again;
  ld.global.u32 %r3, [%rd1];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd1], %r3;
  ret;
}
.visible .entry count_all(.param .u64 out)
{
  .reg .b64 %rd<3>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [out];
  atom.global.sys.add.u32 %r1, [%rd1], 1;
  ret;
}
)";

struct Program {
  explicit Program(Device& its) : device(its) {
    const ModuleHandle module = device.module_load_text(devices_ptx, "devices.ptx");
    add_to = device.module_get_function(module, "add_to");
    count_all = device.module_get_function(module, "count_all");
    counter = device.module_get_global(module, "counter").address;
  }
  void add(DevicePointer out, std::uint32_t value, std::uint32_t turns = 1, std::uint32_t ctas = 1,
           StreamHandle stream = StreamHandle::default_stream) {
    device.launch_kernel(add_to, {{ctas}, {32}, 0, stream}, arguments(out, value, turns));
  }
  Device& device;
  KernelHandle add_to{}, count_all{};
  DevicePointer counter{};
};

class Devices : public OnEachDevice {
 protected:
  static void run(const std::function<void(Device&)>& program, std::vector<std::string> overrides = {}) {
    run_on(two_gpus(std::move(overrides)), program);
  }
};
INSTANTIATE_TEST_SUITE_P(OnEach, Devices, ::testing::Bool(), name_of_time);

TEST_P(Devices, HaveMemoryKernelsAndVariablesOfTheirOwnAtAddressesOfOneSpace) {
  run([](Device& machine) {
    ASSERT_EQ(machine.device_count(), 2U);
    EXPECT_EQ(machine.sm_count(), 4U);
    EXPECT_EQ(machine.device(1).sm_count(), 2U);
    EXPECT_EQ(&machine.device(0).device(1), &machine.device(1));
    Program a(machine.device(0)), b(machine.device(1));
    EXPECT_NE(a.counter, b.counter);
    const DevicePointer of_a = a.device.upload(numbers(64)), of_b = b.device.upload(numbers(64, 100));
    a.add(of_a, 5, 1, 2);
    b.add(of_b, 6, 1, 2);
    b.device.launch_kernel(b.count_all, {{1}, {32}}, arguments(b.counter));
    machine.synchronize();
    EXPECT_EQ(a.device.download<std::uint32_t>(of_a, 64), numbers(64, 5));
    EXPECT_EQ(machine.download<std::uint32_t>(of_b, 64), numbers(64, 106)) << "all reach all";
    EXPECT_EQ(machine.download<std::uint32_t>(b.counter, 1), Words{7 + 32});
    EXPECT_EQ(machine.download<std::uint32_t>(a.counter, 1), Words{7});
    EXPECT_EQ(a.device.totals().launches, 1U);
    EXPECT_EQ(machine.totals().launches, 3U);
    EXPECT_EQ(machine.totals().warp_instructions,
              a.device.totals().warp_instructions + b.device.totals().warp_instructions);
    EXPECT_NE(a.device.memory_signature(), b.device.memory_signature());
  });
}

TEST_P(Devices, TouchThePeersMemoryOnlyWithAccess) {
  run([](Device& machine) {
    Program a(machine.device(0));
    const DevicePointer there = machine.device(1).upload(numbers(32)), everybodys = machine.upload(numbers(32));
    EXPECT_TRUE(machine.device(0).can_access_peer(1));
    EXPECT_FALSE(machine.device(1).can_access_peer(1));
    machine.device(0).enable_peer_access(1);
    a.add(there, 1);
    a.add(everybodys, 2);
    a.device.launch_kernel(a.count_all, {{1}, {32}}, arguments(there));
    machine.synchronize();
    EXPECT_EQ(machine.download<std::uint32_t>(there, 32)[0], 33U);
    EXPECT_EQ(machine.download<std::uint32_t>(there, 32)[5], 6U);
    EXPECT_EQ(machine.download<std::uint32_t>(everybodys, 32), numbers(32, 2));
  });
}

TEST_P(Devices, WithoutAccessAKernelFaultsWhereItTouchesThePeer) {
  const std::string error = error_of<base::ProgramFault>([] {
    run([](Device& machine) {
      Program b(machine.device(1));
      const DevicePointer there = machine.device(0).upload(numbers(32));
      b.add(there, 1);
      b.device.synchronize();
    });
  });
  EXPECT_THAT(error, AllOf(HasSubstr("forbidden global load of 4 bytes at 0x"), HasSubstr("lane 0"),
                           HasSubstr("kernel `add_to`: devices.ptx:"),
                           HasSubstr("device 1 has no access to memory of device 0 (allocation 0); "
                                     "enable_peer_access(0) of device 1 gives it")));
}

TEST_P(Devices, CopyBetweenEachOthersMemoryInStreamsThatEventsJoin) {
  run([](Device& machine) {
    Program a(machine.device(0)), b(machine.device(1));
    const DevicePointer of_a = a.device.upload(numbers(1000)), of_b = b.device.mem_alloc(4000);
    const StreamHandle copies = a.device.stream_create(), late = b.device.stream_create();
    const EventHandle computed = a.device.event_create(), copied = a.device.event_create();
    a.add(of_a, 7, 500, 4);
    a.device.event_record(computed);
    a.device.stream_wait_event(copies, computed);
    a.device.memcpy_peer_async(of_b, of_a, 4000, copies);
    a.device.event_record(copied, copies);
    b.device.stream_wait_event(late, copied);
    b.add(of_b, 10, 1, 4, late);
    b.device.stream_synchronize(late);
    const Words found = b.device.download<std::uint32_t>(of_b, 1000);
    for (unsigned i = 0; i < 1000; ++i) ASSERT_EQ(found[i], i + (i < 128 ? 17U : 0U)) << i;
    b.device.event_synchronize(copied);
  });
}

TEST_P(Devices, CopyAnyBytesToAnyPlace) {
  run([](Device& machine) {
    Device& a = machine.device(0);
    std::vector<std::uint8_t> bytes(700);
    std::iota(bytes.begin(), bytes.end(), 0);
    const DevicePointer from = machine.device(1).upload(bytes), to = a.mem_alloc(1000);
    std::vector<std::uint8_t> expected(1000, 0);
    for (const auto& [at, first, count] : {std::array{3U, 130U, 300U}, std::array{400U, 1U, 1U},
                                           std::array{512U, 128U, 256U}, std::array{900U, 0U, 0U}}) {
      a.memcpy_peer(to + at, from + first, count);
      std::copy_n(bytes.begin() + first, count, expected.begin() + at);
    }
    EXPECT_EQ(machine.download<std::uint8_t>(to, 1000), expected);
  });
}

TEST_P(Devices, TellTheirMistakes) {
  run(
      [](Device& machine) {
        Device &a = machine.device(0), &b = machine.device(1);
        const auto error = [](auto&& call) { return error_of<base::UserError>(call); };
        EXPECT_THAT(error([&] { machine.device(2); }),
                    HasSubstr("device(2): the machine has 2 devices, numbered from 0 (`modules.gpus`)"));
        EXPECT_THAT(error([&] { a.can_access_peer(7); }), HasSubstr("can_access_peer(7): the machine has 2 devices"));
        EXPECT_THAT(error([&] { a.enable_peer_access(2); }), HasSubstr("enable_peer_access(2): the machine has 2"));
        EXPECT_THAT(error([&] { a.enable_peer_access(0); }), HasSubstr("a device has access to its own memory"));
        EXPECT_THAT(error([&] { machine.enable_peer_access(0); }), HasSubstr("asked of all GPUs together"));
        a.enable_peer_access(1);
        EXPECT_THAT(error([&] { a.enable_peer_access(1); }), HasSubstr("device 0 has it already"));

        EXPECT_THAT(error([&] { b.mem_alloc(9 << 20); }),
                    HasSubstr("mem_alloc of 9437184 bytes: out of memory of device 1, 0 of its 8388608 bytes (its part "
                              "of `host.memory`) are in use, and 0 of all devices together"));
        const DevicePointer of_b = b.mem_alloc(8 << 20), of_all = machine.mem_alloc(4 << 20);
        EXPECT_THAT(error([&] { a.mem_alloc(5 << 20); }), HasSubstr("0 of its 8388608 bytes"));
        EXPECT_THAT(error([&] { a.mem_free(of_b); }),
                    HasSubstr("allocation 0 is memory of device 1, which alone gives it back"));
        EXPECT_THAT(error([&] { a.mem_free(of_all); }), HasSubstr("is memory of all devices together, which alone"));
        b.mem_free(of_b);
        EXPECT_EQ(b.mem_alloc(8 << 20), of_b) << "its pages are still its own";
        EXPECT_THAT(error([&] { a.memcpy_peer(of_b, of_all, 5 << 20); }), HasSubstr("memcpy_peer of 5242880 bytes"));
        EXPECT_THAT(error([&] { a.memcpy_peer(of_all, of_b, 5 << 20); }), HasSubstr("past the end of allocation 1"));

        Program of_a(a);
        EXPECT_THAT(error([&] {
                      b.launch_kernel(of_a.add_to, {{1}, {1}}, {});
                    }),
                    HasSubstr("kernel handle 0 is of device 0, and not of this one"));
        EXPECT_THAT(error([&] { a.module_get_function(ModuleHandle{0}, "add_to"); }),
                    HasSubstr("module handle 0 is of the device that is all GPUs, and not of this one"));
        const StreamHandle stream = a.stream_create();
        EXPECT_THAT(error([&] { b.stream_synchronize(stream); }), HasSubstr("stream handle 1 is of device 0"));
        const EventHandle event = a.event_create();
        b.stream_wait_event(StreamHandle::default_stream, event);
        EXPECT_THAT(error([&] { b.event_record(event, StreamHandle::default_stream); }),
                    HasSubstr("event_record of event 0: device 0 made it, and device 1 is to record it"));
        EXPECT_THAT(error([&] { a.event_synchronize(EventHandle{5}); }),
                    HasSubstr("event handle 5 is not one of the 1 events of this machine"));
      },
      {"host.memory=16 MiB"});
}

TEST_P(Devices, TellOfPagesThatAreTooLarge) {
  run(
      [](Device& machine) {
        EXPECT_THAT(error_of<base::UserError>([&] { machine.device(1).mem_alloc(4096); }),
                    HasSubstr("are in use, and 0 of all devices together; the addresses that are left have no room for "
                              "whole pages of 1099511627776 bytes (`modules.pages.bytes`)"));
      },
      {"modules.pages.bytes=1 TiB"});
}

TEST(OneDevice, IsTheOnlyOneOfItsMachine) {
  FunctionalDevice device;
  EXPECT_EQ(device.device_count(), 1U);
  EXPECT_EQ(&device.device(0), &device);
  EXPECT_FALSE(device.can_access_peer(0));
  EXPECT_THAT(error_of<base::UserError>([&] { device.device(1); }), HasSubstr("the machine has 1 device, numbered"));
  EXPECT_THAT(error_of<base::UserError>([&] { device.enable_peer_access(0); }), HasSubstr("one device, and no peers"));
  const DevicePointer from = device.upload(numbers(8)), to = device.mem_alloc(32);
  device.memcpy_peer(to, from, 32);
  EXPECT_EQ(device.download<std::uint32_t>(to, 8), numbers(8));
}

// ---- with time

class TimedDevices : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Placements, TimedDevices, ::testing::Values("first_touch", "interleaved", "hash", "fixed"),
                         [](const auto& its) { return its.param; });

TEST_P(TimedDevices, MemoryLiesInItsModulesAndLaunchesRunOnItsSms) {
  Simulation simulation(two_gpus({std::string("modules.pages.placement=") + GetParam()}), 1);
  Gpu& gpu = simulation.gpu();
  simulation.run([&](Device& machine) {
    Program b(machine.device(1));
    constexpr std::uint32_t words = 8192;  // eight pages
    const DevicePointer memory = b.device.upload(numbers(words));
    b.add(memory, 1, 1, words / 32);
    const DevicePointer of_a = machine.device(0).mem_alloc(4);
    EXPECT_LT(gpu.homes().home(address(of_a)).index, 2U);
    EXPECT_EQ(b.device.download<std::uint32_t>(memory, words), numbers(words, 1));
    for (std::uint64_t at = 0; at < words * 4; at += 4096)
      EXPECT_GE(gpu.homes().home(address(memory) + at).index, 2U) << "partitions of the second GPU";
    EXPECT_GE(gpu.homes().home(address(b.counter)).index, 2U);
  });
  EXPECT_EQ(gpu.instructions({0, 2}).warps, 0U);
  EXPECT_GT(gpu.instructions({2, 1}).warps, 0U);
  EXPECT_GT(gpu.instructions({3, 1}).warps, 0U);
}

TEST(TimedDevices, RunAtTheSameTime) {
  Simulation simulation(two_gpus({"work_distributor.concurrent_grids=1"}), 1);
  double alone = 0, together = 0;
  simulation.run([&](Device& machine) {
    Program a(machine.device(0)), b(machine.device(1));
    const DevicePointer of_a = a.device.mem_alloc(4096), of_b = b.device.mem_alloc(4096);
    const auto seconds = [&](bool both) {
      const sc_core::sc_time before = sc_core::sc_time_stamp();
      a.add(of_a, 1, 5000, 32);
      if (both) b.add(of_b, 1, 5000, 32);
      machine.synchronize();
      return (sc_core::sc_time_stamp() - before).to_seconds();
    };
    seconds(true);
    alone = seconds(false);
    together = seconds(true);
  });
  EXPECT_LT(together, alone * 1.1);
}

class PeerCopies : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Policies, PeerCopies, ::testing::Values("none", "gpu_vi", "mesi", "rcc", "tc_weak"),
                         [](const auto& its) { return its.param; });

// What SMs of both ends have in their caches is as much part of it as what memories hold.
TEST_P(PeerCopies, GoOverTheLinksAndSeeWhatKernelsWrote) {
  Simulation simulation(two_gpus({std::string("coherence.policy=") + GetParam()}), 1);
  simulation.run([&](Device& machine) {
    Program a(machine.device(0)), b(machine.device(1));
    const DevicePointer of_a = a.device.upload(numbers(1024)), of_b = b.device.upload(Words(1024, 1));
    for (unsigned round = 0; round < 3; ++round) {
      a.add(of_a, 1, 1, 32);
      b.add(of_b, 1, 1, 32);
      machine.synchronize();
      b.device.memcpy_peer(of_b, of_a, 4096);
      EXPECT_EQ(machine.download<std::uint32_t>(of_b, 1024), numbers(1024, round + 1));
    }
  });
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine1.bytes"), 3U * 4096);
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine0.bytes"), 0U);
  EXPECT_GE(counter_of(simulation, "gpu.nvlink0_out.bytes_to_gpu1"), 3U * 4096);
}

TEST(PeerCopies, TakeAsLongAsTheLinkNeeds) {
  Simulation simulation(two_gpus({"modules.link.bandwidth=1 GB/s"}), 1);
  double seconds = 0;
  constexpr std::uint64_t bytes = 64 << 10;
  simulation.run([&](Device& machine) {
    const DevicePointer from = machine.device(0).mem_alloc(bytes), to = machine.device(1).mem_alloc(bytes);
    const sc_core::sc_time before = sc_core::sc_time_stamp();
    machine.device(1).memcpy_peer(to, from, bytes);
    seconds = (sc_core::sc_time_stamp() - before).to_seconds();
  });
  EXPECT_GT(seconds, 65e-6);
  EXPECT_LT(seconds, 100e-6) << "headers, and the way of the first line";
}

// Lanes that wait for a lane of their warp which spins on what a copy will bring are at no fault.
TEST(PeerCopies, EndAWaitThatNothingElseWould) {
  Simulation simulation(two_gpus({"modules.link.bandwidth=0.1 GB/s", "limits.spin_window=20000"}), 1);
  constexpr std::uint64_t words = 16 << 10;
  simulation.run([&](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer from = b.upload(Words(words, 1)), to = a.mem_alloc(words * 4);
    launch_wait_for(a, to + (words - 1) * 4);
    b.memcpy_peer_async(to, from, words * 4, StreamHandle::default_stream);
    machine.synchronize();
    EXPECT_EQ(machine.download<std::uint32_t>(to, words), Words(words, 1));
  });
}

}  // namespace
}  // namespace syncline::platform
