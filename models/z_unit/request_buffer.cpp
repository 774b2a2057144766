#include "models/z_unit/request_buffer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace syncline::models {

const char* name(RequestStatus status) {
  static constexpr const char* names[] = {"invalid", "ready", "blocked", "active"};
  return names[static_cast<std::size_t>(status)];
}

RequestBuffer::RequestBuffer(std::uint32_t entries) : entries_(entries) {
  by_age_.reserve(entries);
}

Index RequestBuffer::insert(Message& message, unsigned parts, base::Cycle now) {
  const auto free = std::find_if(entries_.begin(), entries_.end(),
                                 [](const DepthRequest& request) { return request.status == RequestStatus::invalid; });
  if (free == entries_.end()) throw base::ModelError("a request for a buffer that is full");
  *free = {};
  free->status = RequestStatus::ready;
  free->message = &message;
  free->line = message.line;
  free->clears = depth_kind(message) == DepthKind::clear;
  free->parts = parts;
  free->ready_at = now + 1;
  free->accepted = now;
  by_age_.push_back(static_cast<Index>(free - entries_.begin()));
  return by_age_.back();
}

void RequestBuffer::release(Index index) {
  entries_[index].status = RequestStatus::invalid;
  by_age_.erase(std::find(by_age_.begin(), by_age_.end(), index));
}

bool RequestBuffer::behind_older(Index index, unsigned part) const {
  for (const Index older : by_age_) {
    if (older == index) return false;
    const DepthRequest& request = entries_[older];
    if (request.line == entries_[index].line && ((request.parts >> part) & 1U) != 0) return true;
  }
  return false;
}

Index RequestBuffer::schedulable(base::Cycle now) const {
  for (const Index index : by_age_) {
    const DepthRequest& request = entries_[index];
    const bool ready = request.status == RequestStatus::ready && request.ready_at <= now;
    if (ready && (!request.clears || index == by_age_.front())) return index;
    if (request.clears) return nowhere;
  }
  return nowhere;
}

base::Cycle RequestBuffer::next_schedulable(base::Cycle now) const {
  base::Cycle next = base::never;
  for (const Index index : by_age_) {
    const DepthRequest& request = entries_[index];
    if (request.status == RequestStatus::ready && (!request.clears || index == by_age_.front()))
      next = std::min(next, std::max(request.ready_at, now + 1));
    if (request.clears) break;
  }
  return next;
}

std::vector<std::string> RequestBuffer::describe() const {
  std::vector<std::string> lines;
  for (const Index index : by_age_) {
    const DepthRequest& request = entries_[index];
    std::string line =
        fmt::format("{} of SM {} warp {} at line {:#x}, accepted in cycle {}: {}", request.clears ? "clear" : "write",
                    request.message->requester.index, request.message->warp.value(), request.message->line.value(),
                    request.accepted, name(request.status));
    if (request.status == RequestStatus::blocked)
      line += request.waits_for_way ? ", waits for a block of its set"
                                    : fmt::format(", waits for depths {:#x}", request.waits_for.value());
    if (request.acks != 0) line += fmt::format(", {} writes are not acknowledged", request.acks);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace syncline::models
