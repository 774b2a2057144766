#include "workloads/common/compare.h"

#include <fmt/format.h>

namespace syncline::workloads {
namespace compare_detail {

Verdict same_length(std::string_view what, std::size_t got, std::size_t expected) {
  return {false, fmt::format("{}: {} elements, expected {}", what, got, expected)};
}

Verdict differs(std::string_view what, std::size_t index, const std::string& got, const std::string& expected,
                std::size_t differences, std::size_t count) {
  return {false, fmt::format("{}[{}] is {}, expected {} ({} of {} elements differ)", what, index, got, expected,
                             differences, count)};
}

Verdict equal(std::string_view what, std::size_t count) {
  return {true, fmt::format("{}: {} elements equal", what, count)};
}

Verdict within(std::string_view what, std::size_t count, double largest_error) {
  return {true, fmt::format("{}: {} elements within tolerance, largest error {:.3g}", what, count, largest_error)};
}

std::string number(double value) {
  return fmt::format("{:.9g}", value);
}

}  // namespace compare_detail

Verdict all_of(std::initializer_list<Verdict> verdicts) {
  Verdict sum{true, ""};
  for (const Verdict& verdict : verdicts) {
    if (!verdict.verified) return verdict;
    sum.detail += (sum.detail.empty() ? "" : "; ") + verdict.detail;
  }
  return sum;
}

}  // namespace syncline::workloads
