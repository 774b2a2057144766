#include "workloads/common/compare.h"
#include "workloads/common/cta_program.h"
#include "workloads/common/inputs.h"
#include "workloads/hash_table/chains.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

constexpr std::uint32_t rounds = 2;

Verdict run(const Context& context, std::uint32_t bits) {
  CtaProgram cta{"local_ht", 0, bits, {}, cta_count(context)};
  const std::uint32_t buckets = 1U << bits, keys = rounds * cta_threads;
  cta.words = 2 * buckets + 2 * keys + cta_threads;
  // Different ones, of which several meet in a bucket.
  for (const std::uint32_t key : random_permutation(context.seed, "local_ht.keys", cta.ctas * keys))
    cta.input.push_back(key * 8'191 + 77);
  return run_ctas(context, cta, [&](std::uint32_t i, const CtaData& data) {
    const std::vector<std::uint32_t> words = data.part(2 * buckets, 2 * keys);
    std::vector<hash_table::Node> nodes(keys);
    for (std::uint32_t n = 0; n < keys; ++n) nodes[n] = {words[2 * n], words[2 * n + 1]};
    const auto first = cta.input.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * keys);
    return all_of({hash_table::check_chains({first, first + keys}, data.part(0, buckets), nodes),
                   compare_exact("locks", data.part(buckets, buckets), std::vector<std::uint32_t>(buckets)),
                   compare_exact("keys found by their threads", data.part(2 * buckets + 2 * keys, cta_threads),
                                 std::vector<std::uint32_t>(cta_threads, rounds))});
  });
}

}  // namespace

Verdict run_local_ht_high(const Context& context) {
  return run(context, 3);
}
Verdict run_local_ht_low(const Context& context) {
  return run(context, 10);
}

}  // namespace syncline::workloads
