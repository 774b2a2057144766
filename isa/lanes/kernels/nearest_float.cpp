// f32 and f64 arithmetic, rounded to nearest even: the mode the host runs in.
#include "isa/lanes/kernels/float_ops.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {
namespace {

template <auto Function>
struct Nearest {
  static constexpr LaneKernel kernel = map<Function>;
};

}  // namespace

void add_float_kernels(KernelTable& table) {
  add_rounding<Nearest>(table, Rounding::rn);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
