#include "models/transport/message_listener.h"

#include <algorithm>
#include <utility>

namespace syncline::models {

void MessageListeners::add(std::shared_ptr<MessageListener> listener) {
  if (std::find(all_.begin(), all_.end(), listener) == all_.end()) all_.push_back(std::move(listener));
}

void MessageListeners::requested(const Message& request, const LineAccess& access) {
  for (const auto& one : all_) one->requested(request, access);
}

void MessageListeners::completed(const Message& reply, const LineAccess& access) {
  for (const auto& one : all_) one->completed(reply, access);
}

void MessageListeners::made(const Message& message, const CacheController& by, const Message* cause) {
  for (const auto& one : all_) one->made(message, by, cause);
}

void MessageListeners::sent(const Message& message, const Block& to, std::uint64_t arrival_ps) {
  for (const auto& one : all_) one->sent(message, to, arrival_ps);
}

void MessageListeners::step(const Message& message, CacheStep step, const CacheController& at, const Message* cause) {
  for (const auto& one : all_) one->step(message, step, at, cause);
}

void MessageListeners::in_atomic_unit(const Message& message, const CacheController& home, std::uint64_t until_ps) {
  for (const auto& one : all_) one->in_atomic_unit(message, home, until_ps);
}

void MessageListeners::memory_read(base::LineAddress line, MemoryStep step, const CacheController& home) {
  for (const auto& one : all_) one->memory_read(line, step, home);
}

void MessageListeners::state_changed(base::LineAddress line, std::uint8_t from, std::uint8_t to,
                                     const CacheController& at, const Message* cause) {
  for (const auto& one : all_) one->state_changed(line, from, to, at, cause);
}

void MessageListeners::ended(const Message& message) {
  for (const auto& one : all_) one->ended(message);
}

}  // namespace syncline::models
