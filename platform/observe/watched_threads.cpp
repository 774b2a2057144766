#include "platform/observe/watched_threads.h"

namespace syncline::platform {

const base::SmId WatchedThreads::host(~std::uint16_t{0});
const base::SmId WatchedThreads::other_module(~std::uint16_t{1});

std::uint32_t WatchedThreads::started(const models::WarpIdentity& warp) {
  std::vector<Running>& slots = running_.at(warp.sm.value());
  if (slots.size() <= warp.slot) slots.resize(warp.slot + 1);
  const std::uint32_t before = slots[warp.slot].thread;
  slots[warp.slot] = {next(warp), ctas_, gpus_[warp.sm.value()], 0};
  return before;
}

std::uint32_t WatchedThreads::outsider(base::SmId who) {
  models::WarpIdentity nobodys;
  nobodys.sm = who;
  return next(nobodys);
}

std::uint32_t WatchedThreads::next(const models::WarpIdentity& who) {
  constexpr std::size_t remembered = 1U << 16U;
  if (who_.size() == 2 * remembered) {
    who_.erase(who_.begin(), who_.begin() + remembered);
    first_ += remembered;
  }
  who_.push_back(who);
  return next_++;
}

const WatchedThreads::Running* WatchedThreads::of(const models::Message& message) const {
  const unsigned sm = message.requester.index;
  return message.order == 0 || sm >= running_.size() ? nullptr : &running_[sm].at(message.warp.value());
}

const WatchedThreads::Running* WatchedThreads::in_slot_of(const models::Message& message) const {
  const unsigned sm = message.requester.index, slot = message.warp.value();
  if (message.requester.kind == models::NodeKind::home || sm >= running_.size() || slot >= running_[sm].size())
    return nullptr;
  const Running& running = running_[sm][slot];
  return running.thread == nobody ? nullptr : &running;
}

const models::WarpIdentity* WatchedThreads::who(std::uint32_t thread) const {
  return thread < first_ || thread - first_ >= who_.size() ? nullptr : &who_[thread - first_];
}

}  // namespace syncline::platform
