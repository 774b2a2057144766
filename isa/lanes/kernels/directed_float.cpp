// f32 and f64 arithmetic, rounded toward zero, down and up.
#include "isa/lanes/kernels/rounding_scope.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

void add_directed_float_kernels(KernelTable& table) {
  add_rounding<TowardZero>(table, Rounding::rz);
  add_rounding<Downward>(table, Rounding::rm);
  add_rounding<Upward>(table, Rounding::rp);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
