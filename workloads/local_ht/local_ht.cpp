#include <fmt/format.h>

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
  const std::vector<std::uint32_t> data = run_ctas(context, cta);

  for (std::uint32_t i = 0; i < cta.ctas; ++i) {
    const auto begin = data.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * cta.words);
    std::vector<hash_table::Node> nodes(keys);
    for (std::uint32_t n = 0; n < keys; ++n) nodes[n] = {begin[2 * buckets + 2 * n], begin[2 * buckets + 2 * n + 1]};
    const auto first = cta.input.begin() + static_cast<std::ptrdiff_t>(std::size_t{i} * keys);
    const Verdict verdict =
        all_of({hash_table::check_chains({first, first + keys}, {begin, begin + buckets}, nodes),
                compare_exact("locks", std::vector<std::uint32_t>(begin + buckets, begin + 2 * buckets),
                              std::vector<std::uint32_t>(buckets)),
                compare_exact("keys found by their threads",
                              std::vector<std::uint32_t>(begin + 2 * buckets + 2 * keys, begin + cta.words),
                              std::vector<std::uint32_t>(cta_threads, rounds))});
    if (!verdict.verified || i + 1 == cta.ctas) return {verdict.verified, fmt::format("CTA {}: {}", i, verdict.detail)};
  }
  return {};
}

}  // namespace

Verdict run_local_ht_high(const Context& context) {
  return run(context, 3);
}
Verdict run_local_ht_low(const Context& context) {
  return run(context, 10);
}

}  // namespace syncline::workloads
