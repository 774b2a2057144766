#include "platform/component/command_executor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::platform {
namespace {

std::uint64_t wide(const CommandSlot& slot, std::uint32_t word) {
  return slot[word] | std::uint64_t{slot[word + 1]} << 32;
}
DevicePointer pointer(const CommandSlot& slot, std::uint32_t word) {
  return DevicePointer{wide(slot, word)};
}
Dim3 dimensions(const CommandSlot& slot, std::uint32_t word) {
  return {slot[word], slot[word + 1], slot[word + 2]};
}

/// The parameter block of a kernel, cut into its parameters.
std::vector<Argument> cut_parameters(const isa::KernelInfo& kernel, const std::vector<std::uint8_t>& block) {
  if (block.size() != kernel.parameter_bytes)
    throw base::UserError(fmt::format("launch of kernel `{}`: the arguments have {} bytes, its parameters {}",
                                      kernel.name, block.size(), kernel.parameter_bytes));
  std::vector<Argument> arguments;
  for (const isa::KernelParameter& one : kernel.parameters) {
    const auto begin = block.begin() + static_cast<std::ptrdiff_t>(one.offset);
    arguments.push_back({Argument::Kind::bytes, {begin, begin + static_cast<std::ptrdiff_t>(one.bytes)}});
  }
  return arguments;
}

constexpr std::uint32_t first_operand = slot_word::operands;

}  // namespace

CommandOutcome CommandExecutor::outcome_of(std::exception_ptr failure, CommandError of_the_user) const {
  const bool for_ever = simulation_.context().scheduler.failure() != nullptr;
  try {
    std::rethrow_exception(std::move(failure));
  } catch (const base::UserError& error) {
    return {of_the_user, error.what(), 0, for_ever};
  } catch (const base::ProgramFault& fault) {
    return {CommandError::program_fault, fault.what(), 0, for_ever};
  } catch (const std::exception& error) {
    return {CommandError::model_error, error.what(), 0, true};
  }
}

CommandOutcome CommandExecutor::lost() const {
  const bool for_ever = simulation_.context().scheduler.failure() != nullptr;
  return {CommandError::device_lost,
          for_ever ? "the GPU has halted: no command is possible any more"
                   : "the GPU has halted: no command is possible before a reset",
          0, for_ever};
}

CommandOutcome CommandExecutor::execute(const CommandSlot& slot) {
  try {
    return {CommandError::none, {}, perform(slot)};
  } catch (const std::exception&) {
    return outcome_of(std::current_exception(), blame_);
  }
}

std::uint64_t CommandExecutor::perform(const CommandSlot& slot) {
  TimedDevice& device = simulation_.device();
  const std::uint32_t number = slot[slot_word::command] & ~slot_word::interrupt;
  blame_ = CommandError::bad_memory;
  switch (static_cast<Command>(number)) {
    case Command::none:
      return 0;
    case Command::allocate:
      return address(device.mem_alloc(wide(slot, first_operand)));
    case Command::free:
      device.mem_free(pointer(slot, first_operand));
      return 0;
    case Command::write:
      copy(slot, true);
      return 0;
    case Command::read:
      copy(slot, false);
      return 0;
    case Command::fill:
      device.memset_d8(pointer(slot, first_operand), static_cast<std::uint8_t>(slot[first_operand + 4]),
                       wide(slot, first_operand + 2), StreamHandle::default_stream);
      return 0;
    case Command::load_module:
      return load_module(slot);
    case Command::find_variable: {
      const std::string name = name_at(slot[first_operand + 1]);
      blame_ = CommandError::unknown_name;
      return address(device.module_get_global(ModuleHandle{slot[first_operand]}, name).address);
    }
    case Command::launch:
      launch(slot);
      return 0;
    case Command::write_back:
      settle(slot, true);
      return 0;
    case Command::refresh:
      settle(slot, false);
      return 0;
  }
  blame_ = CommandError::bad_command;
  throw base::UserError(fmt::format("no command has the number {}", number));
}

