// What a crossbar shows in waves.
#include <fmt/format.h>

#include "models/crossbar/crossbar.h"

namespace syncline::models {

void Crossbar::register_waves() {
  const TracedAs by_turns{Changes::with_block};
  traced(
      "crossbar", "queued_flits", 32, [this] { return queued_flits_; }, by_turns);
  traced(
      "crossbar", "blocked_messages", 32, [this] { return blocked_messages_; }, by_turns);
  for (unsigned i = 0; i < inputs_.size(); ++i) {
    const Input& input = *inputs_[i];
    traced("crossbar", fmt::format("in{}_flits", i), 16, [&input] { return input.flits; },
           {Changes::with_block, nullptr, false, &input.flits});
    const auto waiting = [this, &input] {
      const Message* const message = first_waiting(input);
      return message == nullptr ? 0 : context().families.kind_number(*message->family, message->kind);
    };
    traced("ports", fmt::format("in{}_message", i), 16, waiting, {Changes::with_block, context().message_names, true});
  }
  for (unsigned i = 0; i < outputs_.size(); ++i) {
    const Output& output = *outputs_[i];
    const std::uint64_t* const granted = &output.free_at;
    const auto busy = [this, &output] { return std::uint64_t{is_moving(output)}; };
    traced("crossbar", fmt::format("out{}_busy", i), 1, busy, {Changes::until_zero, nullptr, false, granted});
    const auto moving = [this, &output] { return kind_of(output); };
    traced("ports", fmt::format("out{}_message", i), 16, moving,
           {Changes::until_zero, context().message_names, true, granted});
    const auto line = [this, &output] { return is_moving(output) ? output.line.value() : 0; };
    traced("ports", fmt::format("out{}_line", i), 64, line, {Changes::until_zero, nullptr, true, granted});
  }
}

/// Of the heads of its queues the one that may go first.
const Message* Crossbar::first_waiting(const Input& input) const {
  const Queued* first = nullptr;
  for (const InputQueue& queue : input.queues) {
    if (!queue.fifo.empty() && (first == nullptr || queue.fifo.front().ready < first->ready))
      first = &queue.fifo.front();
  }
  return first == nullptr ? nullptr : first->message;
}

std::uint64_t Crossbar::message_about(base::LineAddress line) const {
  for (const auto& output : outputs_) {
    if (is_moving(*output) && output->line == line) return kind_of(*output);
  }
  for (const auto& input : inputs_) {
    for (const InputQueue& queue : input->queues) {
      for (const Queued& queued : queue.fifo) {
        if (queued.message->line == line)
          return context().families.kind_number(*queued.message->family, queued.message->kind);
      }
    }
  }
  return 0;
}

}  // namespace syncline::models
