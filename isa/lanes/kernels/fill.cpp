#include "isa/lanes/kernels/families.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

void fill(KernelTable& table) {
  add_integer_kernels(table);
  add_carry_kernels(table);
  add_bit_kernels(table);
  add_move_kernels(table);
  add_integer_compare_kernels(table);
  add_float_compare_kernels(table);
  add_float_kernels(table);
  add_directed_float_kernels(table);
  add_float_sign_kernels(table);
  add_half_kernels(table);
  add_approximate_kernels(table);
  add_integer_convert_kernels(table);
  add_float_to_integer_kernels(table);
  add_integer_to_float_kernels(table);
  add_float_convert_kernels(table);
  add_directed_convert_kernels(table);
  add_small_float_kernels(table);
  add_small_float_arithmetic_kernels(table);
  add_stochastic_kernels(table);
  add_scale_kernels(table);
  add_pack_kernels(table);
  add_video_kernels(table);
}

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
