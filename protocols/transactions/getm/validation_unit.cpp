#include "protocols/transactions/getm/validation_unit.h"

namespace syncline::protocols::getm {

Answer ValidationUnit::present(const Request& request) {
  const Validation::Look look = validation_.look(request);
  const Answer answer = validation_.decide(look, look.waits && stalled_.park(request));
  tell(request.granule);
  return answer;
}

std::optional<Answer> ValidationUnit::retry() {
  const std::optional<Request> request = stalled_.take();
  if (!request) return std::nullopt;
  return present(*request);
}

Validation::Applied ValidationUnit::apply(const LogEntry& entry) {
  const Validation::Applied applied = validation_.apply(entry);
  tell(entry.granule);
  return applied;
}

void ValidationUnit::stop() {
  validation_.stop();
  stalled_.release_all();
}

void ValidationUnit::encode(TimeEncoder& to) const {
  validation_.encode(to);
  stalled_.encode(to);
}

void ValidationUnit::tell(Granule granule) {
  if (!stalled_.empty() && !validation_.stopped()) stalled_.changed(validation_.metadata(granule));
}

}  // namespace syncline::protocols::getm
