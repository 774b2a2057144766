#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/hash_table/chains.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

enum class Insertion { locked, lock_free };

Verdict run(const Context& context, Insertion insertion) {
  // The tables of HT-H and HT-M (Ren, table 4.3: 8000 and 80000 entries) as the next power of two are medium and large.
  const std::uint32_t bits = by_size(context.size, 9U, 13U, 16U);
  const std::uint32_t count = by_size(context.size, 3'000U, 50'000U, 500'000U);
  // Different keys in random order that fill the 32 bits.
  std::vector<std::uint32_t> keys = random_permutation(context.seed, "hash_table.keys", count);
  for (std::uint32_t& key : keys) key = key * 8'191 + 77;

  Program program(context);
  const DevicePointer device_keys = program.upload(keys);
  const DevicePointer heads = program.allocate<std::uint32_t>(std::size_t{1} << bits);
  const DevicePointer nodes = program.allocate<hash_table::Node>(count);
  const Launch launch = covering(count / 2, 192);
  if (insertion == Insertion::locked) {
    const DevicePointer locks = program.allocate<std::uint32_t>(std::size_t{1} << bits);
    program.launch("insert_locked", launch, device_keys, count, bits, heads, locks, nodes);
  } else {
    program.launch("insert_lock_free", launch, device_keys, count, bits, heads, nodes);
  }
  return hash_table::check_chains(keys, program.download<std::uint32_t>(heads, std::size_t{1} << bits),
                                  program.download<hash_table::Node>(nodes, count));
}

}  // namespace

Verdict run_hash_table(const Context& context) {
  return run(context, Insertion::locked);
}
Verdict run_hash_table_cas(const Context& context) {
  return run(context, Insertion::lock_free);
}

}  // namespace syncline::workloads
