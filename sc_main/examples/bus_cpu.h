// The CPU of the examples with GPUs as components: a thread that accesses words on a bus, and waits for interrupts.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <functional>
#include <systemc>

#include "platform/component/component_driver.h"

class BusCpu : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(BusCpu);
  BusCpu(const sc_core::sc_module_name& name, std::function<void(BusCpu&)> program)
      : sc_core::sc_module(name), program_(std::move(program)) {
    SC_THREAD(run);
    set_stack_size(1024 * 1024);
  }
  tlm_utils::simple_initiator_socket<BusCpu> socket{"socket"};

  /// Drives the GPU whose registers begin at `base`.
  syncline::platform::ComponentDriver driver(std::uint32_t base, const sc_core::sc_signal<bool>& irq) {
    return syncline::platform::ComponentDriver(
        {[this, base](std::uint32_t address) { return read(base + address); },
         [this, base](std::uint32_t address, std::uint32_t word) { write(base + address, word); },
         [&irq] {
           while (!irq) sc_core::wait(irq.posedge_event());
         }});
  }
  std::uint32_t read(std::uint32_t address) {
    std::uint32_t word = 0;
    access(tlm::TLM_READ_COMMAND, address, word);
    return word;
  }
  void write(std::uint32_t address, std::uint32_t word) { access(tlm::TLM_WRITE_COMMAND, address, word); }

 private:
  void run() { program_(*this); }
  void access(tlm::tlm_command command, std::uint32_t address, std::uint32_t& word) {
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
  std::function<void(BusCpu&)> program_;
};
