// What a workload is: a program for the GPU, its host side and an independent check of its result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platform/host/device.h"
#include "workloads/common/option.h"

namespace syncline::workloads {

/// small: under a second on the timed gtx480; medium: what benchmarks use; large: for long experiments; paper: what the
/// papers ran where they say so, else what keeps every warp of rcc16 busy. Programs that no paper runs have no `paper`.
enum class Size : std::uint8_t { small, medium, large, paper };

/// Outcome of the host side's check.
struct Verdict {
  bool verified = false;
  std::string detail;       ///< what was compared, and on failure the first difference
  std::string signature{};  ///< of what was computed, where chance decides that; empty: it does not
};

/// What a workload gets to run with.
struct Context {
  platform::Device& device;
  Size size = Size::small;
  std::uint64_t seed = 1;
  std::string ptx;       ///< path of the workload's .ptx file
  Choices choices = {};  ///< of the workload's options; those left out have their defaults

  /// What was chosen of a workload's option, for its host side: `Workload::run` has filled in the defaults.
  const std::string& choice(std::string_view option) const { return choices.find(option)->second; }
  std::uint32_t number(std::string_view option) const { return static_cast<std::uint32_t>(std::stoul(choice(option))); }
};

/// One program of the suite. Objects are stateless.
class Workload {
 public:
  virtual ~Workload() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view description() const = 0;
  /// Path of the PTX below the workloads folder, for example "saxpy/saxpy.ptx".
  virtual std::string_view ptx() const = 0;
  /// Threads of a warp that the kernels count on: 32 where lanes exchange values as PTX's 32-lane shuffles do.
  virtual std::uint32_t min_warp_size() const = 0;
  /// The sizes that `run` takes, smallest first.
  virtual std::vector<Size> sizes() const = 0;
  /// What else one may choose of it.
  virtual std::vector<Option> options() const = 0;
  /// Generates inputs, launches, reads back and compares with a CPU computation that shares no code with the kernel.
  /// UserError when the workload has no such size or option, or the device's warps are smaller than `min_warp_size`.
  Verdict run(const Context& context) const;

 private:
  virtual Verdict run_on_fitting(const Context& context) const = 0;
};

}  // namespace syncline::workloads
