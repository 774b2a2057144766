// Needleman-Wunsch on the CPU.
#pragma once

#include <cstdint>
#include <vector>

namespace syncline::workloads {

/// The whole score matrix, (down + 1) rows of (across + 1) scores: element (i, j) is the best score of an alignment of
/// the first i letters of `down` with the first j of `across`. Letters are 0..19, `substitution` is 20 x 20, a gap
/// costs `gap`.
std::vector<std::int32_t> alignment_scores(const std::vector<std::uint8_t>& across,
                                           const std::vector<std::uint8_t>& down,
                                           const std::vector<std::int32_t>& substitution, std::int32_t gap);

}  // namespace syncline::workloads
