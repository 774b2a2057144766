// What `syncline list models` says of blocks and their sockets is what a GPU is made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <typeindex>

#include "models/atomic_unit/atomic_work.h"
#include "models/bridge/foreign_bridge.h"
#include "models/bridge/lt_memory_adapter.h"
#include "models/partition/partition_unit.h"
#include "models/transactions/getm/stall_work.h"
#include "platform/config/configuration.h"
#include "platform/gpu/catalogue.h"
#include "platform/gpu/gpu.h"
#include "platform/spec/platform_spec.h"
#include "tests/packages/tiny_machine.h"
#include "tests/support/platform_fixture.h"

namespace syncline::tests {
namespace {

using namespace platform;

/// A unit of a package's that lets everything pass.
struct IdleUnit final : models::PartitionUnit {
  IdleUnit(const sc_core::sc_module_name& name, const UnitSite& site) : PartitionUnit(name, site.context) {}
  bool claims(const models::Message&) const override { return false; }
  bool accept(models::Message&, const sc_core::sc_time&) override { return false; }
};

class BlocksOfAGpu : public PlatformFixture, public testing::WithParamInterface<const char*> {};

TEST_P(BlocksOfAGpu, AreInTheCatalogue) {
  std::vector<std::string> settings{GetParam()};
  if (settings.front() == "modules.topology=none") settings.emplace_back("modules.gpus=2");
  const PlatformSpec spec = tiny_machine(settings);
  const Gpu gpu("gpu", context, spec);
  const std::multimap<std::string_view, std::string_view> of_one_policy{
      {"gpudet", "determinism.policy=gpudet"},
      {"z_unit", "determinism.policy=gpudet"},
      {"nvlink_port", "modules.gpus=2"},
      {"nvlink_room", "modules.gpus=2"},
      {"copy_engine", "modules.gpus=2"},
      {"copy_engine", "modules.topology=none"},
      {"host_copies", "modules.topology=none"},
      {"global_lock", "transactions.policy=global_lock"},
      {"getm_core", "transactions.policy=getm"},
      {"getm_rollover", "transactions.policy=getm"},
      {"commit_unit", "transactions.policy=getm"},
      {"validation_unit", "transactions.policy=getm"},
      {"stall_buffer", "transactions.policy=getm"},
      {"getm_stalls", "transactions.policy=getm"},
      {"local_core", "transactions.local.policy=smdcd"},
      {"warptm_core", "transactions.policy=warptm"},
      {"warptm_shared", "transactions.policy=warptm"}};
  const std::vector<CatalogueEntry> entries = catalogue();
  std::set<std::string_view> made;
  for (const models::Block* const block : context.blocks) {
    const CatalogueEntry* const entry = entry_of(entries, block->name());
    ASSERT_NE(entry, nullptr) << block->name() << " is not listed";
    made.insert(entry->name);
  }
  PlatformSpec listed = spec;
  const FieldList keys = FieldList::of(listed);
  for (const CatalogueEntry& entry : entries) {
    EXPECT_TRUE(entry.keys.empty() || keys.is_group(entry.keys)) << entry.name << ": " << entry.keys;
    const auto [first, last] = of_one_policy.equal_range(entry.name);
    const bool of_this =
        first == last || std::any_of(first, last, [](const auto& one) { return one.second == GetParam(); });
    const bool expected = !entry.instances.empty() && of_this;
    EXPECT_EQ(made.count(entry.name) != 0, expected) << entry.name;
  }
}
INSTANTIATE_TEST_SUITE_P(Each, BlocksOfAGpu,
                         testing::Values("determinism.policy=none", "determinism.policy=gpudet",
                                         "transactions.policy=global_lock", "transactions.policy=getm",
                                         "transactions.local.policy=smdcd", "modules.gpus=2", "modules.topology=none"));

struct SocketCase {
  std::string setting;
  std::set<std::string> sometimes;  ///< sockets that the catalogue lists with a condition, which holds here
};
void PrintTo(const SocketCase& c, std::ostream* out) {
  *out << c.setting;
}

/// Of an elaborated module: whether an initiator, and the types of its protocol.
std::map<std::string, std::pair<bool, std::type_index>> sockets_of(const sc_core::sc_module& module) {
  std::map<std::string, std::pair<bool, std::type_index>> sockets;
  for (const sc_core::sc_object* const child : module.get_child_objects()) {
    if (const auto* const socket = dynamic_cast<const tlm::tlm_base_socket_if*>(child))
      sockets.insert({child->basename(),
                      {socket->get_socket_category() == tlm::TLM_INITIATOR_SOCKET, socket->get_protocol_types()}});
  }
  return sockets;
}

std::type_index types_of(SocketProtocol protocol) {
  if (protocol == SocketProtocol::message) return typeid(models::MessageProtocol);
  if (protocol == SocketProtocol::atomic) return typeid(models::AtomicProtocol);
  if (protocol == SocketProtocol::stall) return typeid(models::StallProtocol);
  return typeid(tlm::tlm_base_protocol_types);
}

/// Each socket of the module is listed as what it is, and what is listed without a condition is there. Those with one
/// are added to `sometimes`.
void expect_sockets(const sc_core::sc_module& module, const CatalogueEntry& entry, std::set<std::string>& sometimes) {
  const auto made = sockets_of(module);
  std::set<std::string_view> met;
  for (const auto& [socket, what] : made) {
    const auto found =
        std::find_if(entry.sockets.begin(), entry.sockets.end(),
                     [&name = socket](const CatalogueSocket& listed) { return matches(listed.name, name); });
    ASSERT_NE(found, entry.sockets.end()) << module.name() << '.' << socket << " is not listed";
    EXPECT_EQ(what, std::pair(found->is_initiator, types_of(found->protocol))) << module.name() << '.' << socket;
    met.insert(found->name);
    if (!found->condition.empty()) sometimes.insert(socket);
  }
  for (const CatalogueSocket& listed : entry.sockets)
    EXPECT_TRUE(!listed.condition.empty() || met.count(listed.name) != 0) << module.name() << '.' << listed.name;
}

class SocketsOfAGpu : public PlatformFixture, public testing::WithParamInterface<SocketCase> {};

TEST_P(SocketsOfAGpu, AreInTheCatalogue) {
  const Gpu gpu("gpu", context, tiny_machine({GetParam().setting}));
  const std::vector<CatalogueEntry> entries = catalogue();
  std::set<std::string> sometimes;
  for (const models::Block* const block : context.blocks)
    expect_sockets(*block, *entry_of(entries, block->name()), sometimes);
  EXPECT_EQ(sometimes, GetParam().sometimes);
}
INSTANTIATE_TEST_SUITE_P(Each, SocketsOfAGpu,
                         testing::Values(SocketCase{"coherence.policy=none", {}},
                                         SocketCase{"coherence.policy=mesi", {"to_peers"}},
                                         SocketCase{"coherence.policy=rcc", {"to_next", "from_previous"}},
                                         SocketCase{"determinism.policy=gpudet", {}}, SocketCase{"modules.gpus=2", {}},
                                         SocketCase{"transactions.policy=global_lock", {}},
                                         SocketCase{"transactions.policy=getm", {}}));

class SocketsBesideAGpu : public PlatformFixture {};

TEST_F(SocketsBesideAGpu, AreInTheCatalogue) {
  const models::AddressMap map(tiny_machine().memory);
  const models::ForeignBridge bridge("bridge", context, {}, map, 1 << 20);
  const models::LtMemoryAdapter adapter("adapter", context);
  models::ClockDomain& clock = scheduler.add_domain("core", 1'000'000'000);
  const IdleUnit unit("unit", {context, clock, tiny_machine(), {}, base::PartitionId(0), map, 0, {}});
  const std::vector<CatalogueEntry> entries = catalogue();
  std::set<std::string> sometimes;
  for (const auto& [name, module] : {std::pair<std::string, const sc_core::sc_module*>{"foreign_bridge", &bridge},
                                     {"lt_memory_adapter", &adapter},
                                     {"partition", &unit}}) {
    const auto entry = std::find_if(entries.begin(), entries.end(),
                                    [&name = name](const CatalogueEntry& listed) { return listed.name == name; });
    ASSERT_NE(entry, entries.end()) << name;
    expect_sockets(*module, *entry, sometimes);
  }
  EXPECT_TRUE(sometimes.empty());
}

TEST(TheCatalogue, KnowsNamesWithNumbers) {
  const std::vector<CatalogueEntry> entries = catalogue();
  for (const auto& [block, name] : {std::pair{"gpu.sm12", "sm"},
                                    {"gpu.sm12_l1", "l1_cache"},
                                    {"gpu.down", "crossbar"},
                                    {"gpu.gpm3_up", "crossbar"},
                                    {"gpu.nvlink0_to12", "nvlink_port"},
                                    {"gpu.nvlink0_to12_room", "nvlink_room"},
                                    {"gpu.part0_dram", "dram"}}) {
    const CatalogueEntry* const entry = entry_of(entries, block);
    ASSERT_NE(entry, nullptr) << block;
    EXPECT_EQ(entry->name, name);
  }
  for (const char* const block : {"gpu.sm", "gpu.smx_l1", "gpu.sm1_l2", "gpu.downs", "gpu.part0", ""})
    EXPECT_EQ(entry_of(entries, block), nullptr) << block;
}

}  // namespace
}  // namespace syncline::tests
