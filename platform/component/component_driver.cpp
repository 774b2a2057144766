#include "platform/component/component_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/round_up.h"

namespace syncline::platform {
namespace {

std::uint32_t low(std::uint64_t value) {
  return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

/// As the .param space of a kernel has them: each at a multiple of its size.
std::vector<std::uint8_t> parameter_block(const std::vector<Argument>& args) {
  std::vector<std::uint8_t> block;
  for (const Argument& one : args) {
    block.resize(base::round_up(block.size(), std::clamp<std::size_t>(one.data.size(), 1, 8)));
    block.insert(block.end(), one.data.begin(), one.data.end());
  }
  return block;
}

}  // namespace

ComponentDriver::ComponentDriver(Bus bus) : bus_(std::move(bus)) {
  if (word(Register::id) != component_id || word(Register::version) >> 16 != component_version >> 16)
    throw base::UserError(fmt::format("no GPU with this map of registers is there: ID is {:#x}, VERSION {:#x}",
                                      word(Register::id), word(Register::version)));
  slots_ = word(Register::slots);
  window_bytes_ = word(Register::window_bytes);
  set(Register::irq_mask, irq_bit::done | irq_bit::error);
}

std::uint64_t ComponentDriver::run(Command command, const std::vector<std::uint32_t>& words) {
  const std::uint32_t number = word(Register::doorbell), slot = number % slots_;
  const std::uint32_t at = component_area::queue + slot * static_cast<std::uint32_t>(sizeof(CommandSlot));
  bus_.write(at, static_cast<std::uint32_t>(command) | slot_word::interrupt);
  bus_.write(at + 4 * slot_word::fence, number + 1);
  for (std::uint32_t i = 0; i < words.size(); ++i) bus_.write(at + 4 * (slot_word::operands + i), words[i]);
  set(Register::doorbell, number + 1);
  bus_.wait_for_interrupt();
  set(Register::irq_status, irq_bit::done | irq_bit::error);
  return outcome(at);
}

std::uint64_t ComponentDriver::outcome(std::uint32_t slot) const {
  if (word(Register::error_code) != static_cast<std::uint32_t>(CommandError::none)) {
    const std::string text = error_text();
    set(Register::control, control_bit::run | control_bit::resume);
    throw base::UserError(text);
  }
  const std::uint64_t upper = bus_.read(slot + 4 * (slot_word::result + 1));
  return upper << 32 | bus_.read(slot + 4 * slot_word::result);
}

void ComponentDriver::reset() const {
  set(Register::control, control_bit::run | control_bit::reset);
  if ((word(Register::status) & status_bit::halted) != 0)
    throw base::UserError(
        "the GPU stays halted after a reset: a model is broken, or a policy of it follows warps that cannot be ended");
}

std::string ComponentDriver::error_text() const {
  std::string text;
  for (std::uint32_t at = 0; at < component_area::error_text_bytes; at += 4) {
    const std::uint32_t word = bus_.read(component_area::error_text + at);
    char four[5] = {};
    std::memcpy(four, &word, 4);
    text += four;
    if (std::strlen(four) < 4) break;
  }
  return text;
}

void ComponentDriver::to_window(std::uint32_t place, const void* from, std::uint32_t bytes) const {
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, static_cast<const std::uint8_t*>(from) + at, std::min(4U, bytes - at));
    bus_.write(component_area::window + place + at, word);
  }
}

void ComponentDriver::from_window(std::uint32_t place, void* to, std::uint32_t bytes) const {
  for (std::uint32_t at = 0; at < bytes; at += 4) {
    const std::uint32_t word = bus_.read(component_area::window + place + at);
    std::memcpy(static_cast<std::uint8_t*>(to) + at, &word, std::min(4U, bytes - at));
  }
}

std::uint64_t ComponentDriver::allocate(std::uint64_t bytes) {
  return run(Command::allocate, {low(bytes), high(bytes)});
}

void ComponentDriver::free(std::uint64_t address) {
  run(Command::free, {low(address), high(address)});
}

void ComponentDriver::write(std::uint64_t address, const void* from, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes;) {
    const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(window_bytes_, bytes - done));
    to_window(0, static_cast<const std::uint8_t*>(from) + done, part);
    run(Command::write, {low(address + done), high(address + done), 0, part});
    done += part;
  }
}

void ComponentDriver::read(std::uint64_t address, void* to, std::uint64_t bytes) {
  for (std::uint64_t done = 0; done < bytes;) {
    const auto part = static_cast<std::uint32_t>(std::min<std::uint64_t>(window_bytes_, bytes - done));
    run(Command::read, {low(address + done), high(address + done), 0, part});
    from_window(0, static_cast<std::uint8_t*>(to) + done, part);
    done += part;
  }
}

void ComponentDriver::fill(std::uint64_t address, std::uint64_t bytes, std::uint8_t value) {
  run(Command::fill, {low(address), high(address), low(bytes), high(bytes), value});
}

std::uint32_t ComponentDriver::load_module(std::string_view ptx) {
  if (ptx.size() > window_bytes_)
    throw base::UserError(
        fmt::format("a module of {} bytes does not go through a window of {}", ptx.size(), window_bytes_));
  to_window(0, ptx.data(), low(ptx.size()));
  return low(run(Command::load_module, {0, low(ptx.size())}));
}

std::uint64_t ComponentDriver::find_variable(std::uint32_t module, std::string_view name) {
  const std::string text(name);
  to_window(0, text.c_str(), low(text.size()) + 1);
  return run(Command::find_variable, {module, 0});
}

void ComponentDriver::launch(std::uint32_t module, std::string_view kernel, const LaunchConfig& config,
                             const std::vector<Argument>& args) {
  const std::string name(kernel);
  const std::vector<std::uint8_t> block = parameter_block(args);
  const auto behind = static_cast<std::uint32_t>(base::round_up(name.size() + 1, std::size_t{8}));
  to_window(0, name.c_str(), low(name.size()) + 1);
  to_window(behind, block.data(), low(block.size()));
  const auto& [grid, cta, shared_bytes, stream] = config;
  run(Command::launch,
      {module, 0, grid.x, grid.y, grid.z, cta.x, cta.y, cta.z, shared_bytes, behind, low(block.size())});
}

void ComponentDriver::write_back(std::uint64_t address, std::uint64_t bytes) {
  run(Command::write_back, {low(address), high(address), low(bytes), high(bytes)});
}

void ComponentDriver::refresh(std::uint64_t address, std::uint64_t bytes) {
  run(Command::refresh, {low(address), high(address), low(bytes), high(bytes)});
}

}  // namespace syncline::platform
