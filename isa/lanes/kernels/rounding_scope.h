// Runs kernels under a directed rounding mode of the host. Exact, and as fast as rounding to nearest but for the two
// switches; files that use it are compiled with -frounding-math.
#pragma once

#include <fenv.h>

#include "isa/lanes/kernels/float_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

/// Switches the host's rounding mode for its lifetime. The memory barriers keep loads of operands after, and stores of
/// results before, the switches; the arithmetic between them cannot leave.
class RoundingScope {
 public:
#if defined(__x86_64__)
  explicit RoundingScope(int mode) {
    asm volatile("stmxcsr %0" : "=m"(saved_)::"memory");
    const u32 directed = (saved_ & ~0x6000u) | static_cast<u32>(mode) << 3;  // <fenv.h> has the x87 control word's bits
    asm volatile("ldmxcsr %0" ::"m"(directed) : "memory");
  }
  ~RoundingScope() {
    asm volatile("ldmxcsr %0" ::"m"(saved_) : "memory");
  }

 private:
  u32 saved_ = 0;
#else
  explicit RoundingScope(int mode) : saved_(fegetround()) {
    fesetround(mode);
    asm volatile("" ::: "memory");
  }
  ~RoundingScope() {
    asm volatile("" ::: "memory");
    fesetround(saved_);
  }

 private:
  int saved_;
#endif

 public:
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
};

template <auto Function, int Mode>
void map_directed(const LaneArgs& args) {
  const RoundingScope scope(Mode);
  map_operands<Function>(args, Function, decltype(operand_indices(Function)){});
}

template <auto Function>
struct TowardZero {
  static constexpr LaneKernel kernel = map_directed<Function, FE_TOWARDZERO>;
};
template <auto Function>
struct Downward {
  static constexpr LaneKernel kernel = map_directed<Function, FE_DOWNWARD>;
};
template <auto Function>
struct Upward {
  static constexpr LaneKernel kernel = map_directed<Function, FE_UPWARD>;
};

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
