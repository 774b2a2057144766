#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/nw/reference.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t letters = 20;
constexpr std::uint32_t tile = 32;

/// A symmetric table in which equal letters score high, as substitution matrices of proteins do.
std::vector<std::int32_t> substitution_table(std::uint64_t seed) {
  base::Random random(seed, "nw.substitution");
  std::vector<std::int32_t> table(std::size_t{letters} * letters);
  for (std::uint32_t a = 0; a < letters; ++a)
    for (std::uint32_t b = 0; b <= a; ++b) {
      const auto score = static_cast<std::int32_t>(a == b ? 4 + random.below(8) : random.below(8)) - (a == b ? 0 : 5);
      table[a * letters + b] = table[b * letters + a] = score;
    }
  return table;
}

}  // namespace

std::vector<std::int32_t> alignment_scores(const std::vector<std::uint8_t>& across,
                                           const std::vector<std::uint8_t>& down,
                                           const std::vector<std::int32_t>& substitution, std::int32_t gap) {
  std::vector<std::int32_t> scores;
  std::vector<std::int32_t> above(across.size() + 1);
  for (std::size_t column = 0; column < above.size(); ++column)
    above[column] = -gap * static_cast<std::int32_t>(column);
  scores.insert(scores.end(), above.begin(), above.end());
  for (const std::uint8_t letter : down) {
    std::vector<std::int32_t> row{above.front() - gap};
    for (std::size_t column = 0; column < across.size(); ++column)
      row.push_back(std::max({above[column] + substitution[letter * letters + across[column]], row.back() - gap,
                              above[column + 1] - gap}));
    scores.insert(scores.end(), row.begin(), row.end());
    above = std::move(row);
  }
  return scores;
}

Verdict run_nw(const Context& context) {
  const std::uint32_t length = by_size(context.size, 160U, 1024U, 3072U, 2048U);
  constexpr std::int32_t gap = 6;
  const std::vector<std::uint8_t> across = random_integers<std::uint8_t>(context.seed, "nw.across", length, letters);
  const std::vector<std::uint8_t> down = random_integers<std::uint8_t>(context.seed, "nw.down", length, letters);
  const std::vector<std::int32_t> substitution = substitution_table(context.seed);

  const std::uint32_t pitch = length + 1;
  std::vector<std::int32_t> start(std::size_t{pitch} * pitch);
  for (std::uint32_t i = 0; i < pitch; ++i)
    start[i] = start[std::size_t{i} * pitch] = -gap * static_cast<std::int32_t>(i);

  Program program(context);
  program.set_symbol("substitution", substitution);
  const DevicePointer scores = program.upload(start);
  const DevicePointer device_across = program.upload(across);
  const DevicePointer device_down = program.upload(down);
  const std::uint32_t tiles = length / tile;
  for (std::uint32_t diagonal = 0; diagonal < 2 * tiles - 1; ++diagonal) {
    const std::uint32_t first_row = diagonal < tiles ? 0 : diagonal - tiles + 1;
    const std::uint32_t last_row = std::min(diagonal, tiles - 1);
    program.launch("nw_tiles", {{last_row - first_row + 1, 1, 1}, {tile, 1, 1}, 0}, scores, device_across, device_down,
                   length, diagonal, first_row, gap);
  }
  return compare_exact("scores", program.download<std::int32_t>(scores, start.size()),
                       alignment_scores(across, down, substitution, gap));
}

}  // namespace syncline::workloads
