#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t cta_threads = 256;
constexpr std::uint32_t tile = 2 * cta_threads;
constexpr std::uint32_t tile_bytes = (tile + tile / 32) * sizeof(std::uint32_t);

/// Scans `in` into `out`, calling itself for the totals of the tiles.
void scan(Program& program, DevicePointer in, DevicePointer out, std::uint32_t n) {
  const std::uint32_t tiles = cta_count(n, tile);
  const Launch launch{{tiles, 1, 1}, {cta_threads, 1, 1}, tile_bytes};
  const DevicePointer totals = program.allocate<std::uint32_t>(tiles);
  program.launch("scan_tiles", launch, in, out, totals, n);
  if (tiles == 1) return;
  const DevicePointer offsets = program.allocate<std::uint32_t>(tiles);
  scan(program, totals, offsets, tiles);
  program.launch("add_offsets", {launch.grid, launch.block, 0}, out, offsets, n);
}

}  // namespace

Verdict run_scan(const Context& context) {
  const std::uint32_t n = by_size(context.size, 20'000U, 500'000U, 5'000'000U);
  const std::vector<std::uint32_t> in = random_integers<std::uint32_t>(context.seed, "scan.in", n, 1000);

  Program program(context);
  const DevicePointer device_in = program.upload(in);
  const DevicePointer device_out = program.allocate<std::uint32_t>(n);
  scan(program, device_in, device_out, n);

  std::vector<std::uint32_t> expected(n);  // wraps modulo 2^32 on both sides
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), 0U);
  return compare_exact("out", program.download<std::uint32_t>(device_out, n), expected);
}

}  // namespace syncline::workloads
