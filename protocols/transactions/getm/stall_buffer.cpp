#include "protocols/transactions/getm/stall_buffer.h"

#include <algorithm>

#include "base/error.h"

namespace syncline::protocols::getm {

bool StallBuffer::has_room(Granule granule) const {
  for (const Line& line : lines_) {
    if (line.granule == granule) return line.requests.size() < requests_;
  }
  return lines_.size() < addresses_ && requests_ != 0;
}

void StallBuffer::park(const Request& request) {
  if (!has_room(request.granule)) throw base::ModelError("a request waits in a stall buffer without room for it");
  const auto line =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& one) { return one.granule == request.granule; });
  (line == lines_.end() ? lines_.emplace_back(Line{request.granule, {}}) : *line).requests.push_back(request);
}

Request StallBuffer::take(const Request* request) {
  const Request taken = *request;
  const auto line =
      std::find_if(lines_.begin(), lines_.end(), [&](const Line& one) { return one.granule == taken.granule; });
  line->requests.erase(line->requests.begin() + (request - line->requests.data()));
  if (line->requests.empty()) lines_.erase(line);
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
    for (const Request& request : line.requests) getm::encode(request, to);
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
