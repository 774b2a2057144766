#include "workloads/sorted_list/lists.h"

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {
namespace {

using sorted_list::Kind;
using sorted_list::Lists;
using sorted_list::Node;
using sorted_list::Operation;

struct Guard {
  std::uint32_t lock = 0;
  std::uint32_t removed = 0;
};

/// Every list has half of its keys.
Lists half_full(std::uint32_t count, std::uint32_t keys, std::uint64_t seed) {
  Lists lists{count, keys, std::vector<Node>(count)};
  base::Random random(seed, "sorted_list.lists");
  for (std::uint32_t list = 0; list < count; ++list) {
    std::uint32_t last = list;
    for (std::uint32_t key = 1; key <= keys; ++key) {
      if (random.below(2) == 0) continue;
      const auto node = static_cast<std::uint32_t>(lists.nodes.size());
      lists.nodes.push_back({key, 0});
      lists.nodes[last].next = node;
      last = node;
    }
  }
  return lists;
}

/// As many insertions as removals, and as many look-ups as both. `contention` percent of them are of one list in 32.
std::vector<Operation> random_operations(const Lists& lists, std::uint32_t count, std::uint32_t contention,
                                         std::uint64_t seed) {
  base::Random random(seed, "sorted_list.operations");
  std::vector<Operation> operations(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t kind = random.below(4);
    const bool is_hot = random.below(100) < contention;
    operations[i] = {kind < 2    ? Kind::look_up
                     : kind == 2 ? Kind::insert
                                 : Kind::remove,
                     random.below(is_hot ? (lists.count + 31) / 32 : lists.count), 1 + random.below(lists.keys),
                     static_cast<std::uint32_t>(lists.nodes.size()) + i};
  }
  return operations;
}

}  // namespace

Verdict run_sorted_list(const Context& context) {
  const std::uint32_t count = by_size(context.size, 32U, 256U, 2'048U);
  const std::uint32_t operation_count = by_size(context.size, 2'000U, 30'000U, 300'000U);
  const Lists before = half_full(count, 32, context.seed);
  const std::vector<Operation> operations =
      random_operations(before, operation_count, context.number("contention"), context.seed);
  std::vector<Node> nodes = before.nodes;
  nodes.resize(nodes.size() + operation_count);
  const auto node_count = static_cast<std::uint32_t>(nodes.size());

  Program program(context);
  const DevicePointer device_operations = program.upload(operations);
  const DevicePointer device_nodes = program.upload(nodes);
  const DevicePointer successes = program.allocate<std::uint32_t>(operation_count);
  const Launch launch = covering(operation_count / 2, 128);
  std::vector<std::uint32_t> locks;
  if (context.choice("sync") == "tx") {
    program.launch("operate_transactional", launch, device_operations, operation_count, device_nodes, node_count,
                   successes);
  } else {
    const DevicePointer guards = program.allocate<Guard>(node_count);
    program.launch("operate_locked", launch, device_operations, operation_count, device_nodes, guards, node_count,
                   successes);
    for (const Guard& guard : program.download<Guard>(guards, node_count)) locks.push_back(guard.lock);
  }
  const Lists after{count, before.keys, program.download<Node>(device_nodes, node_count)};
  return all_of({check_lists(before, operations, program.download<std::uint32_t>(successes, operation_count), after),
                 compare_exact("locks", locks, std::vector<std::uint32_t>(locks.size()))});
}

}  // namespace syncline::workloads
