// GPUs of one machine that no links join (`modules.topology: none`): devices whose only common thing is the host.
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/partition/address_map.h"
#include "tests/support/counter_of.h"
#include "tests/support/error_of.h"
#include "tests/unit/timed/several_devices.h"

namespace syncline::platform {
namespace {

using test::counter_of;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* unlinked_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) malloc (.param .b64 bytes);

.visible .entry add_to(.param .u64 out, .param .u32 value)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [value];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r2, %r2, %r3, %r5;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.global.u32 %r3, [%rd1];
  add.u32 %r3, %r3, %r1;
  st.global.u32 [%rd1], %r3;
  ret;
}
.visible .entry through_local(.param .u64 out)
{
  .local .align 4 .b8 own[64];
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u64 %rd3, own;
  st.local.u32 [%rd3+32], %r1;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd1, %rd1, %rd2;
  ld.local.u32 %r2, [%rd3+32];
  st.global.u32 [%rd1], %r2;
  ret;
}
.visible .entry of_the_heap()
{
  .reg .b64 %rd<3>;
  {
  .param .b64 bytes;
  .param .b64 r;
  st.param.b64 [bytes], 64;
  call.uni (r), malloc, (bytes);
  ld.param.b64 %rd1, [r];
  }
  st.u32 [%rd1], 1;
  ret;
}
.visible .entry hint(.param .u64 there)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [there];
  prefetch.global.L1 [%rd1];
  ret;
}
)";

PlatformSpec unlinked(std::vector<std::string> overrides = {}) {
  overrides.emplace_back("modules.topology=none");
  return two_gpus(std::move(overrides));
}

void launch(Device& device, const char* kernel, const std::vector<Argument>& args, std::uint32_t ctas = 1) {
  const ModuleHandle module = device.module_load_text(unlinked_ptx, "unlinked.ptx");
  device.launch_kernel(device.module_get_function(module, kernel), {{ctas}, {32}}, args);
}

class UnlinkedDevices : public OnEachDevice {
 protected:
  static void run(const std::function<void(Device&)>& program) { run_on(unlinked(), program); }
  /// The fault of a kernel of device 0.
  static std::string fault(const char* kernel, const std::function<std::vector<Argument>(Device&)>& args) {
    return test::error_of<base::ProgramFault>([&] {
      run([&](Device& machine) {
        launch(machine.device(0), kernel, args(machine));
        machine.device(0).synchronize();
      });
    });
  }
};
INSTANTIATE_TEST_SUITE_P(OnEach, UnlinkedDevices, ::testing::Bool(), name_of_time);

TEST_P(UnlinkedDevices, HaveNoAccessToEachOthersMemory) {
  run([](Device& machine) {
    EXPECT_FALSE(machine.device(0).can_access_peer(1));
    EXPECT_FALSE(machine.device(1).can_access_peer(0));
    EXPECT_THAT(test::error_of([&] { machine.device(0).enable_peer_access(1); }),
                HasSubstr("enable_peer_access(1): no link leads from device 0 to device 1 (`modules.topology` is "
                          "`none`), as can_access_peer says; memcpy_peer copies over the host"));
  });
}

TEST_P(UnlinkedDevices, AreNoOneDevice) {
  run([](Device& machine) {
    const DevicePointer out = machine.mem_alloc(128);
    EXPECT_THAT(test::error_of([&] { launch(machine, "add_to", arguments(out, 1U)); }),
                HasSubstr("launch of kernel `add_to` on 2 GPUs as one device: no links join them (`modules.topology` "
                          "is `none`), so a launch has to be on one of them"));
  });
}

TEST_P(UnlinkedDevices, AKernelFaultsWhereItTouchesMemoryOfAnother) {
  EXPECT_THAT(fault("add_to", [](Device& machine) { return arguments(machine.device(1).mem_alloc(128), 1U); }),
              AllOf(HasSubstr("forbidden global load of 4 bytes at 0x"), HasSubstr("kernel `add_to`: unlinked.ptx:"),
                    HasSubstr("device 0 has no access to memory of device 1 (allocation 0): no link leads there "
                              "(`modules.topology` is `none`); memcpy_peer copies it, over the host")));
}

