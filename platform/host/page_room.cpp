#include "platform/host/page_room.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace syncline::platform {

PageRoom::Modules PageRoom::modules_of(isa::DeviceNumber device) const {
  const bool all = device == isa::all_devices;
  const unsigned first = all ? 0 : device * modules_.gpms, count = all ? modules_.gpus * modules_.gpms : modules_.gpms;
  if (modules_.fixed) return {first + *modules_.fixed % count, 1};
  return {first, count};
}

std::uint64_t PageRoom::free(isa::DeviceNumber device) const {
  const auto rest = [](std::uint64_t room, std::uint64_t used) { return room - std::min(room, used); };
  std::uint64_t used = 0;
  if (modules_.fixed) {
    const unsigned module = modules_of(device).first;
    if (modules_of(isa::all_devices).first == module) used += of_all_;
    for (unsigned gpu = 0; gpu < modules_.gpus; ++gpu) {
      if (modules_of(static_cast<isa::DeviceNumber>(gpu)).first == module) used += taken_[gpu];
    }
    return rest(all(device), used);
  }
  used = std::accumulate(taken_.begin(), taken_.end(), of_all_);
  const std::uint64_t of_machine = rest(all(isa::all_devices), used);
  if (device == isa::all_devices) return of_machine;
  const std::uint64_t of_others = modules_.placed ? modules_.placed(device) : 0;
  return std::min(of_machine, rest(all(device), taken(device) + of_others));
}

void PageRoom::take(isa::DeviceNumber device, std::uint64_t pages) {
  (device == isa::all_devices ? of_all_ : taken_.at(device)) += pages;
}

std::string PageRoom::where(isa::DeviceNumber device) const {
  const Modules modules = modules_of(device);
  if (modules.count == 1) return fmt::format("module {}", modules.first);
  return fmt::format("modules {} to {}", modules.first, modules.first + modules.count - 1);
}

}  // namespace syncline::platform
