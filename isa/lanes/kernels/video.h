// What the video instructions share: parts of registers.
#pragma once

#include "isa/lanes/kernels/families.h"
#include "isa/lanes/kernels/loop.h"

namespace syncline::isa::SYNCLINE_LANE_VARIANT {

struct Part {
  unsigned shift, width;
};
inline Part part_of(u32 selector) {
  if (selector >= 1 && selector <= 4) return {8 * (selector - 1), 8};
  if (selector == 5 || selector == 6) return {16 * (selector - 5), 16};
  return {0, 32};
}
inline s64 extend(u32 value, unsigned width, bool is_signed) {
  const u64 cut = value & ((u64{1} << width) - 1);
  return is_signed && (cut >> (width - 1) & 1) != 0 ? static_cast<s64>(cut) - (s64{1} << width) : static_cast<s64>(cut);
}
inline s64 extract(u32 value, Part part, bool is_signed) {
  return extend(value >> part.shift, part.width, is_signed);
}

void add_multiply_kernels(KernelTable& table);  ///< vmad

}  // namespace syncline::isa::SYNCLINE_LANE_VARIANT
