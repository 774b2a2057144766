// A TLM initiator of your own in front of the GPU's global memory, here in the place of a CPU: it writes a word for
// which a kernel waits, and reads the kernel's answer while the kernel runs.
#include <tlm_utils/simple_initiator_socket.h>
#include <cstdio>
#include <cstring>
#include <systemc>

#include "models/bridge/base_protocol_checker.h"
#include "platform/config/configuration.h"
#include "platform/gpu/foreign_port.h"
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

  /// Debug transport: without time, and coherent with what the GPU's caches hold.
  std::uint32_t look(std::uint64_t address) {
    std::uint32_t word = 0;
    tlm::tlm_generic_payload payload;
    describe(payload, tlm::TLM_READ_COMMAND, address, word);
    return socket->transport_dbg(payload) == sizeof word ? word : 0;
  }

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
    describe(payload, command, address, word);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    if (payload.is_response_error()) SC_REPORT_FATAL(name(), payload.get_response_string().c_str());
    wait(delay);
  }
  static void describe(tlm::tlm_generic_payload& payload, tlm::tlm_command command, std::uint64_t address,
                       std::uint32_t& word) {
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
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
  const auto configuration = load_configuration<PlatformSpec>("tiny");
  GpuOptions options;
  options.foreign_ports = 1;
  Simulation simulation(configuration.spec, /*seed=*/1, options);
  Gpu& gpu = simulation.gpu();

  // The initiator's accesses go through an L1 of its own, so every coherence policy knows how to serve them.
  ForeignPort port("cpu", gpu.memory_side(), /*index=*/0);
  models::BaseProtocolChecker checker("cpu_checker");  // ends the run when the link breaks the protocol
  MyCpu cpu("cpu");
  cpu.socket.bind(checker.target);
  checker.initiator.bind(port.socket);

  std::uint32_t left = 0;
  simulation.run([&](Device& device) {
    const DevicePointer mailbox = device.upload(std::vector<std::uint32_t>{0, 0});
    const KernelHandle answer = device.module_get_function(device.module_load_text(answer_ptx, "answer.ptx"), "answer");
    device.launch_kernel(answer, {{1}, {1}}, arguments(mailbox));
    cpu.begin(address(mailbox));
    device.synchronize();
    sc_core::wait(10, sc_core::SC_US);      // the CPU polls once more
    left = cpu.look(address(mailbox) + 4);  // without time
  });

  std::printf("the CPU asked with 41 and read %u after %u polls; memory holds %u\n", cpu.answer, cpu.polls, left);
  return cpu.answer == 42 && left == 42 ? 0 : 1;
}
