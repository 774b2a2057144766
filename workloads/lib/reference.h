// The random numbers of the Monte Carlo workload, on the CPU.
#pragma once

#include <array>
#include <cstdint>

namespace syncline::workloads {

/// Philox4x32-10: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

}  // namespace syncline::workloads
