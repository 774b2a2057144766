// Constants of the 16-bit floating-point types: round to nearest, ties to even, from a double.
#pragma once

#include <cstdint>

namespace syncline::isa {

std::uint16_t f16_bits(double value);
std::uint16_t bf16_bits(double value);

}  // namespace syncline::isa
