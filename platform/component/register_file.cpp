#include "platform/component/register_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace syncline::platform {
namespace {

bool halts(CommandError error) {
  return error == CommandError::program_fault || error == CommandError::model_error;
}

}  // namespace

RegisterFile::RegisterFile(const Shape& shape, std::function<void()> changed)
    : shape_(shape),
      changed_(std::move(changed)),
      queue_(std::size_t{shape.slots} * words_per_slot),
      memory_(std::uint64_t{component_area::window} + shape.window_bytes) {
  if (shape.slots == 0 || shape.slots > component_area::max_slots)
    throw base::UserError(
        fmt::format("a command queue has 1 to {} slots, not {}", component_area::max_slots, shape.slots));
  if (shape.window_bytes == 0 || shape.window_bytes % 4 != 0)
    throw base::UserError(fmt::format("the window is of words of 4 bytes, not of {} bytes", shape.window_bytes));
}

std::uint32_t RegisterFile::status() const {
  const auto bit = [](bool is, std::uint32_t value) { return is ? value : 0; };
  return bit(busy_, status_bit::busy) | bit(head_ == tail_, status_bit::empty) |
         bit(tail_ - head_ == shape_.slots, status_bit::full) | bit(error_ != CommandError::none, status_bit::error) |
         bit(halted_, status_bit::halted);
}

std::optional<std::uint32_t> RegisterFile::register_value(std::uint32_t address) const {
  switch (static_cast<Register>(address)) {
    case Register::id:
      return component_id;
    case Register::version:
      return component_version;
    case Register::sms:
      return shape_.sms;
    case Register::warp_size:
      return shape_.warp_size;
    case Register::slots:
      return shape_.slots;
    case Register::window_bytes:
      return shape_.window_bytes;
    case Register::control:
      return run_ ? control_bit::run : 0;
    case Register::status:
      return status();
    case Register::doorbell:
      return tail_;
    case Register::head:
      return head_;
    case Register::fence:
      return fence_;
    case Register::irq_status:
      return irq_status_;
    case Register::irq_mask:
      return irq_mask_;
    case Register::error_code:
      return static_cast<std::uint32_t>(error_);
    case Register::error_command:
      return error_command_;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> RegisterFile::place_in_queue(std::uint32_t address) const {
  if (address < component_area::queue) return std::nullopt;
  const std::uint32_t place = (address - component_area::queue) / 4;
  if (place >= queue_.size()) return std::nullopt;
  return place;
}

std::uint32_t RegisterFile::error_text_word(std::uint32_t offset) const {
  std::uint32_t word = 0;
  if (offset < error_text_.size())
    std::memcpy(&word, error_text_.data() + offset, std::min<std::size_t>(4, error_text_.size() - offset));
  return word;
}

RegisterFile::Answer RegisterFile::read(std::uint32_t address, std::uint32_t& word) const {
  if (address >= component_area::error_text &&
      address < component_area::error_text + component_area::error_text_bytes) {
    word = error_text_word(address - component_area::error_text);
  } else if (const auto place = place_in_queue(address)) {
    word = queue_[*place];
  } else if (const auto value = register_value(address)) {
    word = *value;
  } else {
    return Answer::unmapped;
  }
  return Answer::done;
}

RegisterFile::Answer RegisterFile::write(std::uint32_t address, std::uint32_t word) {
  const auto& registers = component_registers();
  const auto known = std::find_if(registers.begin(), registers.end(), [address](const RegisterInfo& one) {
    return static_cast<std::uint32_t>(one.address) == address;
  });
  if (known == registers.end()) return debug_write(address, word);
  if (known->access == RegisterAccess::read) return Answer::read_only;
  switch (known->address) {
    case Register::control:
      control(word);
      break;
    case Register::doorbell:
      ring(word);
      break;
    case Register::irq_status:
      irq_status_ &= ~word;
      break;
    default:
      irq_mask_ = word;
      break;
  }
  changed_();
  return Answer::done;
}

RegisterFile::Answer RegisterFile::debug_write(std::uint32_t address, std::uint32_t word) {
  if (const auto place = place_in_queue(address)) {
    queue_[*place] = word;
    return Answer::done;
  }
  return read(address, word) == Answer::done ? Answer::read_only : Answer::unmapped;
}

void RegisterFile::ring(std::uint32_t tail) {
  if (tail - head_ > shape_.slots || tail - head_ < tail_ - head_)
    return fail(
        {CommandError::queue_overflow, fmt::format("the doorbell says {}, where it was {}; {} of {} slots are free",
                                                   tail, tail_, shape_.slots - (tail_ - head_), shape_.slots)});
  for (; tail_ != tail; ++tail_) slot(tail_)[slot_word::outcome] = slot_word::waits;
}

void RegisterFile::control(std::uint32_t word) {
  run_ = (word & control_bit::run) != 0;
  const bool resets = (word & control_bit::reset) != 0;
  if (resets || (word & control_bit::drop) != 0) tail_ = head_ + (busy_ ? 1 : 0);
  if (resets) {
    irq_status_ = 0;
    halted_ = lost_;
  }
  if (!resets && (word & control_bit::resume) == 0) return;
  error_ = CommandError::none;
  error_text_.clear();
}

const CommandSlot& RegisterFile::begin() {
  busy_ = true;
  std::copy_n(slot(head_), words_per_slot, running_.begin());
  return running_;
}

void RegisterFile::end(const CommandOutcome& outcome) {
  std::uint32_t* const ended = slot(head_);
  const bool well = outcome.error == CommandError::none;
  ended[slot_word::outcome] = well ? slot_word::done : slot_word::failed;
  ended[slot_word::result] = static_cast<std::uint32_t>(outcome.result);
  ended[slot_word::result + 1] = static_cast<std::uint32_t>(outcome.result >> 32);
  if (!well) {
    fail(outcome);
  } else {
    if (running_[slot_word::fence] != 0) fence_ = running_[slot_word::fence];
    if ((running_[slot_word::command] & slot_word::interrupt) != 0) irq_status_ |= irq_bit::done;
  }
  busy_ = false;
  ++head_;
  changed_();
}

void RegisterFile::halt(const CommandOutcome& outcome) {
  fail(outcome);
  changed_();
}

void RegisterFile::fail(const CommandOutcome& outcome) {
  irq_status_ |= irq_bit::error;
  lost_ = lost_ || outcome.for_ever;
  halted_ = halted_ || lost_ || halts(outcome.error);
  if (error_ != CommandError::none) return;
  error_ = outcome.error;
  error_command_ = outcome.error == CommandError::queue_overflow ? tail_ : head_;
  error_text_ = outcome.text.substr(0, component_area::error_text_bytes - 1);
}

}  // namespace syncline::platform
