// What the hosts of recurrent layers share: the shape of a layer, and a product in the order of the kernel.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace syncline::workloads::rnn {

/// As the kernels take it. Units and samples are multiples of 16.
struct Layer {
  std::uint32_t units;
  std::uint32_t batch;
  std::uint32_t steps;
  std::uint32_t system;  ///< scope of the flags: 1 the system's, 0 that of a GPU
  std::size_t state() const { return std::size_t{batch} * units; }
  std::size_t tiles() const { return state() / 256; }
};

/// `sum` and the products of `count` pairs, which lie `stride_a` and `stride_b` apart; one rounding each, in order.
inline float fused_sum(float sum, const float* a, std::size_t stride_a, const float* b, std::size_t stride_b,
                       std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum = std::fma(a[i * stride_a], b[i * stride_b], sum);
  return sum;
}

}  // namespace syncline::workloads::rnn
