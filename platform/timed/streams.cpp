#include "platform/timed/streams.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace syncline::platform {

StreamHandle Streams::create() {
  streams_.emplace_back();
  return StreamHandle{first_handle_ + static_cast<std::uint32_t>(streams_.size() - 1)};
}

void Streams::push(StreamHandle stream, Start start) {
  const std::size_t queue = queue_of(stream);
  streams_[queue].works.push_back({++last_, std::move(start)});
  if (streams_[queue].works.size() == 1) start_head(queue);
}

/// Work may end within its start, and many a work after it: they are no deeper on the host's stack for that.
void Streams::start_head(std::size_t number) {
  Queue& queue = streams_[number];
  if (queue.starting) return;
  queue.starting = true;
  for (Ticket done = 0; !queue.works.empty() && queue.works.front().ticket != done;) {
    done = queue.works.front().ticket;
    const Start start = std::move(queue.works.front().start);
    start(done);
  }
  queue.starting = false;
}

void Streams::ended(Ticket ticket) {
  const auto queue = std::find_if(streams_.begin(), streams_.end(), [ticket](const Queue& q) {
    return !q.works.empty() && q.works.front().ticket == ticket;
  });
  if (queue == streams_.end()) throw base::ModelError(fmt::format("work {} ended, but heads no stream", ticket));
  queue->works.pop_front();
  start_head(static_cast<std::size_t>(queue - streams_.begin()));
}

bool Streams::all_idle() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const Queue& queue) { return queue.works.empty(); });
}

}  // namespace syncline::platform
