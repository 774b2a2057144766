#include "isa/exec/lane_addresses.h"

// One body, inlined into functions for each vector width that the compiler may use there.
#define SYNCLINE_INLINE [[gnu::always_inline]] inline

namespace syncline::isa {
namespace {

typedef std::uint32_t Word32 __attribute__((may_alias));
typedef std::uint64_t Word64 __attribute__((may_alias));

SYNCLINE_INLINE AddressShape compute_body(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  if (source.narrow) {
    const auto* from = static_cast<const Word32*>(source.base);
    const auto offset = static_cast<std::uint32_t>(source.offset);
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) address[lane] = from[lane] + offset;
  } else {
    const auto* from = static_cast<const Word64*>(source.base);
    for (unsigned lane = 0; lane < kernel_lanes; ++lane) address[lane] = from[lane] + source.offset;
  }
  AddressShape shape;
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t* const a = address + half * 16;
    std::uint64_t apart = 0, spread = 0;
    for (unsigned lane = 0; lane < 16; ++lane) {
      const std::uint64_t distance = a[lane] - a[0];
      apart |= distance - std::uint64_t{lane} * bytes;
      spread |= distance;
    }
    shape.contiguous[half] = apart == 0;
    shape.uniform[half] = spread == 0;
  }
  return shape;
}

SYNCLINE_INLINE std::uint32_t bad_lanes_body(const std::uint64_t* address, std::uint64_t begin, std::uint64_t room,
                                             unsigned bytes) {
  std::uint64_t any = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    any |= static_cast<std::uint64_t>(address[lane] - begin > room) | (address[lane] & (bytes - 1));
  if (any == 0) return 0;
  std::uint32_t bad = 0;
  for (unsigned lane = 0; lane < kernel_lanes; ++lane)
    bad |= static_cast<std::uint32_t>(address[lane] - begin > room || (address[lane] & (bytes - 1)) != 0) << lane;
  return bad;
}

AddressShape compute(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return compute_body(source, bytes, address);
}
std::uint32_t bad_lanes(const std::uint64_t* address, std::uint64_t begin, std::uint64_t room, unsigned bytes) {
  return bad_lanes_body(address, begin, room, bytes);
}
constexpr AddressKernels portable_kernels{compute, bad_lanes};

#ifdef __x86_64__
[[gnu::target("avx2")]] AddressShape compute_avx2(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return compute_body(source, bytes, address);
}
[[gnu::target("avx2")]] std::uint32_t bad_lanes_avx2(const std::uint64_t* address, std::uint64_t begin,
                                                     std::uint64_t room, unsigned bytes) {
  return bad_lanes_body(address, begin, room, bytes);
}
constexpr AddressKernels avx2_kernels{compute_avx2, bad_lanes_avx2};

#define SYNCLINE_AVX512 [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]]
SYNCLINE_AVX512 AddressShape compute_avx512(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return compute_body(source, bytes, address);
}
SYNCLINE_AVX512 std::uint32_t bad_lanes_avx512(const std::uint64_t* address, std::uint64_t begin, std::uint64_t room,
                                               unsigned bytes) {
  return bad_lanes_body(address, begin, room, bytes);
}
constexpr AddressKernels avx512_kernels{compute_avx512, bad_lanes_avx512};
#endif

}  // namespace

const AddressKernels& address_kernels() {
#ifdef __x86_64__
  switch (selected_lane_isa()) {
    case LaneIsa::avx512:
      return avx512_kernels;
    case LaneIsa::avx2:
      return avx2_kernels;
    default:
      break;
  }
#endif
  return portable_kernels;
}

}  // namespace syncline::isa
