#include "isa/exec/lane_addresses.h"

// One body, inlined into functions for each vector width that the compiler may use there.
#define SYNCLINE_INLINE [[gnu::always_inline]] inline

namespace syncline::isa {
namespace {

// As many lanes at a time as a register holds: of wider vectors GCC 12 takes the halves apart on the stack, and left to
// itself it takes the sixteen lanes of a half apart, pair by pair. They lie as registers and addresses do, at any
// multiple of a lane's size: what `auto` would deduce forgets that.
template <unsigned lanes>
struct Vector;
template <>
struct Vector<2> {
  typedef std::uint64_t Wide __attribute__((vector_size(16), aligned(8), may_alias));
};
template <>
struct Vector<4> {
  typedef std::uint32_t Narrow __attribute__((vector_size(16), aligned(4), may_alias));
  typedef std::uint64_t Wide __attribute__((vector_size(32), aligned(8), may_alias));
};
template <>
struct Vector<8> {
  typedef std::uint32_t Narrow __attribute__((vector_size(32), aligned(4), may_alias));
  typedef std::uint64_t Wide __attribute__((vector_size(64), aligned(8), may_alias));
};

SYNCLINE_INLINE bool is_zero(const Vector<2>::Wide& lanes) {
  return (lanes[0] | lanes[1]) == 0;
}
SYNCLINE_INLINE bool is_zero(const Vector<4>::Wide& lanes) {
  return is_zero(__builtin_shufflevector(lanes, lanes, 0, 1) | __builtin_shufflevector(lanes, lanes, 2, 3));
}
SYNCLINE_INLINE bool is_zero(const Vector<8>::Wide& lanes) {
  return is_zero(__builtin_shufflevector(lanes, lanes, 0, 1, 2, 3) | __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7));
}

template <unsigned together, bool narrow>
SYNCLINE_INLINE AddressShape compute_as(const void* base, std::uint64_t offset, unsigned bytes,
                                        std::uint64_t* address) {
  using Wide = typename Vector<together>::Wide;
  constexpr unsigned vectors = kernel_lanes / 2 / together;  // of a half
  Wide steps{};
  for (unsigned i = 0; i < together; ++i) steps[i] = std::uint64_t{i} * bytes;
  AddressShape shape;
  for (unsigned half = 0; half < 2; ++half) {
    Wide lanes[vectors];
    for (unsigned i = 0; i < vectors; ++i) {
      const unsigned at = half * vectors + i;
      if constexpr (narrow && together == 2) {  // half a register
        const std::uint32_t* const from = static_cast<const std::uint32_t*>(base) + 2 * at;
        const auto by = static_cast<std::uint32_t>(offset);
        lanes[i] = Wide{from[0] + by, from[1] + by};
      } else if constexpr (narrow) {
        const auto& from = static_cast<const typename Vector<together>::Narrow*>(base)[at];
        lanes[i] = __builtin_convertvector(from + static_cast<std::uint32_t>(offset), Wide);
      } else {
        lanes[i] = static_cast<const Wide*>(base)[at] + offset;
      }
      reinterpret_cast<Wide*>(address)[at] = lanes[i];
    }
    const Wide first = Wide{} + lanes[0][0];
    Wide differ{}, gaps{}, expected = first + steps;
    for (const Wide& some : lanes) {
      differ |= some ^ first;
      gaps |= some ^ expected;
      expected += std::uint64_t{together} * bytes;
    }
    shape[half] = is_zero(gaps) ? LaneShape::contiguous : is_zero(differ) ? LaneShape::uniform : LaneShape::any;
  }
  return shape;
}

template <unsigned together>
SYNCLINE_INLINE AddressShape compute_body(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return source.narrow ? compute_as<together, true>(source.base, source.offset, bytes, address)
                       : compute_as<together, false>(source.base, source.offset, bytes, address);
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
  return compute_body<2>(source, bytes, address);
}
std::uint32_t bad_lanes(const std::uint64_t* address, std::uint64_t begin, std::uint64_t room, unsigned bytes) {
  return bad_lanes_body(address, begin, room, bytes);
}
constexpr AddressKernels portable_kernels{compute, bad_lanes};

#ifdef __x86_64__
[[gnu::target("avx2")]] AddressShape compute_avx2(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return compute_body<4>(source, bytes, address);
}
[[gnu::target("avx2")]] std::uint32_t bad_lanes_avx2(const std::uint64_t* address, std::uint64_t begin,
                                                     std::uint64_t room, unsigned bytes) {
  return bad_lanes_body(address, begin, room, bytes);
}
constexpr AddressKernels avx2_kernels{compute_avx2, bad_lanes_avx2};

#define SYNCLINE_AVX512 [[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]]
SYNCLINE_AVX512 AddressShape compute_avx512(const AddressSource& source, unsigned bytes, std::uint64_t* address) {
  return compute_body<8>(source, bytes, address);
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