void CommandExecutor::check_window(std::uint32_t place, std::uint64_t bytes) {
  if (place <= window_bytes_ && bytes <= window_bytes_ - place) return;
  blame_ = CommandError::bad_window;
  throw base::UserError(
      fmt::format("{} bytes at place {:#x} do not lie in the window of {} bytes", bytes, place, window_bytes_));
}

std::vector<std::uint8_t> CommandExecutor::bytes_at(std::uint32_t place, std::uint64_t bytes) {
  check_window(place, bytes);
  std::vector<std::uint8_t> values(bytes);
  window_.read(std::uint64_t{component_area::window} + place, values.data(), bytes);
  return values;
}

std::string CommandExecutor::name_at(std::uint32_t place) {
  check_window(place, 1);
  const std::vector<std::uint8_t> rest = bytes_at(place, std::min(window_bytes_ - place, 4096U));
  const auto end = std::find(rest.begin(), rest.end(), 0);
  if (end == rest.end()) {
    blame_ = CommandError::bad_window;
    throw base::UserError(fmt::format("the name at place {:#x} of the window has no 0 at its end", place));
  }
  return {rest.begin(), end};
}

std::uint64_t CommandExecutor::load_module(const CommandSlot& slot) {
  const std::vector<std::uint8_t> text = bytes_at(slot[first_operand], slot[first_operand + 1]);
  simulation_.host().wait_for(simulation_.device().copy_time(text.size()));
  blame_ = CommandError::bad_module;
  return static_cast<std::uint64_t>(
      simulation_.device().module_load_text({reinterpret_cast<const char*>(text.data()), text.size()}, "module"));
}

void CommandExecutor::launch(const CommandSlot& slot) {
  TimedDevice& device = simulation_.device();
  const std::string name = name_at(slot[first_operand + 1]);
  const std::vector<std::uint8_t> block = bytes_at(slot[first_operand + 9], slot[first_operand + 10]);
  blame_ = CommandError::unknown_name;
  const KernelHandle kernel = device.module_get_function(ModuleHandle{slot[first_operand]}, name);
  blame_ = CommandError::bad_launch;
  const LaunchConfig config{dimensions(slot, first_operand + 2), dimensions(slot, first_operand + 5),
                            slot[first_operand + 8]};
  const std::vector<Argument> arguments = cut_parameters(device.kernel(kernel), block);
  simulation_.work_begins();
  device.launch_kernel(kernel, config, arguments);
  device.synchronize();
  if (const std::exception_ptr fault = simulation_.take_fault()) std::rethrow_exception(fault);
}

void CommandExecutor::copy(const CommandSlot& slot, bool to_device) {
  const std::uint32_t place = slot[first_operand + 2], bytes = slot[first_operand + 3];
  std::vector<std::uint8_t> values = bytes_at(place, bytes);
  if (to_device) {
    simulation_.device().memcpy_htod(pointer(slot, first_operand), values.data(), bytes, StreamHandle::default_stream);
  } else {
    simulation_.device().memcpy_dtoh(values.data(), pointer(slot, first_operand), bytes, StreamHandle::default_stream);
    window_.write(std::uint64_t{component_area::window} + place, values.data(), bytes);
  }
}

void CommandExecutor::settle(const CommandSlot& slot, bool write_back) {
  const std::uint64_t begin = wide(slot, first_operand), bytes = wide(slot, first_operand + 2);
  simulation_.device().check_range(DevicePointer{begin}, bytes, write_back ? "write_back" : "refresh");
  simulation_.host().wait_for(simulation_.device().copy_time(bytes));
  const MemorySide& memory = simulation_.gpu().memory_side();
  if (write_back)
    memory.write_back(begin, bytes);
  else
    memory.refresh(begin, bytes);
}

}  // namespace syncline::platform