TEST_P(UnlinkedDevices, AKernelFaultsWhereItTouchesMemoryOfAllTogether) {
  EXPECT_THAT(fault("add_to", [](Device& machine) { return arguments(machine.mem_alloc(128), 1U); }),
              HasSubstr("device 0 has no access to memory of all devices together (allocation 0): no link"));
}

TEST_P(UnlinkedDevices, AKernelFaultsWhereItTouchesTheHeapOfAllTogether) {
  EXPECT_THAT(fault("of_the_heap", [](Device&) { return std::vector<Argument>(); }),
              HasSubstr("device 0 has no access to memory of all devices together (device malloc of 64 bytes)"));
}

TEST_P(UnlinkedDevices, APrefetchThereIsDropped) {
  run([](Device& machine) {
    launch(machine.device(0), "hint", arguments(machine.device(1).mem_alloc(128)));
    launch(machine.device(0), "hint", arguments(machine.mem_alloc(128)));
    machine.device(0).synchronize();
  });
}

TEST_P(UnlinkedDevices, CopyToEachOther) {
  run([](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer of_a = a.upload(numbers(1000)), of_b = b.mem_alloc(4000), of_all = machine.mem_alloc(4000);
    launch(a, "add_to", arguments(of_a, 7U), 4);
    a.memcpy_peer_async(of_b, of_a, 4000, StreamHandle::default_stream);
    const EventHandle copied = a.event_create();
    a.event_record(copied);
    b.stream_wait_event(StreamHandle::default_stream, copied);
    launch(b, "add_to", arguments(of_b, 10U), 4);
    b.memcpy_peer(of_all, of_b, 4000);
    b.memcpy_peer(of_all, of_b, 0);
    const auto found = machine.download<std::uint32_t>(of_all, 1000);
    for (unsigned i = 0; i < 1000; ++i) ASSERT_EQ(found[i], i + (i < 128 ? 17U : 0U)) << i;
    EXPECT_THAT(test::error_of([&] { a.memcpy_peer(of_b, of_a, 8000); }), HasSubstr("past the end of allocation 0"));
  });
}

// ---- with time

class UnlinkedPolicies : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Each, UnlinkedPolicies,
                         ::testing::Values("none", "mesi", "gpu_vi", "gpu_vi_ni", "tc_strong", "tc_weak", "ideal"),
                         [](const auto& its) { return its.param; });

// Nothing that a policy sends leaves its GPU, and what kernels of both ends have in caches is part of what is copied.
TEST_P(UnlinkedPolicies, KeepMessagesWithinAGpuAndSeeWhatCopiesBrought) {
  Simulation simulation(unlinked({std::string("coherence.policy=") + GetParam()}), 1);
  simulation.run([](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer of_a = a.upload(numbers(1024)), of_b = b.upload(Words(1024, 1)), beside = a.mem_alloc(4096);
    for (unsigned round = 0; round < 3; ++round) {
      launch(a, "add_to", arguments(of_a, 1U), 32);
      launch(b, "add_to", arguments(of_b, 1U), 32);
      machine.synchronize();
      b.memcpy_peer(of_b, of_a, 4096);
      a.memcpy_peer(beside, of_a, 4096);
      EXPECT_EQ(machine.download<std::uint32_t>(of_b, 1024), numbers(1024, round + 1));
      EXPECT_EQ(machine.download<std::uint32_t>(beside, 1024), numbers(1024, round + 1));
    }
  });
  EXPECT_EQ(counter_of(simulation, "gpu.host_copies1.bytes"), 3U * 4096);
  EXPECT_EQ(counter_of(simulation, "gpu.host_copies0.bytes"), 0U);
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine0.bytes"), 3U * 4096) << "within a GPU";
  EXPECT_EQ(counter_of(simulation, "gpu.copy_engine1.bytes"), 0U);
}

class UnlinkedPlacements : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Each, UnlinkedPlacements, ::testing::Values("first_touch", "interleaved", "hash", "fixed"),
                         [](const auto& its) { return its.param; });

