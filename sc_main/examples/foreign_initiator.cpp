// A TLM initiator of your own in front of the GPU's global memory, here in the place of a CPU: it writes a word for
// which a kernel waits, and reads the kernel's answer while the kernel runs.
#include <tlm_utils/simple_initiator_socket.h>
#include <cstdio>
#include <cstring>
#include <systemc>

#include "models/bridge/foreign_bridge.h"
#include "platform/config/configuration.h"
#include "platform/timed/simulation.h"

using namespace syncline;
using namespace syncline::platform;

namespace {

/// Any initiator of the base protocol fits: a CPU model, a DMA engine, RTL behind a transactor.
class MyCpu : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(MyCpu);
  explicit MyCpu(const sc_core::sc_module_name& name) : sc_core::sc_module(name) { SC_THREAD(run); }
  tlm_utils::simple_initiator_socket<MyCpu> socket{"socket"};

  /// The two words of the mailbox, question and answer, are at `address`.
  void begin(std::uint64_t address) {
    address_ = address;
    begin_.notify(5, sc_core::SC_US);
  }
  std::uint32_t answer = 0;
  unsigned polls = 0;

 private:
  void run() {
    wait(begin_);
    std::uint32_t question = 41;
    access(tlm::TLM_WRITE_COMMAND, address_, question);
    while (answer == 0) {
      wait(1, sc_core::SC_US);
      access(tlm::TLM_READ_COMMAND, address_ + 4, answer);
      ++polls;
    }
  }
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t& word) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_FATAL(name(), payload.get_response_string().c_str());
    wait(delay);
  }
  std::uint64_t address_ = 0;
  sc_core::sc_event begin_;
};

// Waits for the question, and answers with the next number.
constexpr const char* answer_ptx = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry answer(.param .u64 mailbox)
{
  .reg .pred %p;
  .reg .b32 %r<2>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [mailbox];
WAIT:
  ld.volatile.global.u32 %r1, [%rd];
  setp.eq.u32 %p, %r1, 0;
  @%p bra WAIT;
  add.u32 %r1, %r1, 1;
  st.volatile.global.u32 [%rd+4], %r1;
  ret;
}
)";

}  // namespace

int sc_main(int, char**) {
  const auto configuration = load_configuration<PlatformSpec>(SYNCLINE_SOURCE_DIR "/configs/tiny.yaml");
  const PlatformSpec& spec = configuration.spec;
  GpuOptions options;
  options.foreign_ports = 1;
  Simulation simulation(spec, /*seed=*/1, options);
  Gpu& gpu = simulation.gpu();

  // The initiator's accesses go through an L1 of its own, so every coherence policy knows how to serve them.
  const base::SmId initiator(static_cast<std::uint16_t>(spec.sms));
  models::L1Cache l1("cpu_l1", simulation.context(), gpu.core_clock(), spec.l1, gpu.coherence(), initiator,
                     gpu.address_map());
  models::ForeignBridge bridge("cpu_bridge", simulation.context(), {}, gpu.address_map(), std::uint64_t{1} << 32);
  MyCpu cpu("cpu");
  cpu.socket.bind(bridge.socket);
  bridge.to_l1.socket.bind(l1.from_sm.socket);
  l1.to_sm.socket.bind(bridge.from_l1.socket);
  gpu.bind_foreign(l1, 0);

  std::uint32_t left = 0;
  simulation.run([&](Device& device) {
    const DevicePointer mailbox = device.upload(std::vector<std::uint32_t>{0, 0});
    const KernelHandle answer = device.module_get_function(device.module_load_text(answer_ptx, "answer.ptx"), "answer");
    device.launch_kernel(answer, {{1}, {1}}, arguments(mailbox));
    cpu.begin(address(mailbox));
    device.synchronize();
    sc_core::wait(10, sc_core::SC_US);  // the CPU polls once more
    left = device.download<std::uint32_t>(mailbox, 2)[1];
  });

  std::printf("the CPU asked with 41 and read %u after %u polls; memory holds %u\n", cpu.answer, cpu.polls, left);
  return cpu.answer == 42 && left == 42 ? 0 : 1;
}
