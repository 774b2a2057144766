// The n queens problem on the CPU.
#pragma once

#include <cstdint>

namespace syncline::workloads {

/// Number of ways to place n > 0 queens on an n x n board so that none attacks another; mirrored ones count apart.
std::uint64_t count_queens(std::uint32_t n);

}  // namespace syncline::workloads
