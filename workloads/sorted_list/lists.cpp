#include "workloads/sorted_list/lists.h"

#include <fmt/format.h>

namespace syncline::workloads::sorted_list {
namespace {

/// What happened to one key of one list.
struct History {
  std::uint32_t at_first = 0;
  std::uint32_t inserted = 0;
  std::uint32_t removed = 0;
  std::uint32_t at_last = 0;

  bool ever_there() const { return at_first + inserted != 0; }
  bool always_there() const { return at_first != 0 && removed == 0; }
};

/// The keys of all lists.
class Histories {
 public:
  explicit Histories(const Lists& lists) : keys_(lists.keys), all_(std::size_t{lists.count} * lists.keys) {}
  History& of(std::uint32_t list, std::uint32_t key) { return all_[std::size_t{list} * keys_ + key - 1]; }

 private:
  std::uint32_t keys_;
  std::vector<History> all_;
};

/// Calls found(list, key) for every node; says what is wrong with a list.
template <class Found>
std::string walk(const Lists& lists, Found found) {
  for (std::uint32_t list = 0; list < lists.count; ++list) {
    std::uint32_t last = 0;
    for (std::uint32_t at = lists.nodes[list].next; at != 0; at = lists.nodes[at].next) {
      if (at < lists.count || at >= lists.nodes.size()) return fmt::format("list {} leads to node {}", list, at);
      const std::uint32_t key = lists.nodes[at].key;
      if (key <= last || key > lists.keys) return fmt::format("list {} has key {} behind {}", list, key, last);
      found(list, key);
      last = key;
    }
  }
  return {};
}

}  // namespace

Verdict check_lists(const Lists& before, const std::vector<Operation>& operations,
                    const std::vector<std::uint32_t>& successes, const Lists& after) {
  Histories histories(before);
  walk(before, [&](std::uint32_t list, std::uint32_t key) { ++histories.of(list, key).at_first; });
  const std::string wrong =
      walk(after, [&](std::uint32_t list, std::uint32_t key) { ++histories.of(list, key).at_last; });
  if (!wrong.empty()) return {false, wrong};
  std::size_t changes = 0;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& op = operations[i];
    if (op.kind == Kind::look_up || successes[i] == 0) continue;
    ++changes;
    History& history = histories.of(op.list, op.key);
    ++(op.kind == Kind::insert ? history.inserted : history.removed);
  }
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& op = operations[i];
    const History& history = histories.of(op.list, op.key);
    if (history.at_first + history.inserted != history.removed + history.at_last)
      return {false,
              fmt::format("key {} of list {} was there {} times, inserted {} and removed {}, and is there {}", op.key,
                          op.list, history.at_first, history.inserted, history.removed, history.at_last)};
    // An insertion fails where its key is, the others where it is not.
    const bool finds_key = (successes[i] != 0) != (op.kind == Kind::insert);
    if (finds_key ? !history.ever_there() : history.always_there())
      return {false,
              fmt::format("operation {} {} key {} of list {}, which is {} there", i,
                          finds_key ? "found" : "did not find", op.key, op.list, finds_key ? "never" : "always")};
  }
  return {true, fmt::format("{} lists are sorted, and hold what {} changes leave", after.count, changes)};
}

}  // namespace syncline::workloads::sorted_list
