// The software's side of a GPU as a component: what a driver on a CPU does with its registers (register_map.h).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/component/register_map.h"
#include "platform/host/argument.h"
#include "platform/host/device.h"

namespace syncline::platform {

/// One command at a time: each call queues it, waits for its end and gives its result. UserError with the text of the
/// registers when it fails; the queue goes on behind it then. It knows nothing of TLM: how a word gets to the
/// component, and how to wait, is the CPU's.
class ComponentDriver {
 public:
  struct Bus {
    std::function<std::uint32_t(std::uint32_t address)> read;
    std::function<void(std::uint32_t address, std::uint32_t word)> write;
    /// Returns when the interrupt is high, at once if it is.
    std::function<void()> wait_for_interrupt;
  };
  /// Checks ID and VERSION, and unmasks both interrupts. UserError for something else than this map.
  explicit ComponentDriver(Bus bus);

  std::uint64_t allocate(std::uint64_t bytes);
  void free(std::uint64_t address);
  void write(std::uint64_t address, const void* from, std::uint64_t bytes);
  void read(std::uint64_t address, void* to, std::uint64_t bytes);
  void fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value);
  std::uint32_t load_module(std::string_view ptx);
  std::uint64_t find_variable(std::uint32_t module, std::string_view name);
  /// `arguments(...)` as for Device::launch_kernel; LaunchConfig::stream does not matter.
  void launch(std::uint32_t module, std::string_view kernel, const LaunchConfig& config,
              const std::vector<Argument>& args);
  void write_back(std::uint64_t address, std::uint64_t bytes);
  void refresh(std::uint64_t address, std::uint64_t bytes);

  /// After a fault of a kernel: takes commands again. Memory, modules and allocations are as they were, with what the
  /// kernel had written. UserError where the GPU stays halted.
  void reset() const;

  /// Any command: `words` are its operands. Returns its result.
  std::uint64_t run(Command command, const std::vector<std::uint32_t>& words);

  std::uint32_t word(Register address) const { return bus_.read(static_cast<std::uint32_t>(address)); }
  void set(Register address, std::uint32_t value) const { bus_.write(static_cast<std::uint32_t>(address), value); }
  std::string error_text() const;
  /// Bytes to the window, in words; behind the last one the rest of its word is 0.
  void to_window(std::uint32_t place, const void* from, std::uint32_t bytes) const;
  void from_window(std::uint32_t place, void* to, std::uint32_t bytes) const;

 private:
  std::uint64_t outcome(std::uint32_t slot) const;

  Bus bus_;
  std::uint32_t slots_ = 0, window_bytes_ = 0;
};

}  // namespace syncline::platform