TEST_P(UnlinkedPlacements, LocalMemoryLiesInTheGpuOfItsThreads) {
  // Pages that the local memory of an SM does not fill by itself.
  Simulation simulation(unlinked({std::string("modules.pages.placement=") + GetParam(), "modules.pages.bytes=2 MiB",
                                  "host.local_memory=1 KiB"}),
                        1);
  simulation.run([](Device& machine) {
    for (unsigned n : {1U, 0U}) {
      Device& device = machine.device(n);
      const DevicePointer out = device.mem_alloc(4096);
      launch(device, "through_local", arguments(out), 32);
      EXPECT_EQ(device.download<std::uint32_t>(out, 1024), numbers(1024));
    }
  });
}

TEST(UnlinkedCopies, TakeTheTimeOfOneToTheHostAndOneFromIt) {
  Simulation simulation(unlinked({"host.copy_latency=2 ms", "host.copy_bandwidth=1 MB/s"}), 1);
  double direct = 0, by_hand = 0;
  simulation.run([&](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer from = a.upload(numbers(1000)), to = b.mem_alloc(4000);
    const auto seconds = [](auto&& call) {
      const sc_core::sc_time before = sc_core::sc_time_stamp();
      call();
      return (sc_core::sc_time_stamp() - before).to_seconds();
    };
    // Longer than a machine may be without progress (`limits.progress_window`), and nobody complains.
    direct = seconds([&] { b.memcpy_peer(to, from, 4000); });
    by_hand = seconds([&] { b.memcpy_htod(to, a.download<std::uint32_t>(from, 1000).data(), 4000); });
  });
  EXPECT_NEAR(direct, by_hand, 1e-8);
  EXPECT_NEAR(direct, 12e-3, 1e-5);
}

// Lanes that wait for a lane of their warp which spins on what a copy will bring are at no fault.
TEST(UnlinkedCopies, EndAWaitThatNothingElseWould) {
  Simulation simulation(unlinked({"host.copy_latency=100 us", "limits.spin_window=20000"}), 1);
  simulation.run([](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer from = b.upload(Words(8, 1)), to = a.mem_alloc(32);
    launch_wait_for(a, to + 28);
    b.memcpy_peer_async(to, from, 32, StreamHandle::default_stream);
    machine.synchronize();
    EXPECT_EQ(machine.download<std::uint32_t>(to, 8), Words(8, 1));
  });
}

TEST(UnlinkedCopies, SayWhatTheyWaitFor) {
  Simulation simulation(unlinked(), 1);
  simulation.run([&](Device& machine) {
    Device &a = machine.device(0), &b = machine.device(1);
    const DevicePointer from = a.mem_alloc(64), to = b.mem_alloc(64);
    EXPECT_THAT(simulation.gpu().copies_under_way(), IsEmpty());
    b.memcpy_peer_async(to, from, 64, StreamHandle::default_stream);
    b.memcpy_peer_async(to, from, 64, b.stream_create());
    EXPECT_THAT(simulation.gpu().copies_under_way(),
                ::testing::ElementsAre(AllOf(HasSubstr("copies 64 bytes from 0x"),
                                             HasSubstr("over the host, which waits for them; 1 copies wait behind"))));
    b.synchronize();
  });
}

TEST(UnlinkedGpus, HaveNoPartsThatReachAllMemory) {
  GpuOptions foreign;
  foreign.foreign_ports = 1;
  EXPECT_THAT(
      test::error_of([&] { Simulation(unlinked(), 1, foreign); }),
      HasSubstr("foreign initiators reach the memory of all GPUs, and no links join them (`modules.topology` is "
                "`none`)"));
}

TEST(UnlinkedGpus, HaveNoHomeMapOfTheUsers) {
  const PlatformSpec spec = unlinked();
  const models::AddressMap homes(spec.memory);
  GpuOptions options;
  options.own_homes = &homes;
  EXPECT_THAT(test::error_of([&] { Simulation(spec, 1, options); }),
              HasSubstr("SMs under a home map of the user's reach the memory of all GPUs"));
}

}  // namespace
}  // namespace syncline::platform
