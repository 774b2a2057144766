#include "models/transactions/getm/stall_port.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::models {

StallPort::~StallPort() {
  // A payload would delete its extension, which is a part of its command.
  for (Command& command : commands_) command.payload.clear_extension(&command.work);
}

StallPort::Command& StallPort::next() {
  if (under_way()) throw base::ModelError(fmt::format("{}: a command before the last one's answer", socket.name()));
  if (free_.empty()) {
    Command& made = commands_.emplace_back();
    made.payload.set_mm(this);
    made.payload.set_extension(&made.work);
    made.payload.set_command(tlm::TLM_IGNORE_COMMAND);
    return made;
  }
  Command& command = *free_.back();
  free_.pop_back();
  return command;
}

bool StallPort::send(Command& command) {
  const StallWork& work = command.work;
  command.payload.acquire();
  command.payload.set_address(work.command == StallCommand::changed ? work.metadata.granule : work.request.granule);
  command.payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sent_ = &command;
  answered_ = false;
  if (const auto at = link_.begin(command.payload)) note_answer(*at);
  return answered_;
}

void StallPort::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  if (sent_ == nullptr || &payload != &sent_->payload || answered_)
    throw base::ModelError(fmt::format("{}: the stall buffer answers what was not asked", socket.name()));
  note_answer(at);
  listener_.stall_buffer_ready(at);
}

void StallPort::note_answer(const sc_core::sc_time& at) {
  if (sent_->payload.get_response_status() != tlm::TLM_OK_RESPONSE)
    throw base::ModelError(fmt::format("{}: the stall buffer answered a command with {}", socket.name(),
                                       sent_->payload.get_response_string()));
  answered_ = true;
  answered_at_ = at;
}

StallWork StallPort::take() {
  StallWork work = sent_->work;
  Command& command = *sent_;
  sent_ = nullptr;
  command.payload.release();
  return work;
}

void StallPort::free(tlm::tlm_generic_payload* payload) {
  for (Command& command : commands_) {
    if (&command.payload == payload) free_.push_back(&command);
  }
}

}  // namespace syncline::models
