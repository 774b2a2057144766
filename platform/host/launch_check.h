// Checks that every launch passes on every device, and the parameter block that it makes.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/exec/program.h"
#include "platform/host/argument.h"
#include "platform/host/device.h"

namespace syncline::platform {

/// What one SM of a device can hold of one CTA.
struct DeviceLimits {
  std::uint32_t max_threads_per_cta = 1024;
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{0x7FFF'FFFF, 65535, 65535};
  std::uint64_t shared_bytes_per_cta = 48 * 1024;
  bool transactions = false;                   ///< there is a policy that executes them
  bool transactions_in_shared_memory = false;  ///< which are of shared memory alone
};

/// Throws base::UserError that names the kernel when grid or block are empty or too large, when the block does not
/// fit the kernel's .reqntid or .maxntid, and when static and dynamic shared memory together are too much; with the
/// place in the PTX when the kernel has transactions and nobody executes them.
void check_launch(const isa::KernelInfo& kernel, const LaunchConfig& config, const DeviceLimits& limits);

/// The parameter block of a launch. Throws base::UserError that names kernel and parameter for a wrong number of
/// arguments, a wrong size, or a wrong kind (an integer for an .f32 parameter, a pointer for a 16-bit one, ...).
std::vector<std::uint8_t> pack_arguments(const isa::KernelInfo& kernel, const std::vector<Argument>& arguments);

}  // namespace syncline::platform
