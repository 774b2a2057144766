#include "protocols/transactions/getm/validation.h"

#include "base/error.h"

namespace syncline::protocols::getm {

Validation::Look Validation::look(const Request& request) {
  Look look;
  look.answer.request = request;
  look.entry = &table_.at(request.granule, look.answer.cost);
  look.answer.seen = look.entry->latest();
  look.waits = machine_->lets_wait(GranuleMachine::stimulus_of(request, true, stopped_), *look.entry);
  return look;
}

Answer Validation::decide(const Look& look, bool parked) {
  Answer answer = look.answer;
  const Effect effect =
      machine_->perform(GranuleMachine::stimulus_of(answer.request, parked || !look.waits, stopped_), *look.entry);
  if ((effect.answers ? 1 : 0) + (effect.queues ? 1 : 0) + (effect.refused != AbortCause::none ? 1 : 0) != 1)
    throw base::ModelError("a request has no verdict, or several");
  if (effect.queues != parked) throw base::ModelError("a request waits in no stall buffer, or is not to and does");
  if (effect.rolls_over) wants_rollover_ = true;
  answer.cause = effect.refused;
  answer.verdict = effect.queues ? Verdict::queued : effect.answers ? Verdict::done : Verdict::refused;
  table_.tidy();
  return answer;
}

Validation::Applied Validation::apply(const LogEntry& entry) {
  Applied applied;
  Metadata& metadata = table_.at(entry.granule, applied.cost);
  const Event event = entry.commits ? Event::Commit : Event::Clean_Up;
  applied.writes = machine_->perform({event, entry.who, 0, entry.writes}, metadata).writes;
  table_.tidy();
  return applied;
}

Metadata Validation::metadata(Granule granule) const {
  if (const Metadata* const entry = table_.find(granule); entry != nullptr) return *entry;
  Metadata unreserved;
  unreserved.granule = granule;
  return unreserved;
}

void Validation::restart() {
  table_.clear();
  wants_rollover_ = stopped_ = false;
}

void Validation::encode(TimeEncoder& to) const {
  to.put((wants_rollover_ ? 2U : 0U) + (stopped_ ? 1U : 0U));
  table_.encode(to);
}

}  // namespace syncline::protocols::getm
