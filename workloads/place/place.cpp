#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/place/netlist.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using namespace place;

/// The kernel of a run and the shape of its CTAs, as place.cu has them.
struct Shape {
  const char* kernel;
  std::uint32_t ctas, workers_per_cta, worker_threads;
};
constexpr Shape eighths(std::uint32_t ctas) {
  return {"anneal", ctas, 4, 8};
}
constexpr Shape whole_warps(std::uint32_t ctas) {
  return {"anneal_by_warps", ctas, 6, 32};
}

// The kernel's parameters, as they lie in memory.
struct NetlistOnDevice {
  DevicePointer nets_of, pins_of;
  std::uint32_t blocks;
};
struct Placement {
  DevicePointer cell_of, block_in, cell_locks, net_locks;
  std::uint32_t width, height;
};
struct Totals {
  std::int32_t cost = 0;
  std::uint32_t accepted = 0, rejected = 0, given_up = 0;
};
struct Schedule {
  std::uint32_t attempts, range;
  float inverse_temperature;
  std::uint32_t seed;
};

/// VPR's factor to the next temperature, by the share of accepted moves (Betz and Rose 1997, section 2, table 1).
double cooling(double accepted) {
  return accepted > 0.96 ? 0.5 : accepted > 0.8 ? 0.9 : accepted > 0.15 ? 0.95 : 0.8;
}

Verdict went_down(std::int64_t before, std::int64_t after) {
  const std::string change = std::to_string(before) + " to " + std::to_string(after);
  return {after < before, after < before ? "cost went from " + change : "cost did not go down: " + change};
}

}  // namespace

Verdict run_place(const Context& context) {
  const std::uint32_t width = by_size(context.size, 36U, 100U, 200U, 200U);
  const Shape shape = by_size(context.size, eighths(4), eighths(30), eighths(60), whole_warps(128));
  const std::uint32_t temperatures = by_size(context.size, 5U, 8U, 20U, 4U);
  const std::uint32_t attempts = by_size(context.size, 12U, 50U, 300U, 50U);
  const std::uint32_t cells = width * width, blocks = cells * 4 / 5;
  const Netlist netlist = random_netlist(context.seed, blocks);
  std::vector<std::uint32_t> cell_of = random_permutation(context.seed, "place.start", cells);
  cell_of.resize(blocks);
  std::vector<std::uint32_t> block_in(cells, none);
  for (std::uint32_t block = 0; block < blocks; ++block) block_in[cell_of[block]] = block;
  const std::int64_t first_cost = wire_cost(netlist, cell_of, width);

  Program program(context);
  const NetlistOnDevice device_netlist{program.upload(netlist.nets_of), program.upload(netlist.pins_of), blocks};
  const Placement placement{program.upload(cell_of),
                            program.upload(block_in),
                            program.allocate<std::uint32_t>(cells),
                            program.allocate<std::uint32_t>(netlist.nets()),
                            width,
                            width};
  Totals totals;
  totals.cost = static_cast<std::int32_t>(first_cost);
  const DevicePointer device_totals = program.upload(std::vector<Totals>{totals});
  const Launch launch{{shape.ctas, 1, 1}, {shape.workers_per_cta * shape.worker_threads, 1, 1}, 0};

  // VPR ends at 1/200 of the mean cost of a net. This anneal is short: it begins at ten times that, with a random
  // placement, and a step cools as much as four of VPR's.
  double temperature = 0.05 * static_cast<double>(first_cost) / netlist.nets();
  double range = width;
  base::Random seeds(context.seed, "place.moves");
  for (std::uint32_t step = 0; step < temperatures; ++step) {
    const Schedule schedule{attempts, static_cast<std::uint32_t>(range), static_cast<float>(1 / temperature),
                            seeds.below(0xFFFF'FFFF)};
    if (shape.worker_threads == 32)
      program.launch(shape.kernel, launch, device_netlist, placement, device_totals, schedule,
                     std::max(32U, context.device.warp_size()));
    else
      program.launch(shape.kernel, launch, device_netlist, placement, device_totals, schedule);
    const auto now = program.read<Totals>(device_totals);
    const double tried = std::max(1U, now.accepted + now.rejected - totals.accepted - totals.rejected);
    const double accepted = (now.accepted - totals.accepted) / tried;
    temperature *= std::pow(cooling(accepted), 4);
    range = std::clamp(range * (1 - 0.44 + accepted), 1.0, double{1} * width);
    totals = now;
  }

  cell_of = program.download<std::uint32_t>(placement.cell_of, blocks);
  std::vector<std::uint32_t> inverse(cells, none);
  for (std::uint32_t block = 0; block < blocks; ++block)
    if (cell_of[block] < cells) inverse[cell_of[block]] = block;
  const auto zeros = [&](const char* what, DevicePointer locks, std::uint32_t count) {
    return compare_exact(what, program.download<std::uint32_t>(locks, count), std::vector<std::uint32_t>(count));
  };
  // A cell of its own for every block: the map from cells to blocks is the inverse of the other one, and holds them
  // all.
  Verdict permutation =
      all_of({compare_exact("contents of cells", program.download<std::uint32_t>(placement.block_in, cells), inverse),
              compare_exact<std::size_t>(
                  "blocks placed", {cells - static_cast<std::size_t>(std::count(inverse.begin(), inverse.end(), none))},
                  {blocks})});
  if (!permutation.verified) return permutation;
  return all_of(
      {permutation,
       zeros("cells unlocked", placement.cell_locks, cells),
       zeros("nets unlocked", placement.net_locks, netlist.nets()),
       compare_exact<std::uint64_t>("attempts", {std::uint64_t{totals.accepted} + totals.rejected + totals.given_up},
                                    {std::uint64_t{temperatures} * attempts * shape.ctas * shape.workers_per_cta}),
       compare_exact<std::int64_t>("cost", {totals.cost}, {wire_cost(netlist, cell_of, width)}),
       went_down(first_cost, totals.cost),
       {true, std::to_string(totals.accepted) + " moves accepted, " + std::to_string(totals.rejected) + " rejected, " +
                  std::to_string(totals.given_up) + " given up"}});
}

}  // namespace syncline::workloads
