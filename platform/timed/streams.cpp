#include "platform/timed/streams.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::platform {

StreamHandle Streams::create() {
  streams_.emplace_back();
  return StreamHandle{static_cast<std::uint32_t>(streams_.size() - 1)};
}

void Streams::check(StreamHandle stream) const {
  if (static_cast<std::size_t>(stream) >= streams_.size())
    throw base::UserError(fmt::format("stream handle {} is not one of the {} streams of this device",
                                      static_cast<std::uint32_t>(stream), streams_.size()));
}

void Streams::push(StreamHandle stream, base::GridId grid) {
  auto& queue = streams_[queue_of(stream)];
  queue.push_back(grid);
  if (queue.size() == 1) start_(grid);
}

void Streams::ended(base::GridId grid) {
  for (auto& queue : streams_) {
    if (queue.empty() || queue.front() != grid) continue;
    queue.pop_front();
    if (!queue.empty()) start_(queue.front());
    return;
  }
  throw base::ModelError(fmt::format("grid {} ended, but heads no stream", grid.value()));
}

bool Streams::all_idle() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& queue) { return queue.empty(); });
}

}  // namespace syncline::platform
