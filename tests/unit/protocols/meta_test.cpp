// Metadata can be copied, compared and hashed: what the model checker, checkpoints and comparisons of runs need.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <set>
#include <type_traits>

#include "protocols/coherence/engine/meta.h"

namespace syncline::tests {
namespace {

using protocols::LineMeta;
using protocols::NodeMeta;
using protocols::NodeSet;

static_assert(std::is_copy_assignable_v<LineMeta> && std::is_nothrow_move_assignable_v<LineMeta>);
static_assert(std::is_trivially_copyable_v<NodeMeta>);

TEST(NodeSet, IsASet) {
  constexpr unsigned nodes = 1100;  // more than a platform may have
  EXPECT_TRUE(rc::check("against std::set", [](const std::vector<std::pair<bool, std::uint16_t>>& steps, bool few) {
    NodeSet set;
    std::set<unsigned> reference;
    for (const auto& [insert, value] : steps) {
      const unsigned node = few ? 120 + value % 20 : value % nodes;
      if (insert) {
        set.insert(node);
        reference.insert(node);
      } else {
        set.erase(node);
        reference.erase(node);
      }
    }
    std::set<unsigned> listed;
    set.for_each([&listed](unsigned node) { listed.insert(node); });
    RC_ASSERT(listed == reference);
    RC_ASSERT(set.size() == reference.size());
    RC_ASSERT(set.empty() == reference.empty());
    for (unsigned node = 0; node < nodes; ++node) RC_ASSERT(set.contains(node) == (reference.count(node) != 0));
    // However it came about, a set of the same nodes is the same.
    NodeSet again;
    for (const unsigned node : reference) again.insert(node);
    RC_ASSERT(set == again && set.words() == again.words());
    const NodeSet copy = set;
    set.insert(127), set.erase(127), set.insert(1023), set.erase(1023);
    RC_ASSERT(reference.count(127) + reference.count(1023) != 0 || set == copy);
    RC_ASSERT(copy == again && copy.without(nodes) == again);
    set.clear();
    RC_ASSERT(set == NodeSet() && copy == again);
    again = set;
    RC_ASSERT(again.empty());
  }));
}

/// Changes one member of a copy; the copy must differ and hash differently.
template <class Meta, class Change>
void expect_matters(Change&& change) {
  const Meta before;
  Meta after = before;
  EXPECT_EQ(before, after);
  EXPECT_EQ(before.hash(), after.hash());
  change(after);
  EXPECT_NE(before, after);
  EXPECT_NE(before.hash(), after.hash());
}

TEST(LineMeta, EveryMemberMatters) {
  expect_matters<LineMeta>([](LineMeta& m) { m.state = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.pending_reads = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.pending_writes = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.acks = -1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.owner = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.sharers.insert(127); });
  expect_matters<LineMeta>([](LineMeta& m) { m.sharers.insert(128); });
  expect_matters<LineMeta>([](LineMeta& m) { m.sharers.insert(1023); });
  expect_matters<LineMeta>([](LineMeta& m) { m.exp = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.ver = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.last_read = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.last_write = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.lease = 1; });
  expect_matters<LineMeta>([](LineMeta& m) { m.unkept = true; });
}

TEST(NodeMeta, EveryMemberMatters) {
  expect_matters<NodeMeta>([](NodeMeta& m) { m.now = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.read_view = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.write_view = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.mnow = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.lease = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.gwct[63] = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.epoch = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.phase = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.acks = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.fences[1].phase = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.markings[1].answers = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.markings[0].served = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.markings[0].waiting = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.unmarked[1] = 1; });
  expect_matters<NodeMeta>([](NodeMeta& m) { m.asked_by = 1; });
}

}  // namespace
}  // namespace syncline::tests
