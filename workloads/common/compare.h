// Comparison of what the device returned with what the CPU computed; a difference is reported by its first index.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads {

/// Unit roundoff of f32 and f64: the largest relative error of one correctly rounded operation.
constexpr double f32_roundoff = 0x1.0p-24;
constexpr double f64_roundoff = 0x1.0p-53;

/// An element may differ by `absolute + relative * |expected|`.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
};

namespace compare_detail {
Verdict same_length(std::string_view what, std::size_t got, std::size_t expected);
Verdict differs(std::string_view what, std::size_t index, const std::string& got, const std::string& expected,
                std::size_t differences, std::size_t count);
Verdict equal(std::string_view what, std::size_t count);
Verdict within(std::string_view what, std::size_t count, double largest_error);
std::string number(double value);
}  // namespace compare_detail

/// Every element the same value.
template <class T>
Verdict compare_exact(std::string_view what, const std::vector<T>& got, const std::vector<T>& expected) {
  if (got.size() != expected.size()) return compare_detail::same_length(what, got.size(), expected.size());
  std::size_t first = 0;
  std::size_t differences = 0;
  for (std::size_t i = got.size(); i-- > 0;)
    if (!(got[i] == expected[i])) first = i, ++differences;
  if (differences == 0) return compare_detail::equal(what, got.size());
  const auto text = [](const T& value) {
    if constexpr (std::is_floating_point_v<T>)
      return compare_detail::number(static_cast<double>(value));
    else
      return std::to_string(value);
  };
  return compare_detail::differs(what, first, text(got[first]), text(expected[first]), differences, got.size());
}

/// Element i within tolerance_of(i); a NaN on either side differs.
template <class T, class ToleranceOf,
          class = std::enable_if_t<std::is_invocable_r_v<Tolerance, ToleranceOf, std::size_t>>>
Verdict compare_close(std::string_view what, const std::vector<T>& got, const std::vector<double>& expected,
                      ToleranceOf tolerance_of) {
  if (got.size() != expected.size()) return compare_detail::same_length(what, got.size(), expected.size());
  std::size_t first = 0;
  std::size_t differences = 0;
  double largest = 0;
  for (std::size_t i = got.size(); i-- > 0;) {
    const double error = std::fabs(static_cast<double>(got[i]) - expected[i]);
    const Tolerance tolerance = tolerance_of(i);
    if (!(error <= tolerance.absolute + tolerance.relative * std::fabs(expected[i]))) first = i, ++differences;
    if (error > largest) largest = error;
  }
  if (differences == 0) return compare_detail::within(what, got.size(), largest);
  return compare_detail::differs(what, first, compare_detail::number(static_cast<double>(got[first])),
                                 compare_detail::number(expected[first]), differences, got.size());
}

/// The same tolerance for all elements.
template <class T>
Verdict compare_close(std::string_view what, const std::vector<T>& got, const std::vector<double>& expected,
                      Tolerance tolerance) {
  return compare_close(what, got, expected, [tolerance](std::size_t) { return tolerance; });
}

/// The first verdict that failed; else all of them, their details joined.
Verdict all_of(std::initializer_list<Verdict> verdicts);

}  // namespace syncline::workloads
