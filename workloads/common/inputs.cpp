#include "workloads/common/inputs.h"

#include <numeric>
#include <utility>

namespace syncline::workloads {

std::vector<std::uint32_t> random_permutation(std::uint64_t seed, std::string_view stream, std::uint32_t count) {
  base::Random random(seed, stream);
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return order;
}

}  // namespace syncline::workloads
