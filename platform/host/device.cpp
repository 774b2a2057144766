#include "platform/host/device.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::platform {

Device& Device::device(unsigned number) {
  require_device("device", number);
  return *this;
}

bool Device::can_access_peer(unsigned peer) const {
  require_device("can_access_peer", peer);
  return false;
}

void Device::enable_peer_access(unsigned peer) {
  require_device("enable_peer_access", peer);
  throw base::UserError(fmt::format("enable_peer_access({}): this machine has one device, and no peers", peer));
}

void Device::require_device(const char* call, unsigned number) const {
  if (number < device_count()) return;
  throw base::UserError(fmt::format("{}({}): the machine has {} device{}, numbered from 0 (`modules.gpus`)", call,
                                    number, device_count(), device_count() == 1 ? "" : "s"));
}

}  // namespace syncline::platform
