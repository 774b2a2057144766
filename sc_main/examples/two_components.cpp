// Two GPUs and one memory: what the first one writes, the second one reads. All of it is bound by a bus of the
// example's own, which gives the GPUs the same addresses of the memory; when bytes leave the caches of one GPU and
// enter those of the other is said by the CPU's program.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/dram/payload_access.h"
#include "platform/component/component_waves.h"
#include "platform/component/gpu_component.h"

#include "bus_cpu.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

constexpr std::uint32_t second_gpu = 0x10'0000;  // where its registers begin; those of the first are at 0

/// From the CPU to the registers of two GPUs.
class MyBus : public sc_core::sc_module {
 public:
  explicit MyBus(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_b_transport(this, &MyBus::b_transport);
  }
  tlm_utils::simple_target_socket<MyBus> socket{"socket"};
  tlm_utils::simple_initiator_socket<MyBus> first{"first"}, second{"second"};

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_dt::uint64 address = payload.get_address();
    if (address < second_gpu) return first->b_transport(payload, delay);
    payload.set_address(address - second_gpu);
    second->b_transport(payload, delay);
    payload.set_address(address);
  }
};

/// Serves the partitions of both GPUs: equal partitions see the same bytes. Each access takes 100 ns.
class MySharedMemory : public sc_core::sc_module {
 public:
  MySharedMemory(const sc_core::sc_module_name& name, GpuComponent& first, GpuComponent& second)
      : sc_core::sc_module(name) {
    for (unsigned i = 0; i < first.gpu().partitions(); ++i) {
      memories_.emplace_back(std::max(first.gpu().channel_bytes(), second.gpu().channel_bytes()));
      serve(first, i);
      serve(second, i);
    }
  }
  unsigned accesses = 0;

 private:
  void serve(GpuComponent& gpu, unsigned partition) {
    auto& socket = sockets_.emplace_back(("socket" + std::to_string(sockets_.size())).c_str());
    socket.register_b_transport(this, &MySharedMemory::b_transport, static_cast<int>(partition));
    socket.register_transport_dbg(this, &MySharedMemory::transport_dbg, static_cast<int>(partition));
    gpu.memory(partition).bind(socket);
  }
  void b_transport(int partition, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    models::SparseMemory& memory = memories_[static_cast<unsigned>(partition)];
    payload.set_response_status(models::check_access(memory.capacity(), payload));
    if (payload.is_response_ok()) models::perform_access(memory, payload);
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    ++accesses;
  }
  unsigned transport_dbg(int partition, tlm::tlm_generic_payload& payload) {
    return models::debug_access(memories_[static_cast<unsigned>(partition)], payload);
  }
  std::deque<models::SparseMemory> memories_;  ///< of each partition
  std::deque<tlm_utils::simple_target_socket_tagged<MySharedMemory>> sockets_;
};

// to[i] = from[i] + i
constexpr const char* add_numbers_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry add_numbers(.param .u64 from, .param .u64 to)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.u32 %r5, [%rd4];
  add.u32 %r5, %r5, %r4;
  st.global.u32 [%rd5], %r5;
  ret;
}
)";

}  // namespace

int sc_main(int argc, char** argv) {
  constexpr std::uint32_t n = 1024, bytes = n * 4;
  std::vector<std::uint32_t> before(n), after(n);
  sc_core::sc_signal<bool> first_irq("first_irq"), second_irq("second_irq");

  BusCpu cpu("cpu", [&](BusCpu& self) {
    ComponentDriver first = self.driver(0, first_irq), second = self.driver(second_gpu, second_irq);
    // Who shares memory must know who has which of it. Here both give out the same addresses in the same order.
    const std::uint64_t numbers = first.allocate(bytes), sums = first.allocate(bytes);
    if (second.allocate(bytes) != numbers || second.allocate(bytes) != sums) return;
    const std::uint32_t ours = first.load_module(add_numbers_ptx), theirs = second.load_module(add_numbers_ptx);
    const LaunchConfig all{{n / 256}, {256}};

    second.launch(theirs, "add_numbers", all, arguments(numbers, sums));  // its caches hold the old numbers now
    second.read(sums, before.data(), bytes);
    first.launch(ours, "add_numbers", all, arguments(numbers, numbers));
    first.write_back(numbers, bytes);
    second.refresh(numbers, bytes);
    second.launch(theirs, "add_numbers", all, arguments(numbers, sums));
    second.read(sums, after.data(), bytes);
  });

  ComponentOptions options;
  options.gpu.own_memory = {0, 1};
  GpuComponent first("first", "tiny", {"host.memory=64 MiB"}, options);
  GpuComponent second("second", "tiny", {"host.memory=64 MiB", "sms=1"}, options);
  MyBus bus("bus");
  cpu.socket.bind(bus.socket);
  bus.first.bind(first.target);
  bus.second.bind(second.target);
  first.irq(first_irq);
  second.irq(second_irq);
  MySharedMemory memory("memory", first, second);
  std::unique_ptr<ComponentWaves> waves;  // of both, where a file is named
  if (argc > 1)
    waves = std::make_unique<ComponentWaves>(std::string(argv[1]), std::vector<GpuComponent*>{&first, &second});
  sc_core::sc_start();
  if (waves) waves->finish();

  unsigned wrong = 0;
  for (std::uint32_t i = 0; i < n; ++i) wrong += before[i] == i && after[i] == 2 * i ? 0 : 1;
  std::printf("%u wrong sums, %u accesses of the memory\n", wrong, memory.accesses);
  return wrong == 0 && memory.accesses > 0 ? 0 : 1;
}
