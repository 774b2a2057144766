// How many CTAs of a kernel fit an SM at once, and what limits them (CUDA's occupancy calculation).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace syncline::models {

/// What an SM has.
struct SmResources {
  unsigned warp_size = 32;
  unsigned max_warps = 48, max_threads = 1536, max_ctas = 8;
  std::uint32_t registers = 32768;              ///< 32-bit registers
  std::uint32_t register_allocation_unit = 64;  ///< registers of a warp are rounded up to a multiple of this
  std::uint64_t shared_bytes = 48 * 1024;
  std::uint64_t shared_allocation_unit = 128;  ///< bytes; a CTA's shared memory is rounded up to a multiple
};

/// What a CTA of a kernel takes.
struct CtaDemand {
  unsigned threads = 1;
  unsigned registers_per_thread = 0;
  std::uint64_t shared_bytes = 0;
  // What a policy takes beside it, for each CTA.
  std::uint64_t policy_registers = 0;
  std::uint64_t policy_shared_bytes = 0;
};

enum class OccupancyLimit : std::uint8_t { warps, threads, ctas, registers, shared_memory };
std::string_view name(OccupancyLimit limit);

struct Occupancy {
  unsigned ctas = 0;  ///< that fit at once
  unsigned warps_per_cta = 0;
  OccupancyLimit limit = OccupancyLimit::ctas;  ///< the first resource that runs out
  std::uint64_t registers_per_cta = 0;
  std::uint64_t shared_per_cta = 0;
};

/// Pure arithmetic; `ctas` is 0 when not even one fits.
Occupancy occupancy(const SmResources& sm, const CtaDemand& cta);

/// Throws base::UserError naming the resource, what the kernel wants and what the SM has, when no CTA ever fits.
Occupancy require_fit(const SmResources& sm, const CtaDemand& cta, std::string_view kernel);

}  // namespace syncline::models
