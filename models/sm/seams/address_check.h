// What the platform knows about device addresses: which bytes a kernel may touch.
#pragma once

#include <cstdint>
#include <string>

namespace syncline::models {

class AddressCheck {
 public:
  virtual ~AddressCheck() = default;
  /// True when all of [address, address + bytes) lies in one live allocation (or module variable).
  virtual bool valid(std::uint64_t address, std::uint64_t bytes) const = 0;
  /// For messages, about an address that is not valid: "16 bytes behind the allocation of 4096 bytes at 0x10000000".
  virtual std::string nearest(std::uint64_t address) const = 0;
};

/// For machines whose whole address space is memory.
class AnyAddress final : public AddressCheck {
 public:
  bool valid(std::uint64_t, std::uint64_t) const override { return true; }
  std::string nearest(std::uint64_t) const override { return "every address is valid"; }
};

}  // namespace syncline::models
