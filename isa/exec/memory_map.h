// Which device addresses are backed by something: allocations and module variables. Bounds checks ask it, messages
// name what it knows.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace syncline::isa {

/// Devices of a machine that has several, by number: whose memory a region is, or who runs a kernel.
using DeviceNumber = std::uint16_t;
/// Of what belongs to all of them together.
inline constexpr DeviceNumber all_devices = 0xFFFF;

class MemoryMap {
 public:
  struct Region {
    std::uint64_t begin = 0, end = 0;  ///< bytes [begin, end)
    bool writable = true;              ///< .const variables are not
    std::string label;                 ///< "allocation 3", "variable `table`"
    DeviceNumber device = all_devices;
    std::uint64_t bytes() const { return end - begin; }
  };

  /// Regions must not overlap (ModelError).
  void insert(Region region);
  void erase(std::uint64_t begin);
  /// The region that holds an address; null when none does.
  const Region* find(std::uint64_t address) const;
  /// All regions by their first address.
  const std::map<std::uint64_t, Region>& regions() const { return regions_; }
  /// "; nearest is allocation 3 [0x..., 0x...), which ends 4 bytes before": for messages. Empty without regions.
  std::string nearest(std::uint64_t address) const;
  /// Changes whenever a region comes or goes, for those who cache one.
  std::uint64_t version() const { return version_; }

 private:
  std::map<std::uint64_t, Region> regions_;  ///< there may be very many, of a program that calls malloc
  std::uint64_t version_ = 0;
};

/// Whose memory a kernel may touch: all of it where all devices together run it; else that of its own device, that of
/// all devices if links join them, and that of the peers to which its device has access.
struct Reach {
  DeviceNumber device = all_devices;
  std::uint64_t peers = 0;  ///< bit n: device n
  bool linked = true;       ///< links join the devices

  bool reaches(const MemoryMap::Region& region) const {
    if (device == all_devices || region.device == device) return true;
    return region.device == all_devices ? linked : (peers >> region.device & 1) != 0;
  }
};

}  // namespace syncline::isa
