// A block of your own: here the memory behind partition 0 of a tiny GPU, loosely timed, in thirty lines. Whatever
// speaks the TLM-2.0 base protocol fits: DRAMSys, a memory of RTL behind a transactor, or this.
#include <tlm_utils/simple_target_socket.h>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "platform/timed/simulation.h"
#include "sc_main/cli/main.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// Bytes, a fixed latency, and two counters. Addresses are the partition's own, from 0.
class MyMemory : public sc_core::sc_module {
 public:
  MyMemory(const sc_core::sc_module_name& name, std::size_t bytes) : sc_core::sc_module(name), bytes_(bytes) {
    socket.register_b_transport(this, &MyMemory::b_transport);
    socket.register_transport_dbg(this, &MyMemory::transport_dbg);
  }
  tlm_utils::simple_target_socket<MyMemory> socket{"socket"};
  unsigned reads = 0, writes = 0;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    ++(payload.is_read() ? reads : writes);
    delay += sc_core::sc_time(100, sc_core::SC_NS);
    transport_dbg(payload);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    const std::size_t at = payload.get_address(), length = payload.get_data_length();
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (at + length > bytes_.size()) return 0;
    const std::uint8_t* const enable = payload.get_byte_enable_ptr();
    for (std::size_t i = 0; i < length; ++i) {
      if (enable != nullptr && enable[i % payload.get_byte_enable_length()] == 0) continue;
      std::uint8_t& mine = bytes_[at + i];
      std::uint8_t& theirs = payload.get_data_ptr()[i];
      (payload.is_read() ? theirs : mine) = payload.is_read() ? mine : theirs;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return static_cast<unsigned>(length);
  }
  std::vector<std::uint8_t> bytes_;
};

constexpr const char* increment_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry increment(.param .u64 data)
{
  .reg .b32 %r<6>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [data];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%rd3], %r5;
  ret;
}
)";

}  // namespace

int sc_main(int argc, char** argv) {
  std::unique_ptr<MyMemory> memory;
  cli::OwnProgram own;
  own.platform = "tiny";
  own.settings = {"host.memory=64 MiB"};
  own.summary = "Increments words, some of which lie in a memory of its own";
  own.parts.options = [](const PlatformSpec&) {
    GpuOptions options;
    options.own_memory = {0};
    return options;
  };
  own.parts.bind = [&](Simulation& simulation) {
    memory = std::make_unique<MyMemory>("my_memory", simulation.gpu().channel_bytes());
    simulation.gpu().memory_link(0).bind(memory->socket);
  };
  own.program = [&](Device& gpu) {
    constexpr std::uint32_t n = 4096;
    const DevicePointer data = gpu.upload(std::vector<std::uint32_t>(n, 41));
    const KernelHandle increment =
        gpu.module_get_function(gpu.module_load_text(increment_ptx, "increment.ptx"), "increment");
    gpu.launch_kernel(increment, {{n / 256}, {256}}, arguments(data));
    unsigned wrong = 0;
    for (const std::uint32_t value : gpu.download<std::uint32_t>(data, n)) wrong += value == 42 ? 0 : 1;
    if (memory == nullptr) return Outcome{wrong == 0, std::to_string(wrong) + " wrong values"};  // --functional
    return Outcome{wrong == 0 && memory->reads > 0 && memory->writes > 0,
                   std::to_string(memory->reads) + " reads and " + std::to_string(memory->writes) +
                       " writes in my_memory, " + std::to_string(wrong) + " wrong values"};
  };
  return cli::run_own(argc, argv, own);
}
