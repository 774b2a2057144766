#include "isa/exec/address_kernels.h"

#include <cstring>

#include "isa/exec/memory_access.h"

namespace syncline::isa {
namespace {

std::uint32_t load_mask(const void* from) {
  std::uint32_t mask = 0;
  std::memcpy(&mask, from, sizeof mask);
  return mask;
}

void store_mask(void* to, std::uint32_t value, std::uint32_t lanes) {
  const std::uint32_t merged = (load_mask(to) & ~lanes) | (value & lanes);
  std::memcpy(to, &merged, sizeof merged);
}

template <Space space, class Address>
void test_space(const LaneArgs& args) {
  std::uint32_t result = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane) {
    Address address = 0;
    std::memcpy(&address, static_cast<const std::uint8_t*>(args.src[0]) + lane * sizeof address, sizeof address);
    result |= static_cast<std::uint32_t>(space_of(address) == space) << lane;
  }
  store_mask(args.dst, result, args.mask);
}

template <Space space>
LaneKernel of_width(unsigned bytes) {
  return bytes == 4 ? test_space<space, std::uint32_t> : test_space<space, std::uint64_t>;
}

}  // namespace

void move_predicate(const LaneArgs& args) {
  store_mask(args.dst, load_mask(args.src[0]), args.mask);
}

void move_b128(const LaneArgs& args) {
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    if ((args.mask >> lane) & 1U)
      std::memmove(static_cast<std::uint8_t*>(args.dst) + lane * 16,
                   static_cast<const std::uint8_t*>(args.src[0]) + lane * 16, 16);
}

std::uint64_t window_base(Space space) {
  switch (space) {
    case Space::shared:
      return AddressWindows::shared_base;
    case Space::local:
      return AddressWindows::local_base;
    case Space::param:
      return AddressWindows::param_base;
    default:
      return 0;
  }
}

Space space_of(std::uint64_t address) {
  using W = AddressWindows;
  if (address < W::shared_base || address >= W::param_base + W::param_bytes) return Space::global;
  if (address < W::shared_base + W::shared_bytes) return Space::shared;
  return address < W::local_base + W::local_bytes ? Space::local : Space::param;
}

LaneKernel space_test_kernel(Space space, unsigned address_bytes) {
  switch (space) {
    case Space::shared:
      return of_width<Space::shared>(address_bytes);
    case Space::local:
      return of_width<Space::local>(address_bytes);
    case Space::param:
      return of_width<Space::param>(address_bytes);
    case Space::global:
    case Space::const_:
      return of_width<Space::global>(address_bytes);
    default:
      return nullptr;
  }
}

}  // namespace syncline::isa
