// A GPU in a platform of somebody else's: a module with registers, an interrupt, and its memory or sockets for one.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "platform/component/command_executor.h"
#include "platform/component/register_file.h"
#include "platform/observe/kernel_log.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

struct ComponentOptions {
  std::uint32_t slots = 16;                           ///< of the command queue, 1 to 32
  std::uint32_t window = 64 * 1024;                   ///< bytes of the window, a multiple of 4
  sc_core::sc_time access_time{100, sc_core::SC_NS};  ///< of an access of the bus
  std::uint64_t seed = 1;                             ///< of chance, where the specification asks for it
  /// What is to be other than the specification says. Partitions that GpuOptions::own_memory names have their memory
  /// behind the socket `memory` of their number, which is to be bound.
  GpuOptions gpu;
};

/// A GPU behind registers. Whoever has the simulation calls sc_start; the component does not, stops nothing, keeps no
/// simulation alive that has nothing else to do, and any number of them stand side by side. What goes wrong in a
/// command is told by registers, and the GPU of another component goes on.
///
/// Registers, commands and errors are the tables of register_map.h. The queue is within the component: so a GPU needs
/// no memory of the bus's, no second initiator socket and no order between a bus's writes and its doorbell.
///
/// Accesses take place at their annotated time and take `access_time` more. Registers and slots are words of 32 bits:
/// other lengths, streaming and unaligned addresses are burst errors, byte enables byte enable errors, writes to what
/// is read only command errors, and addresses without a register address errors. The window is memory: all that LRM 14
/// allows. transport_dbg reads everything, without effects, and writes slots and window. Direct memory is refused.
class GpuComponent : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(GpuComponent);
  GpuComponent(const sc_core::sc_module_name& name, const PlatformSpec& spec, const ComponentOptions& options = {});
  /// `platform`: a name in configs/, or a file; `settings` as those of --set.
  GpuComponent(const sc_core::sc_module_name& name, const std::string& platform, std::vector<std::string> settings = {},
               const ComponentOptions& options = {});
  ~GpuComponent() override;

  tlm_utils::simple_target_socket<GpuComponent> target{"target"};
  sc_core::sc_out<bool> irq{"irq"};
  /// Behind the L2 of a partition: base protocol, addresses from 0 to gpu().channel_bytes(). UserError where the
  /// partition has a memory of its own.
  models::MemoryLink& memory(unsigned partition);

  /// For a ForeignPort, an observer, or a look at its blocks.
  Simulation& simulation() { return simulation_; }
  Gpu& gpu() { return simulation_.gpu(); }
  /// All statistics so far and those of each kernel, as --stats writes them (statistics_json.h).
  void write_statistics(std::ostream& out);

 private:
  enum class Access : std::uint8_t { timed, debug };

  void serve();
  void update_irq() { irq.write(registers_.irq()); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status access_register(tlm::tlm_generic_payload& payload, Access access);

  const sc_core::sc_time access_time_;
  const std::uint64_t seed_;
  sc_core::sc_event changed_{"changed"};
  Simulation simulation_;
  KernelLog kernels_{simulation_.context().statistics, [this] { return simulation_.core_clock().now(); }};
  RegisterFile registers_;
  CommandExecutor executor_;
  std::map<unsigned, std::unique_ptr<models::MemoryLink>> memories_;
};

}  // namespace syncline::platform
