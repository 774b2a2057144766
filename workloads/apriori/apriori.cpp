#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "workloads/apriori/mining.h"
#include "workloads/common/compare.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using namespace apriori;

constexpr std::uint32_t item_count = 40;

/// Records of a few items each, of which some often come together (after the generator of Agrawal and Srikant).
std::vector<Record> random_records(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed, "apriori.records");
  const auto some_item = [&random] { return Items{1} << random.below(item_count); };
  std::vector<Items> patterns;
  for (unsigned pattern = 0; pattern < 8; ++pattern) {
    patterns.push_back(0);
    for (unsigned item = 0; item < 2 + pattern % 3; ++item) patterns.back() |= some_item();
  }
  std::vector<Record> records;
  for (std::uint32_t i = 0; i < count; ++i) {
    Items items = patterns[std::min(random.below(8), random.below(8))];
    for (unsigned more = random.below(3); more > 0; --more) items |= some_item();
    if (random.below(4) == 0) items &= ~some_item();
    records.push_back({items, 1 + random.below(999), 0});
  }
  return records;
}

std::vector<std::int64_t> numbers(const std::vector<Support>& supports) {
  std::vector<std::int64_t> all;
  for (const Support& support : supports) all.insert(all.end(), {support.records, support.value});
  return all;
}

}  // namespace

Verdict run_apriori(const Context& context) {
  const std::uint32_t count = by_size(context.size, 128U, 1'000U, 16'000U, 4'000U);
  const std::uint32_t least = count / 20;  // records that contain a frequent set
  const bool transactional = context.choice("sync") == "tx";
  const std::uint32_t apart = context.choice("lanes") == "apart" ? 1 : 0;
  const std::vector<Record> records = random_records(context.seed, count);

  Program program(context);
  const DevicePointer device_records = program.upload(records);
  std::vector<Items> candidates, frequent;
  for (std::uint32_t item = 0; item < item_count; ++item) candidates.push_back(Items{1} << item);
  Verdict counted{true, ""};
  std::uint32_t levels = 0;
  std::size_t counters = 0;
  for (; !candidates.empty() && counted.verified; ++levels) {
    const auto candidate_count = static_cast<std::uint32_t>(candidates.size());
    counters += candidate_count;
    const DevicePointer device_candidates = program.upload(candidates);
    const DevicePointer device_supports = program.allocate<Support>(candidate_count);
    const DevicePointer locks = program.allocate<std::uint32_t>(candidate_count);
    const Launch launch = covering(count, 64);
    if (transactional)
      program.launch("count_transactional", launch, device_records, count, device_candidates, candidate_count,
                     device_supports, apart);
    else
      program.launch("count", launch, device_records, count, device_candidates, candidate_count, device_supports, locks,
                     apart);
    const std::vector<Support> supports = program.download<Support>(device_supports, candidate_count);
    std::vector<Support> expected(candidate_count);
    std::transform(candidates.begin(), candidates.end(), expected.begin(),
                   [&records](Items items) { return support_of(items, records); });
    counted =
        all_of({compare_exact(fmt::format("support of level {}", levels + 1), numbers(supports), numbers(expected)),
                compare_exact("locks", program.download<std::uint32_t>(locks, candidate_count),
                              std::vector<std::uint32_t>(candidate_count))});
    std::vector<Items> of_level;
    for (std::size_t i = 0; i < supports.size(); ++i)
      if (supports[i].records >= least) of_level.push_back(candidates[i]);
    frequent.insert(frequent.end(), of_level.begin(), of_level.end());
    candidates = candidates_of(of_level);
  }
  std::sort(frequent.begin(), frequent.end());
  return all_of({counted,
                 compare_exact("frequent sets", frequent, frequent_sets(records, item_count, least)),
                 {true, fmt::format("{} candidates in {} levels", counters, levels)}});
}

}  // namespace syncline::workloads
