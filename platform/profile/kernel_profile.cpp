#include "platform/profile/kernel_profile.h"

#include <algorithm>

namespace syncline::platform {
namespace {

double over(double part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : part / static_cast<double>(whole);
}

}  // namespace

ProfiledMachine profiled_machine(const PlatformSpec& spec) {
  return {spec.name, spec.sms, spec.sm.resources(), spec.sm.coalescer, spec.l1.line};
}

std::string LaunchShape::limited_by() const {
  return resident_ctas == ctas() ? "the grid" : std::string(models::name(occupancy.limit));
}

void GlobalAccesses::add(std::uint64_t lane_count, std::uint64_t line_count) {
  ++instructions;
  lanes += lane_count;
  lines += line_count;
  most_lines = std::max(most_lines, line_count);
  if (line_count == 1) ++of_one_line;
}

GlobalAccesses& GlobalAccesses::operator+=(const GlobalAccesses& other) {
  instructions += other.instructions;
  lanes += other.lanes;
  lines += other.lines;
  most_lines = std::max(most_lines, other.most_lines);
  of_one_line += other.of_one_line;
  return *this;
}

double KernelProfile::mean_resident_warps() const {
  return over(resident_work, mix.total().warp);
}

double KernelProfile::busy_warps() const {
  return over(static_cast<double>(mix.total().warp), longest_warps);
}

const LaunchShape* KernelProfile::main_shape() const {
  const auto most = std::max_element(shapes.begin(), shapes.end(), [](const LaunchShape& a, const LaunchShape& b) {
    return a.warp_instructions < b.warp_instructions;
  });
  return most == shapes.end() ? nullptr : &*most;
}

}  // namespace syncline::platform
