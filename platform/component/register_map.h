// What a program on a bus sees of a GPU as a component (gpu_component.h): addresses, registers, commands and errors.
// Each is one row of one table, by which accesses are checked and which docs/how-to-component.md repeats.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

/// Registers, by their addresses. All are words of 32 bits, in the host's byte order (LRM 14.18).
enum class Register : std::uint32_t {
  id = 0x00,
  version = 0x04,
  sms = 0x08,
  warp_size = 0x0C,
  slots = 0x10,
  window_bytes = 0x14,
  control = 0x20,
  status = 0x24,
  doorbell = 0x28,
  head = 0x2C,
  fence = 0x30,
  irq_status = 0x38,
  irq_mask = 0x3C,
  error_code = 0x40,
  error_command = 0x44
};

/// Areas of the address space behind the registers.
namespace component_area {
inline constexpr std::uint32_t error_text = 0x400, error_text_bytes = 0x400;
inline constexpr std::uint32_t queue = 0x800, max_slots = 32;
inline constexpr std::uint32_t window = 0x1'0000;
}  // namespace component_area

inline constexpr std::uint32_t component_id = 0x53594E43;  ///< "SYNC"
inline constexpr std::uint32_t component_version = 0x0001'0001;

namespace control_bit {
inline constexpr std::uint32_t run = 1, resume = 2, drop = 4, reset = 8;
}
namespace status_bit {
inline constexpr std::uint32_t busy = 1, empty = 2, full = 4, error = 8, halted = 16;
}
namespace irq_bit {
inline constexpr std::uint32_t done = 1, error = 2;
}

/// A slot of the queue: a command that is written before the doorbell, and its outcome behind it.
using CommandSlot = std::array<std::uint32_t, 16>;
namespace slot_word {
inline constexpr std::uint32_t command = 0, fence = 1, operands = 2, outcome = 13, result = 14;
inline constexpr std::uint32_t interrupt = 0x8000'0000;  ///< beside the command: irq_status.done when it has ended
inline constexpr std::uint32_t waits = 0, done = 1, failed = 2;  ///< of `outcome`
}  // namespace slot_word

enum class Command : std::uint32_t {
  none,
  allocate,
  free,
  write,
  read,
  fill,
  load_module,
  find_variable,
  launch,
  write_back,
  refresh
};

/// Register::error_code.
enum class CommandError : std::uint32_t {
  none,
  queue_overflow,
  bad_command,
  bad_window,
  bad_module,
  unknown_name,
  bad_memory,
  bad_launch,
  program_fault,
  model_error,
  device_lost
};

enum class RegisterAccess : std::uint8_t { read, read_write, write_ones_to_clear };

struct RegisterInfo {
  Register address;
  std::string_view name;
  RegisterAccess access;
  std::string_view meaning;
};
struct CommandInfo {
  Command command;
  std::string_view name;
  std::string_view operands;  ///< from slot_word::operands on; (2) is of two words, the lower one first
  std::string_view meaning;   ///< and what the two words of the result are
};
struct CommandErrorInfo {
  CommandError error;
  std::string_view name;
  std::string_view meaning;
};

const std::vector<RegisterInfo>& component_registers();
const std::vector<CommandInfo>& component_commands();
const std::vector<CommandErrorInfo>& component_errors();

/// The three tables as Markdown.
std::string component_reference();

}  // namespace syncline::platform
