#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/hash_table/chains.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

enum class Insertion { locked, lock_free, transactional };

/// How the kernels hash into so many buckets, and their argument for it: by bits where that is a power of two.
struct Hashing {
  explicit Hashing(std::uint32_t buckets) {
    while (std::uint64_t{1} << argument < buckets) ++argument;
    by_bits = std::uint64_t{1} << argument == buckets;
    if (!by_bits) argument = buckets;
  }
  bool by_bits = false;
  std::uint32_t argument = 0;
};

/// Different keys in random order that fill the 32 bits. The hash deals them to the buckets evenly, as it does with
/// multiples of any number.
std::vector<std::uint32_t> evenly_hashed_keys(std::uint64_t seed, std::uint32_t count) {
  std::vector<std::uint32_t> keys = random_permutation(seed, "hash_table.keys", count);
  for (std::uint32_t& key : keys) key = key * 8'191 + 77;
  return keys;
}
/// Keys that meet by chance, also where there are more buckets than keys.
std::vector<std::uint32_t> random_keys(std::uint64_t seed, std::uint32_t count) {
  return random_integers<std::uint32_t>(seed, "hash_table.random_keys", count);
}

/// `tables`: how many times as many buckets as in the table of high contention. With Size::paper the tables are those
/// of HT-H, HT-M and HT-L (Ren, table 4.3: 8000, 80000 and 800000 entries).
Verdict run(const Context& context, Insertion insertion, std::uint32_t tables) {
  const std::uint32_t buckets = tables * by_size(context.size, 1U << 9, 1U << 13, 1U << 16, 8'000U);
  const std::uint32_t count = by_size(context.size, 3'000U, 50'000U, 500'000U, 49'152U);
  const bool even = tables == 1 && context.size != Size::paper;
  const std::vector<std::uint32_t> keys =
      even ? evenly_hashed_keys(context.seed, count) : random_keys(context.seed, count);

  Program program(context);
  const DevicePointer device_keys = program.upload(keys);
  const DevicePointer heads = program.allocate<std::uint32_t>(buckets);
  const DevicePointer nodes = program.allocate<hash_table::Node>(count);
  const Launch launch = covering(count / 2, 192);
  const Hashing hashing(buckets);
  if (insertion == Insertion::locked) {
    const DevicePointer locks = program.allocate<std::uint32_t>(buckets);
    program.launch(hashing.by_bits ? "insert_locked" : "insert_locked_any", launch, device_keys, count,
                   hashing.argument, heads, locks, nodes);
  } else {
    const std::string_view kernel = insertion == Insertion::lock_free ? "insert_lock_free" : "insert_transactional";
    program.launch(std::string(kernel) + (hashing.by_bits ? "" : "_any"), launch, device_keys, count, hashing.argument,
                   heads, nodes);
  }
  return hash_table::check_chains(keys, program.download<std::uint32_t>(heads, buckets),
                                  program.download<hash_table::Node>(nodes, count));
}

Verdict run_synchronized(const Context& context, std::uint32_t tables) {
  return run(context, context.choice("sync") == "tx" ? Insertion::transactional : Insertion::locked, tables);
}

}  // namespace

Verdict run_hash_table(const Context& context) {
  return run_synchronized(context, 1);
}
Verdict run_hash_table_m(const Context& context) {
  return run_synchronized(context, 10);
}
Verdict run_hash_table_l(const Context& context) {
  return run_synchronized(context, 100);
}
Verdict run_hash_table_cas(const Context& context) {
  return run(context, Insertion::lock_free, 1);
}

}  // namespace syncline::workloads
