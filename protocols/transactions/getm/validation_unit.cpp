#include "protocols/transactions/getm/validation_unit.h"

#include "base/error.h"

namespace syncline::protocols::getm {

namespace {
GranuleMachine::Stimulus stimulus_of(const Request& request, bool room, bool stopped) {
  const Event event = request.access == Access::load ? Event::Load : Event::Store;
  return {event, request.who, request.at, request.count, room, stopped};
}
}  // namespace

Answer ValidationUnit::decide(const Request& request) {
  Answer answer;
  answer.request = request;
  Metadata& entry = table_.at(request.granule, answer.cost);
  answer.seen = entry.latest();
  const Effect effect = machine_->perform(stimulus_of(request, stalled_.has_room(request.granule), stopped_), entry);
  if ((effect.answers ? 1 : 0) + (effect.queues ? 1 : 0) + (effect.refused != AbortCause::none ? 1 : 0) != 1)
    throw base::ModelError("a request has no verdict, or several");
  if (effect.rolls_over) wants_rollover_ = true;
  if (effect.queues) stalled_.park(request);
  answer.cause = effect.refused;
  answer.verdict = effect.queues ? Verdict::queued : effect.answers ? Verdict::done : Verdict::refused;
  table_.tidy();
  return answer;
}

/// Not only who finds the granule free now, or reserved for its own warp by another lane. A request that came between
/// may have reserved the granule at a later time; if a waiting one that has become too early for it stayed, warps could
/// wait for each other in a circle.
const Request* ValidationUnit::next() const {
  return stalled_.oldest([this](const Request& request) {
    const Metadata* const entry = table_.find(request.granule);
    return entry == nullptr || !machine_->lets_wait(stimulus_of(request, true, stopped_), *entry);
  });
}

std::optional<Answer> ValidationUnit::retry() {
  const Request* const request = next();
  if (request == nullptr) return std::nullopt;
  return decide(stalled_.take(request));
}

ValidationUnit::Applied ValidationUnit::apply(const LogEntry& entry) {
  Applied applied;
  Metadata& metadata = table_.at(entry.granule, applied.cost);
  const Event event = entry.commits ? Event::Commit : Event::Clean_Up;
  applied.writes = machine_->perform({event, entry.who, 0, entry.writes}, metadata).writes;
  table_.tidy();
  return applied;
}

void ValidationUnit::restart() {
  table_.clear();
  wants_rollover_ = stopped_ = false;
}

void ValidationUnit::encode(TimeEncoder& to) const {
  to.put((wants_rollover_ ? 2U : 0U) + (stopped_ ? 1U : 0U));
  table_.encode(to);
  stalled_.encode(to);
}

}  // namespace syncline::protocols::getm
