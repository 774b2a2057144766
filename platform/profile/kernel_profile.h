// What a functional run tells about a program: the kernels, each over all of its launches, and their sum.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/dim3.h"
#include "models/sm/coalescer.h"
#include "models/sm/occupancy.h"
#include "platform/profile/instruction_mix.h"
#include "platform/profile/line_sharing.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {

/// What of a machine a profile depends on.
struct ProfiledMachine {
  std::string name;
  unsigned sms = 1;
  models::SmResources sm;
  models::CoalescerSpec coalescer;
  unsigned line_bytes = 128;

  std::uint64_t warp_contexts() const { return std::uint64_t{sms} * sm.max_warps; }
};
ProfiledMachine profiled_machine(const PlatformSpec& spec);

/// The launches of a kernel with the same extents.
struct LaunchShape {
  base::Dim3 grid, block;
  std::uint64_t shared_bytes = 0;  ///< per CTA, static and dynamic
  std::uint64_t launches = 0, warp_instructions = 0;
  models::Occupancy occupancy;      ///< of one SM
  std::uint64_t resident_ctas = 0;  ///< at most, on the whole machine, of one launch

  std::uint64_t ctas() const { return grid.count(); }
  std::uint64_t warps() const { return ctas() * occupancy.warps_per_cta; }
  std::uint64_t resident_warps() const { return resident_ctas * occupancy.warps_per_cta; }
  /// What keeps more warps away: the grid, where all of it is resident, or a resource of the SM.
  std::string limited_by() const;
};

/// Line accesses of the warp instructions of one use that touch global memory.
struct GlobalAccesses {
  std::uint64_t instructions = 0, lanes = 0, lines = 0, most_lines = 0;
  std::uint64_t of_one_line = 0;  ///< instructions

  void add(std::uint64_t lane_count, std::uint64_t line_count);
  GlobalAccesses& operator+=(const GlobalAccesses& other);
};

struct KernelProfile {
  std::string kernel;                ///< empty: the sum over all kernels
  unsigned registers = 0;            ///< per thread
  std::uint64_t local_declared = 0;  ///< bytes per thread, without recursion
  std::uint64_t local_touched = 0;   ///< end of the last byte of a thread's local memory that was touched
  std::uint64_t launches = 0, ctas = 0, warps = 0;
  std::uint64_t resident_warps = 0;  ///< at once, the most of any launch
  std::vector<LaunchShape> shapes;   ///< in the order of their first launches; none for the sum
  /// Warp instructions of the warp, and of the CTA, that executed most; of each launch, added up.
  std::uint64_t longest_warps = 0, longest_ctas = 0;
  double resident_work = 0;  ///< warps resident at once times warp instructions, of each launch, added up
  InstructionMix mix;
  std::array<GlobalAccesses, line_uses> global{};
  LineTotals lines;

  /// Warps resident at once: the mean over the launches, each weighted by its warp instructions.
  double mean_resident_warps() const;
  /// Warps that are busy in the mean when all of a launch go on at the same pace: those that have no more to do wait
  /// for the longest.
  double busy_warps() const;
  /// The shape whose launches execute the most; null for the sum.
  const LaunchShape* main_shape() const;
};

struct ProgramProfile {
  ProfiledMachine machine;
  std::vector<KernelProfile> kernels;  ///< in the order of their first launches
  KernelProfile total;
};

}  // namespace syncline::platform
