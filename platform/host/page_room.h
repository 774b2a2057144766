// How many pages the modules of a machine have room for, and whose they are.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "isa/exec/memory_map.h"

namespace syncline::platform {

/// Room of the modules of a machine (`modules.memory`).
struct ModuleRoom {
  unsigned gpus = 1, gpms = 1;
  std::uint64_t pages = 0;  ///< of each module; 0: no limit
  std::uint64_t page_bytes = 4096;
  /// The module that has all pages, of a GPU its module of that number modulo `gpms`; none: all modules have some.
  std::optional<unsigned> fixed;
  /// Pages of memory of all devices together that lie in modules of a GPU. Null: nobody knows.
  std::function<std::uint64_t(unsigned gpu)> placed;
};

/// A count of pages. Memory of one device has to lie in the modules of its GPU, that of all devices together in any;
/// so all pages that `free` allows find room in some module, in whichever order they are touched.
class PageRoom {
 public:
  explicit PageRoom(ModuleRoom modules) : modules_(std::move(modules)), taken_(modules_.gpus, 0) {}

  bool limited() const { return modules_.pages != 0; }
  std::uint64_t page_bytes() const { return modules_.page_bytes; }
  /// Pages that a device, or all devices together, may still take; where there is a limit.
  std::uint64_t free(isa::DeviceNumber device) const;
  /// Pages of the modules that the memory of the device may lie in.
  std::uint64_t all(isa::DeviceNumber device) const { return modules_.pages * modules_of(device).count; }
  void take(isa::DeviceNumber device, std::uint64_t pages);
  /// "module 3", "modules 2 to 3": those that the memory of the device may lie in.
  std::string where(isa::DeviceNumber device) const;

 private:
  struct Modules {
    unsigned first = 0, count = 0;
  };
  Modules modules_of(isa::DeviceNumber device) const;
  std::uint64_t taken(isa::DeviceNumber device) const {
    return device == isa::all_devices ? of_all_ : taken_.at(device);
  }

  const ModuleRoom modules_;
  std::vector<std::uint64_t> taken_;  ///< by device
  std::uint64_t of_all_ = 0;
};

}  // namespace syncline::platform
