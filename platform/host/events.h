// Events: marks that streams pass, of which other streams and the host hear.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "isa/exec/memory_map.h"
#include "platform/host/device.h"

namespace syncline::platform {

/// Of all devices of a machine. Plain bookkeeping: who passes a mark is told from outside.
class Events {
 public:
  /// What an event stands for from one record to the next.
  class Mark {
   public:
    bool passed() const { return passed_; }
    void pass();
    /// At once where it has been passed.
    void when_passed(std::function<void()> call);

   private:
    bool passed_ = false;
    std::vector<std::function<void()>> calls_;
  };

  EventHandle create(isa::DeviceNumber maker);
  /// A new mark, which `device` puts into a stream. UserError for an event that another device made.
  std::shared_ptr<Mark> record(EventHandle event, isa::DeviceNumber device);
  /// The newest one, passed where the event was never recorded. UserError for a handle of no event.
  const std::shared_ptr<Mark>& mark(EventHandle event) const;

 private:
  struct Event {
    isa::DeviceNumber maker;
    std::shared_ptr<Mark> mark;
  };
  std::vector<Event> events_;
};

}  // namespace syncline::platform
