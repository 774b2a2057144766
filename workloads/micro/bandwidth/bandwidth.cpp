#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/micro/micro.h"
#include "workloads/micro/warp_times.h"

namespace syncline::workloads::micro {
namespace {

struct Traffic {
  const char* kernel;
  const char* name;
  std::uint32_t bytes;   ///< that a CTA goes over, per pass
  std::uint32_t stride;  ///< from one CTA's part to the next one's; 0: all share one
  std::uint32_t passes;
};

}  // namespace

Result run_bandwidth(const Context& context) {
  constexpr std::uint32_t threads = 128;
  constexpr std::uint32_t part = 64 * threads;  // one round of a CTA
  // The L1 keeps a CTA's part, the L2 one part for all; memory is read once, each CTA its own part.
  const std::uint32_t memory_part = by_size(context.size, 4U, 16U, 64U) * part;
  const std::vector<Traffic> kinds{{"read_ca", "bandwidth.l1", part, part, 32},
                                   {"read_cg", "bandwidth.l2", 4 * part, 0, 4},
                                   {"read_cg", "bandwidth.memory", memory_part, memory_part, 1},
                                   {"write", "bandwidth.write", memory_part, memory_part, 1}};
  Program program(context);
  Result result{{true, "every byte was read and written"}, {}};
  for (const Traffic& traffic : kinds)
    for (const std::uint32_t ctas : {1U, 4U, 16U, 64U}) {
      const bool writes = traffic.kernel == std::string_view("write");
      const std::size_t words = (std::size_t{traffic.stride} * (ctas - 1) + traffic.bytes) / sizeof(std::uint32_t);
      const std::vector<std::uint32_t> values = random_integers<std::uint32_t>(context.seed, traffic.name, words);
      const DevicePointer buffer = program.upload(values);
      const DevicePointer checksum = program.allocate<std::uint32_t>(1);
      WarpTimes times(program, ctas * threads / 32);
      program.launch(traffic.kernel, {{ctas, 1, 1}, {threads, 1, 1}, 0}, buffer, traffic.bytes, traffic.stride,
                     traffic.passes, times.pointer(), checksum);

      const std::uint32_t shares = traffic.stride == 0 ? ctas : 1;
      const std::uint32_t sum = std::accumulate(values.begin(), values.end(), 0U) * traffic.passes * shares;
      require(result.verdict,
              writes ? compare_exact(traffic.name, program.download<std::uint32_t>(buffer, words),
                                     std::vector<std::uint32_t>(words, 1))
                     : compare_exact<std::uint32_t>(traffic.name, {program.read<std::uint32_t>(checksum)}, {sum}));
      const double bytes = static_cast<double>(traffic.bytes) * traffic.passes * ctas;
      result.measurements.push_back({traffic.name, ctas, "CTA", per_cycle(bytes, times.span()), "B/cycle"});
    }
  return result;
}

}  // namespace syncline::workloads::micro
