#include "models/sm/occupancy.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.h"
#include "base/round_up.h"

namespace syncline::models {
namespace {

/// How often `part` goes into `whole`; without demand there is no limit.
constexpr std::uint64_t times(std::uint64_t whole, std::uint64_t part) {
  return part == 0 ? std::numeric_limits<std::uint64_t>::max() : whole / part;
}

}  // namespace

std::string_view name(OccupancyLimit limit) {
  static constexpr std::array<std::string_view, 5> names = {"warps", "threads", "CTAs", "registers", "shared memory"};
  return names[static_cast<std::size_t>(limit)];
}

Occupancy occupancy(const SmResources& sm, const CtaDemand& cta) {
  Occupancy result;
  result.warps_per_cta = (cta.threads + sm.warp_size - 1) / sm.warp_size;
  const std::uint64_t per_warp =
      base::round_up(std::uint64_t{cta.registers_per_thread} * sm.warp_size, sm.register_allocation_unit);
  result.registers_per_cta =
      per_warp * result.warps_per_cta + base::round_up(cta.policy_registers, sm.register_allocation_unit);
  result.shared_per_cta = base::round_up(cta.shared_bytes + cta.policy_shared_bytes, sm.shared_allocation_unit);

  const std::array<std::uint64_t, 5> fit = {
      times(sm.max_warps, result.warps_per_cta), times(sm.max_threads, cta.threads), sm.max_ctas,
      times(sm.registers, result.registers_per_cta), times(sm.shared_bytes, result.shared_per_cta)};
  std::size_t least = 0;
  for (std::size_t i = 1; i < fit.size(); ++i) {
    if (fit[i] < fit[least]) least = i;
  }
  result.limit = static_cast<OccupancyLimit>(least);
  result.ctas = static_cast<unsigned>(fit[least]);
  return result;
}

Occupancy require_fit(const SmResources& sm, const CtaDemand& cta, std::string_view kernel) {
  const Occupancy result = occupancy(sm, cta);
  if (result.ctas != 0) return result;
  std::uint64_t wanted = 0, available = 0;
  switch (result.limit) {
    case OccupancyLimit::warps:
      wanted = result.warps_per_cta, available = sm.max_warps;
      break;
    case OccupancyLimit::threads:
      wanted = cta.threads, available = sm.max_threads;
      break;
    case OccupancyLimit::ctas:
      wanted = 1, available = sm.max_ctas;
      break;
    case OccupancyLimit::registers:
      wanted = result.registers_per_cta, available = sm.registers;
      break;
    case OccupancyLimit::shared_memory:
      wanted = result.shared_per_cta, available = sm.shared_bytes;
      break;
  }
  throw base::UserError(fmt::format(
      "kernel `{}`: a CTA of {} threads never fits an SM: it needs {} {}{}, an SM has {}", kernel, cta.threads, wanted,
      result.limit == OccupancyLimit::shared_memory ? "bytes of " : "", name(result.limit), available));
}

}  // namespace syncline::models
