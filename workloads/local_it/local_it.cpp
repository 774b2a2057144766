#include <algorithm>

#include "workloads/common/compare.h"
#include "workloads/common/cta_program.h"
#include "workloads/common/inputs.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t packets = 2 * cta_threads, packets_of_a_flow = 4, flows = packets / packets_of_a_flow;

Verdict run(const Context& context, std::uint32_t queues) {
  const std::uint32_t locks = 2 * queues + flows, words = 2 * queues + 3 * flows;
  CtaProgram cta{"local_it", words + locks, queues, {}, cta_count(context)};
  const auto values = random_integers<std::uint32_t>(context.seed, "local_it.values", cta.ctas * packets, 1U << 16);
  const auto order = random_permutation(context.seed, "local_it.order", cta.ctas * packets);
  for (std::uint32_t i = 0; i < cta.ctas; ++i) {
    std::vector<std::uint32_t> places(packets);  // of each packet of the CTA, in a random order
    for (std::uint32_t p = 0; p < packets; ++p) places[p] = p;
    std::sort(places.begin(), places.end(),
              [&](std::uint32_t a, std::uint32_t b) { return order[i * packets + a] < order[i * packets + b]; });
    for (std::uint32_t p = 0; p < packets; ++p)
      cta.input.push_back(places[p] / packets_of_a_flow << 16 | values[i * packets + p]);
  }
  return run_ctas(context, cta, [&](std::uint32_t i, const CtaData& data) {
    std::vector<std::uint32_t> sums(flows), numbers(flows);
    for (std::uint32_t p = 0; p < packets; ++p) {
      const std::uint32_t packet = cta.input[i * packets + p];
      sums[packet >> 16] += packet & 0xffff;
    }
    for (std::uint32_t flow = 0; flow < flows; ++flow) numbers[flow] = flow;
    const std::vector<std::uint32_t> next = data.part(queues + 2 * flows, flows),
                                     first = data.part(queues + 3 * flows, queues);
    std::vector<std::uint32_t> complete;
    for (const std::uint32_t head : first) {
      for (std::uint32_t at = head; at != 0 && at <= flows && complete.size() <= flows; at = next[at - 1])
        complete.push_back(at - 1);
    }
    std::sort(complete.begin(), complete.end());
    return all_of(
        {compare_exact("packets taken", data.part(0, queues), std::vector<std::uint32_t>(queues, packets / queues)),
         compare_exact("packets of flows", data.part(queues, flows),
                       std::vector<std::uint32_t>(flows, packets_of_a_flow)),
         compare_exact("sums", data.part(queues + flows, flows), sums),
         compare_exact("complete flows", complete, numbers),
         compare_exact("locks", data.part(words, locks), std::vector<std::uint32_t>(locks))});
  });
}

}  // namespace

Verdict run_local_it_high(const Context& context) {
  return run(context, 1);
}
Verdict run_local_it_low(const Context& context) {
  return run(context, 256);
}

}  // namespace syncline::workloads
