#include "protocols/transactions/getm/stall_buffer.h"

#include <algorithm>

namespace syncline::protocols::getm {

bool StallBuffer::park(const Request& request) {
  const auto line = std::find_if(lines_.begin(), lines_.end(),
                                 [&request](const Line& one) { return one.granule == request.granule; });
  if (line != lines_.end()) {
    if (line->requests.size() >= requests_) return false;
    line->requests.push_back({request});
    return true;
  }
  if (lines_.size() >= addresses_ || requests_ == 0) return false;
  lines_.push_back({request.granule, {{request}}});
  return true;
}

void StallBuffer::changed(const Metadata& metadata) {
  for (Line& line : lines_) {
    if (line.granule != metadata.granule) continue;
    for (Waiting& one : line.requests)
      one.may_go = !machine_->lets_wait(GranuleMachine::stimulus_of(one.request, true, false), metadata);
    return;
  }
}

void StallBuffer::release_all() {
  for (Line& line : lines_) {
    for (Waiting& one : line.requests) one.may_go = true;
  }
}

StallBuffer::Place StallBuffer::next() const {
  Place first;
  for (std::size_t n = 0; n < lines_.size(); ++n) {
    for (const Waiting& one : lines_[n].requests) {
      if (one.may_go && (first.request == nullptr || one.request.at < first.request->request.at)) first = {n, &one};
    }
  }
  return first;
}

std::optional<Request> StallBuffer::take() {
  const Place place = next();
  if (place.request == nullptr) return std::nullopt;
  const Request taken = place.request->request;
  std::vector<Waiting>& requests = lines_[place.line].requests;
  requests.erase(requests.begin() + (place.request - requests.data()));
  if (requests.empty()) lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(place.line));
  return taken;
}

std::size_t StallBuffer::size() const {
  std::size_t size = 0;
  for (const Line& line : lines_) size += line.requests.size();
  return size;
}

std::size_t StallBuffer::waiting_for(Granule granule) const {
  for (const Line& line : lines_) {
    if (line.granule == granule) return line.requests.size();
  }
  return 0;
}

void StallBuffer::encode(TimeEncoder& to) const {
  to.put(lines_.size());
  for (const Line& line : lines_) {
    to.put(line.requests.size());
    for (const Waiting& one : line.requests) getm::encode(one.request, to);
  }
}

void encode(const Request& request, TimeEncoder& to) {
  to.put(request.access == Access::store ? request.count : 0);
  to.put(request.granule);
  to.put(request.who);
  to.read_time(request.at);
  to.put(request.label);
}

}  // namespace syncline::protocols::getm
