#include "platform/host/events.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace syncline::platform {
namespace {

std::string text_of(isa::DeviceNumber device) {
  return device == isa::all_devices ? "the device that is all GPUs" : fmt::format("device {}", device);
}

}  // namespace

void Events::Mark::pass() {
  passed_ = true;
  for (const auto& call : std::exchange(calls_, {})) call();
}

void Events::Mark::when_passed(std::function<void()> call) {
  if (passed_) return call();
  calls_.push_back(std::move(call));
}

EventHandle Events::create(isa::DeviceNumber maker) {
  events_.push_back({maker, std::make_shared<Mark>()});
  events_.back().mark->pass();
  return EventHandle{static_cast<std::uint32_t>(events_.size() - 1)};
}

std::shared_ptr<Events::Mark> Events::record(EventHandle event, isa::DeviceNumber device) {
  mark(event);
  Event& known = events_[static_cast<std::size_t>(event)];
  if (known.maker != device)
    throw base::UserError(fmt::format("event_record of event {}: {} made it, and {} is to record it",
                                      static_cast<std::uint32_t>(event), text_of(known.maker), text_of(device)));
  known.mark = std::make_shared<Mark>();
  return known.mark;
}

const std::shared_ptr<Events::Mark>& Events::mark(EventHandle event) const {
  if (static_cast<std::size_t>(event) >= events_.size())
    throw base::UserError(fmt::format("event handle {} is not one of the {} events of this machine",
                                      static_cast<std::uint32_t>(event), events_.size()));
  return events_[static_cast<std::size_t>(event)].mark;
}

}  // namespace syncline::platform
