// The state behind the registers of a GPU as a component: the command queue, its errors and interrupts. Knows no time
// and no GPU; who executes the commands takes them from here, and says here how they ended.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/dram/sparse_memory.h"
#include "platform/component/register_map.h"

namespace syncline::platform {

/// How a command ended.
struct CommandOutcome {
  CommandError error = CommandError::none;
  std::string text;          ///< of the error
  std::uint64_t result = 0;  ///< where it ended well
  bool for_ever = false;     ///< where it did not: nothing will ever run again
};

class RegisterFile {
 public:
  struct Shape {
    std::uint32_t sms = 0, warp_size = 0;
    std::uint32_t slots = 0;         ///< 1 to component_area::max_slots
    std::uint32_t window_bytes = 0;  ///< a multiple of 4
  };
  /// `changed`: called when there may be a command to take, or another level of the interrupt.
  RegisterFile(const Shape& shape, std::function<void()> changed);

  enum class Answer : std::uint8_t { done, unmapped, read_only };
  /// One word of registers, error text or slots; `address` is a multiple of 4 below component_area::window.
  Answer read(std::uint32_t address, std::uint32_t& word) const;
  Answer write(std::uint32_t address, std::uint32_t word);
  /// Only slots: what a debugger may change without an effect.
  Answer debug_write(std::uint32_t address, std::uint32_t word);

  bool irq() const { return (irq_status_ & irq_mask_) != 0; }
  /// Bytes of the window are at their addresses of the component.
  models::SparseMemory& memory() { return memory_; }
  std::uint32_t end_of_window() const { return component_area::window + shape_.window_bytes; }

  // For who executes the commands.
  bool ready() const { return run_ && error_ == CommandError::none && head_ != tail_; }
  bool halted() const { return halted_; }
  /// A copy: slots are the user's.
  const CommandSlot& begin();
  /// The command of `begin` has ended.
  void end(const CommandOutcome& outcome);
  /// Something failed that no command is to blame for, and the GPU halts.
  void halt(const CommandOutcome& outcome);

 private:
  static constexpr std::uint32_t words_per_slot = std::tuple_size_v<CommandSlot>;
  std::uint32_t* slot(std::uint32_t number) { return &queue_[number % shape_.slots * words_per_slot]; }
  void ring(std::uint32_t tail);
  void control(std::uint32_t word);
  void fail(const CommandOutcome& outcome);
  std::uint32_t status() const;
  std::optional<std::uint32_t> register_value(std::uint32_t address) const;
  /// Place in `queue_`; none: no slot is there.
  std::optional<std::uint32_t> place_in_queue(std::uint32_t address) const;
  std::uint32_t error_text_word(std::uint32_t offset) const;

  const Shape shape_;
  const std::function<void()> changed_;
  std::vector<std::uint32_t> queue_;  ///< slot by slot
  CommandSlot running_{};
  models::SparseMemory memory_;
  std::uint32_t head_ = 0, tail_ = 0, fence_ = 0;  ///< the first two count for ever, modulo 2^32
  std::uint32_t irq_status_ = 0, irq_mask_ = 0;
  bool run_ = true, busy_ = false, halted_ = false, lost_ = false;
  CommandError error_ = CommandError::none;
  std::uint32_t error_command_ = 0;
  std::string error_text_;
};

}  // namespace syncline::platform
