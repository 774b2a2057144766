#include "isa/exec/lane_addresses.h"

// One body, inlined into functions for each vector width that the compiler may use there.
#define SYNCLINE_INLINE [[gnu::always_inline]] inline

namespace syncline::isa {
namespace {

// Eight lanes at a time, in whatever registers there are: left to itself the compiler takes the sixteen lanes of a half
// apart, pair by pair. They lie as registers and addresses do, at any multiple of a lane's size: what `auto` would
// deduce forgets that.
typedef std::uint32_t Lanes32 __attribute__((vector_size(32), aligned(4), may_alias));
typedef std::uint64_t Lanes64 __attribute__((vector_size(64), aligned(8), may_alias));
constexpr unsigned together = 8;

SYNCLINE_INLINE bool is_zero(const Lanes64& lanes) {
  const auto four =
      __builtin_shufflevector(lanes, lanes, 0, 1, 2, 3) | __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7);
  const auto two = __builtin_shufflevector(four, four, 0, 1) | __builtin_shufflevector(four, four, 2, 3);
  return (two[0] | two[1]) == 0;
}

SYNCLINE_INLINE AddressShape compute_body(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  Lanes64* const lanes = reinterpret_cast<Lanes64*>(address);
  if (source.narrow) {
    const Lanes32* const from = static_cast<const Lanes32*>(source.base);
    const auto offset = static_cast<std::uint32_t>(source.offset);
    for (unsigned i = 0; i < kernel_lanes / together; ++i)
      lanes[i] = __builtin_convertvector(from[i] + offset, Lanes64);
  } else {
    const Lanes64* const from = static_cast<const Lanes64*>(source.base);
    for (unsigned i = 0; i < kernel_lanes / together; ++i) lanes[i] = from[i] + source.offset;
  }
  const Lanes64 steps = Lanes64{0, 1, 2, 3, 4, 5, 6, 7} * std::uint64_t{bytes};
  AddressShape shape;
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint64_t first = address[half * 16];
    const Lanes64 low = lanes[half * 2] - first, high = lanes[half * 2 + 1] - first;
    shape.uniform[half] = is_zero(low | high);
    shape.contiguous[half] = is_zero((low - steps) | (high - steps - std::uint64_t{together} * bytes));
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
