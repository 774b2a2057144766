#include "platform/component/register_map.h"

#include <fmt/format.h>

namespace syncline::platform {
namespace {

std::string_view name(RegisterAccess access) {
  switch (access) {
    case RegisterAccess::read:
      return "read";
    case RegisterAccess::read_write:
      return "read, write";
    case RegisterAccess::write_ones_to_clear:
      break;
  }
  return "read, ones clear";
}

}  // namespace

const std::vector<RegisterInfo>& component_registers() {
  using Access = RegisterAccess;
  static const std::vector<RegisterInfo> registers{
      {Register::id, "ID", Access::read, "0x53594E43, \"SYNC\""},
      {Register::version, "VERSION", Access::read, "of this map: major number in the upper half, minor in the lower"},
      {Register::sms, "SMS", Access::read, "streaming multiprocessors"},
      {Register::warp_size, "WARP_SIZE", Access::read, "threads of a warp"},
      {Register::slots, "SLOTS", Access::read, "slots of the command queue"},
      {Register::window_bytes, "WINDOW_BYTES", Access::read, "size of the window"},
      {Register::control, "CONTROL", Access::read_write,
       "bit 0 `run`: commands are taken (1 at first); written ones of bit 1 `resume`: forget the error and go on "
       "behind the command that failed; of bit 2 `drop`: forget the commands that wait; of bit 3 `reset`: both, clear "
       "IRQ_STATUS, and take commands again after a fault of a kernel. They read as 0"},
      {Register::status, "STATUS", Access::read,
       "bit 0 `busy`: a command is under way; 1 `empty`, 2 `full`: the queue; 3 `error`: no command is taken until "
       "`resume`; 4 `halted`: after a fault commands fail until `reset`, and for ever where it stays 1 then"},
      {Register::doorbell, "DOORBELL", Access::read_write,
       "number of commands that have ever been queued. Command n is in slot n modulo SLOTS; writing n+1 queues it"},
      {Register::head, "HEAD", Access::read,
       "number of commands that have ended or were dropped; their slots are free"},
      {Register::fence, "FENCE", Access::read, "word 1 of the last command that ended well and had one other than 0"},
      {Register::irq_status, "IRQ_STATUS", Access::write_ones_to_clear,
       "bit 0 `done`: a command that asks for it has ended well; bit 1 `error`"},
      {Register::irq_mask, "IRQ_MASK", Access::read_write,
       "the output `irq` is high while IRQ_STATUS has a bit that is set here (0 at first)"},
      {Register::error_code, "ERROR_CODE", Access::read,
       "the first error since `resume`; its text, with a 0 behind, is at 0x400"},
      {Register::error_command, "ERROR_COMMAND", Access::read, "number of the command whose error that is"}};
  return registers;
}

const std::vector<CommandInfo>& component_commands() {
  static const std::vector<CommandInfo> commands{
      {Command::none, "none", "", "nothing: for its fence or its interrupt"},
      {Command::allocate, "allocate", "bytes (2)", "gives out device memory; result: its address"},
      {Command::free, "free", "address (2)", "takes it back"},
      {Command::write, "write", "address (2), place in the window, bytes", "copies from the window to device memory"},
      {Command::read, "read", "address (2), place in the window, bytes", "copies from device memory to the window"},
      {Command::fill, "fill", "address (2), bytes (2), value", "sets bytes of device memory"},
      {Command::load_module, "load_module", "place in the window, bytes", "loads a text in PTX; result: its number"},
      {Command::find_variable, "find_variable", "module, place of the name", "result: address of a module's variable"},
      {Command::launch, "launch",
       "module, place of the kernel's name, grid (3 words: x, y, z), block (3 words), bytes of dynamic shared memory, "
       "place and bytes of the arguments",
       "runs a kernel to its end. Arguments stand as the kernel's .param space has them; names end with a 0"},
      {Command::write_back, "write_back", "address (2), bytes (2)",
       "memory behind the GPU gets what its caches hold of these lines and it lacks"},
      {Command::refresh, "refresh", "address (2), bytes (2)",
       "the GPU's caches get what the memory behind it holds of these lines; what they have written themselves stays"}};
  return commands;
}

const std::vector<CommandErrorInfo>& component_errors() {
  static const std::vector<CommandErrorInfo> errors{
      {CommandError::none, "none", "nothing has failed"},
      {CommandError::queue_overflow, "queue_overflow", "the doorbell counts more commands than slots are free"},
      {CommandError::bad_command, "bad_command", "no command has this number"},
      {CommandError::bad_window, "bad_window", "the place lies outside the window, or a name there has no end"},
      {CommandError::bad_module, "bad_module", "the PTX has a mistake, or its variables no room"},
      {CommandError::unknown_name, "unknown_name", "no module, kernel or variable of this name or number"},
      {CommandError::bad_memory, "bad_memory", "device memory is full, or is not allocated where a command goes"},
      {CommandError::bad_launch, "bad_launch", "grid, block, shared memory or arguments do not fit the kernel"},
      {CommandError::program_fault, "program_fault",
       "a fault of the kernel, such as an address; it has ended, and the GPU halts until `reset`"},
      {CommandError::model_error, "model_error", "a model is broken, or makes no progress; the GPU halts for ever"},
      {CommandError::device_lost, "device_lost", "the GPU has halted before, and was not reset"}};
  return errors;
}

std::string component_reference() {
  std::string text = "| address | register | access | |\n|---|---|---|---|\n";
  for (const RegisterInfo& one : component_registers())
    text += fmt::format("| {:#05x} | {} | {} | {} |\n", static_cast<std::uint32_t>(one.address), one.name,
                        name(one.access), one.meaning);
  text += "\n| | command | operands, from word 2 on | |\n|---|---|---|---|\n";
  for (const CommandInfo& one : component_commands())
    text += fmt::format("| {} | `{}` | {} | {} |\n", static_cast<std::uint32_t>(one.command), one.name, one.operands,
                        one.meaning);
  text += "\n| ERROR_CODE | | |\n|---|---|---|\n";
  for (const CommandErrorInfo& one : component_errors())
    text += fmt::format("| {} | `{}` | {} |\n", static_cast<std::uint32_t>(one.error), one.name, one.meaning);
  return text;
}

}  // namespace syncline::platform
