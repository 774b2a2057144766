// What the commands of a GPU as a component do (register_map.h), on the device of its simulation.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "models/dram/sparse_memory.h"
#include "platform/component/register_file.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

/// Copies, uploads of modules, `write_back` and `refresh` take the time of a copy of so many bytes over the host link
/// (`host.copy_latency`, `host.copy_bandwidth`); allocation and questions none; a launch what the kernel takes. All
/// calls come from the process of the simulation's host.
class CommandExecutor {
 public:
  /// `window`: with the component's addresses; places of commands count from component_area::window on, and end at
  /// `window_bytes`. Both outlive it.
  CommandExecutor(Simulation& simulation, models::SparseMemory& window, std::uint32_t window_bytes)
      : simulation_(simulation), window_(window), window_bytes_(window_bytes) {}

  /// Does it, and says how it ended; throws nothing.
  CommandOutcome execute(const CommandSlot& slot);
  /// How it ends when `failure` is what a block of the GPU threw, and when the GPU has halted before.
  CommandOutcome outcome_of(std::exception_ptr failure, CommandError of_the_user) const;
  CommandOutcome lost() const;

 private:
  std::uint64_t perform(const CommandSlot& slot);
  std::uint64_t load_module(const CommandSlot& slot);
  void launch(const CommandSlot& slot);
  void copy(const CommandSlot& slot, bool to_device);
  void settle(const CommandSlot& slot, bool write_back);
  std::vector<std::uint8_t> bytes_at(std::uint32_t place, std::uint64_t bytes);
  std::string name_at(std::uint32_t place);
  void check_window(std::uint32_t place, std::uint64_t bytes);

  Simulation& simulation_;
  models::SparseMemory& window_;
  const std::uint32_t window_bytes_;
  CommandError blame_ = CommandError::none;  ///< what a UserError means where the command is now
};

}  // namespace syncline::platform
