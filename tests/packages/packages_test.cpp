// Packages that a program adds: what they put at seams is used, what they cannot be combined with is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "models/gpudet/gpudet_spec.h"
#include "models/sm/sm.h"
#include "platform/config/configuration.h"
#include "platform/packages/composition.h"
#include "platform/timed/simulation.h"
#include "tests/packages/tiny_machine.h"
#include "tests/support/error_of.h"
#include "tests/support/platform_fixture.h"

namespace syncline::platform {
const Package& transactions_observing();
}

namespace syncline::tests {
namespace {

using namespace platform;
using test::error_of;
using ::testing::HasSubstr;

/// A unit that looks, and lets everything pass.
struct LookingUnit final : models::PartitionUnit {
  LookingUnit(const sc_core::sc_module_name& name, const UnitSite& site, unsigned& seen)
      : PartitionUnit(name, site.context), seen_(seen), memory(site.memory), hertz(site.clock.frequency_hz()) {}
  bool claims(const models::Message&) const override { return ++seen_, false; }
  bool accept(models::Message&, const sc_core::sc_time&) override { return false; }
  unsigned& seen_;
  std::uint64_t memory, hertz;
};

struct LookingKeys {
  std::uint32_t depth = 3;
  template <class V>
  void fields(V& v) {
    v.field("depth", depth, base::param::count("how far it looks").between(1, 9));
  }
};

/// A package with something at each seam.
struct Looking final : Package {
  struct Stage final : models::MemoryStage {
    explicit Stage(unsigned& counter) : seen(counter) {}
    Offer offer(models::Message&, base::Cycle) override { return ++seen, Offer::pass; }
    unsigned& seen;
  };
  struct Listener final : models::WarpEvents {
    explicit Listener(unsigned& counter) : seen(counter) {}
    void exited(const models::WarpIdentity&) override { ++seen; }
    unsigned& seen;
  };
  struct Dealer final : models::CtaDealer {
    explicit Dealer(unsigned& counter) : dealt(counter), in_order(models::PlacementPolicy::first_free) {}
    std::optional<Deal> next(const models::GridLaunch& grid, std::uint64_t placed, const models::SmList& sms) override {
      auto deal = in_order.next(grid, placed, sms);
      dealt += deal.has_value() ? 1 : 0;
      return deal;
    }
    unsigned& dealt;
    models::InOrderDealer in_order;
  };
  struct Parts final : PolicyParts {
    explicit Parts(Looking& package) : owner(package) {}
    std::shared_ptr<models::CtaDealer> dealer() override { return std::make_shared<Dealer>(owner.dealt); }
    void add_to(models::SmSeams& seams, unsigned) override {
      seams.stages.push_back(std::make_shared<Stage>(owner.accesses));
      seams.listeners.push_back(std::make_shared<Listener>(owner.exits));
    }
    Looking& owner;
  };

  std::string_view name() const override { return "looking"; }
  std::string_view summary() const override { return "looks at all that passes"; }
  std::unique_ptr<PackageKeys> keys() const override { return std::make_unique<KeysOf<LookingKeys>>("how it looks"); }
  void rules(const Composition& composition, const Require& require) const override {
    require(composition.spec.determinism.policy == "none", "transactions.policy",
            "looks at machines without order only");
  }
  void reserve(const PlatformSpec& spec, MemoryLayout& memory) const override {
    memory.add("what was seen", "transactions.looking.depth", spec.transactions.keys<LookingKeys>().depth * 100U, 64);
  }
  std::vector<UnitRequest> units(const PlatformSpec&) const override {
    UnitRequest unit{"looker", "lookers", 123'000'000, "transactions.looking.depth", 2, {}};
    unit.make = [this](const sc_core::sc_module_name& name, const UnitSite& site) {
      return std::make_unique<LookingUnit>(name, site, passed);
    };
    return {unit};
  }
  std::unique_ptr<PolicyParts> install(const GpuSite&) const override {
    return std::make_unique<Parts>(const_cast<Looking&>(*this));
  }

  mutable unsigned passed = 0;
  unsigned accesses = 0, exits = 0, dealt = 0;
};

constexpr const char* add_one = R"(
.version 6.0
.target sm_70
.address_size 64
.visible .entry add_one(.param .u64 to)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<5>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.s32 %r3, %r1, 64, %r2;
  mul.wide.u32 %rd2, %r3, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r4, [%rd3];
  add.u32 %r4, %r4, 1;
  st.global.u32 [%rd3], %r4;
  ret;
}
)";

TEST(APackageOfAProgram, IsPartOfTheMachine) {
  static Looking looking;
  add_package("transactions", looking);
  const PlatformSpec spec = tiny_machine({"transactions.policy=looking", "transactions.looking.depth=5"});
  Simulation simulation(spec, 1);
  Gpu& gpu = simulation.gpu();

  std::vector<std::uint32_t> values(8 * 64, 41);
  simulation.run([&](Device& device) {
    const DevicePointer to = device.upload(values);
    device.launch_kernel(device.module_get_function(device.module_load_text(add_one, "add_one.ptx"), "add_one"),
                         {{8}, {64}}, arguments(to));
    values = device.download<std::uint32_t>(to, values.size());
  });
  EXPECT_THAT(values, testing::Each(42U));
  EXPECT_EQ(looking.dealt, 8U);
  EXPECT_EQ(looking.exits, 8U * 2);
  EXPECT_GE(looking.accesses, 8U * 2 * 2) << "a load and a store of each warp";
  EXPECT_GE(looking.passed, 8U * 2) << "misses";

  const MemoryRegion& seen = gpu.memory().at("what was seen");
  EXPECT_EQ(seen.bytes, 500U);
  EXPECT_GE(seen.base, gpu.memory().at(local_memory).end());
  const auto* const unit = dynamic_cast<LookingUnit*>(gpu.unit(1, "looker"));
  ASSERT_NE(unit, nullptr);
  EXPECT_STREQ(unit->name(), "gpu.part1_looker");
  EXPECT_EQ(unit->hertz, 123'000'000U);
  EXPECT_EQ(unit->memory, gpu.memory().data_bytes_per_partition());
  EXPECT_GE(gpu.channel_bytes(), 3 * unit->memory) << "two bytes for each of the data";
}

TEST(APackageOfAProgram, HasKeysThatAreReadCopiedAndListed) {
  static const Looking looking;
  add_package("transactions", looking);
  PlatformSpec spec = tiny_machine({"transactions.looking.depth=7"});
  const PlatformSpec copy = spec;
  spec.transactions.keys<LookingKeys>().depth = 2;
  EXPECT_EQ(copy.transactions.keys<LookingKeys>().depth, 7U);
  EXPECT_EQ(spec.transactions.keys<LookingKeys>().depth, 2U);
  EXPECT_EQ(spec.transactions.policy, "none");
  EXPECT_THROW(spec.composition.keys<LookingKeys>(), base::ModelError);

  const auto mistake = [](const std::string& setting) { return error_of([&] { tiny_machine({setting}); }); };
  EXPECT_THAT(mistake("transactions.looking.dpth=3"), HasSubstr("did you mean `depth`?"));
  EXPECT_THAT(mistake("transactions.looking.depth=10"), HasSubstr("--set transactions.looking.depth: error:"));
  EXPECT_THAT(mistake("transactions.policy=lookng"), HasSubstr("did you mean `looking`?"));
  EXPECT_THAT(configuration_reference<PlatformSpec>(), HasSubstr("| `transactions.looking.depth` | `3` | how far"));
  EXPECT_THAT(
      looking.page("transactions"),
      testing::AllOf(HasSubstr("| `transactions.looking.depth` | `3` |"), HasSubstr("- what was seen: 300 bytes"),
                     HasSubstr("- looker: 2 bytes"), HasSubstr("- `transactions.policy` looks at machines")));
  EXPECT_EQ(find_policy("looking").setting(), "transactions.policy=looking");
}

class GpuOfPackages : public PlatformFixture {};

TEST_F(GpuOfPackages, AUnitOfTheUsersStandsWhereAPackageAskedForOne) {
  unsigned seen = 0;
  GpuOptions options;
  options.unit_factories["z_unit"] = [&](const sc_core::sc_module_name& name, const UnitSite& site) {
    return std::make_unique<LookingUnit>(name, site, seen);
  };
  const PlatformSpec spec = tiny_machine({"determinism.policy=gpudet"});
  Gpu gpu("gpu", context, spec, options);
  for (unsigned i = 0; i < spec.memory.partitions; ++i) {
    const auto* const unit = dynamic_cast<LookingUnit*>(gpu.unit(i, "z_unit"));
    ASSERT_NE(unit, nullptr);
    EXPECT_EQ(unit->hertz, spec.z_unit.clock);
    EXPECT_EQ(unit->memory, gpu.memory().at("z_unit").base);
  }
}

TEST_F(GpuOfPackages, AUnitThatNobodyAsksForIsNotReplaced) {
  GpuOptions options;
  options.unit_factories["z_unti"] = nullptr;
  options.z_units = true;
  EXPECT_EQ(error_of([&] { Gpu("gpu", context, tiny_machine(), options); }),
            "no unit `z_unti` stands in the partitions of this GPU; did you mean `z_unit`?");
}

TEST(APackageOfAProgram, IsNotAddedTwice) {
  static const Looking one, two;
  add_package("transactions", one);
  EXPECT_THROW(add_package("transactions", two), base::ModelError);
  EXPECT_THROW(add_package("coherence", two), base::ModelError);
  EXPECT_THROW(add_package("transaction", two), base::ModelError);
  add_package("composition", two);
  EXPECT_EQ(find_policy("looking").family->name, "transactions") << "the first family that has it";
  EXPECT_EQ(find_policy("composition.policy=looking").package, &two);
}

TEST(RulesOfPackages, AreToldWhereTheValueWasSet) {
  static const Looking looking;
  add_package("transactions", looking);
  const std::string text = "include: " SYNCLINE_SOURCE_DIR
                           "/configs/tiny.yaml\ndeterminism: {policy: gpudet}\ntransactions:\n  policy: looking\n";
  EXPECT_THAT(error_of([&] { parse_configuration<PlatformSpec>(text, "both.yaml"); }),
              HasSubstr("both.yaml:4:3: error: `transactions.policy` looks at machines without order only"));
}

struct WrongPolicy {
  std::string setting, text;
};
void PrintTo(const WrongPolicy& wrong, std::ostream* out) {
  *out << wrong.setting;
}

class PoliciesUnderTheWrongKey : public testing::TestWithParam<WrongPolicy> {};

TEST_P(PoliciesUnderTheWrongKey, AreToldWhereTheyBelong) {
  const std::string& setting = GetParam().setting;
  const std::string key = setting.substr(0, setting.find('=')), word = setting.substr(setting.find('=') + 1);
  EXPECT_EQ(error_of([&] { tiny_machine({setting}); }),
            "--set " + key + ": error: `" + key + "` has no choice `" + word + "`; " + GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Each, PoliciesUnderTheWrongKey,
    testing::Values(WrongPolicy{"coherence.policy=gpudet", "it is a choice of `determinism.policy`"},
                    WrongPolicy{"determinism.policy=rcc_wo", "it is a choice of `coherence.policy`"},
                    WrongPolicy{"transactions.policy=gpudet", "it is a choice of `determinism.policy`"},
                    WrongPolicy{"composition.policy=mesi", "it is a choice of `coherence.policy`"},
                    WrongPolicy{"determinism.policy=gpudt", "did you mean `gpudet`?"},
                    WrongPolicy{"coherence.policy=gpudt", "did you mean `gpudet`, a choice of `determinism.policy`?"},
                    WrongPolicy{"composition.policy=warts", "expected one of: none"}));

TEST(APolicyUnderTheWrongKey, IsToldWhereTheValueWasSet) {
  const std::string text = "include: " SYNCLINE_SOURCE_DIR "/configs/tiny.yaml\ncoherence:\n  policy: gpudet\n";
  EXPECT_EQ(
      error_of([&] { parse_configuration<PlatformSpec>(text, "wrong.yaml"); }),
      "wrong.yaml:3:11: error: `coherence.policy` has no choice `gpudet`; it is a choice of `determinism.policy`");
}

/// It takes parts of which there is one.
struct Taking final : Package {
  struct Parts final : PolicyParts {
    explicit Parts(std::string part) : what(std::move(part)) {}
    std::shared_ptr<models::CtaDealer> dealer() override {
      return what == "dealer" ? std::make_shared<models::InOrderDealer>(models::PlacementPolicy::first_free) : nullptr;
    }
    void add_to(models::SmSeams& seams, unsigned) override {
      if (what == "gate") seams.gate = std::make_shared<models::OpenGate>();
      if (what == "fences") seams.fences = std::make_shared<models::NoFence>();
      if (what == "places") seams.places = std::make_shared<models::SlotPlaces>();
    }
    std::string what;
  };
  Taking(std::string name, std::string part) : name_(std::move(name)), what(std::move(part)) {}
  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return "takes"; }
  std::unique_ptr<PolicyParts> install(const GpuSite&) const override { return std::make_unique<Parts>(what); }
  std::string name_, what;
};

struct Taken {
  const char *part, *text;
};
void PrintTo(const Taken& taken, std::ostream* out) {
  *out << taken.part;
}

class PartsOfWhichThereIsOne : public PlatformFixture, public testing::WithParamInterface<Taken> {};

TEST_P(PartsOfWhichThereIsOne, AreNotTakenByTwo) {
  static const Taking one("one", GetParam().part), two("two", GetParam().part);
  add_package("transactions", one);
  add_package("composition", two);
  EXPECT_THAT(error_of([&] {
                Gpu("gpu", context, tiny_machine({"transactions.policy=one", "composition.policy=two"}));
              }),
              HasSubstr(std::string("`transactions.policy` = one and `composition.policy` = two both decide ") +
                        GetParam().text));
}

INSTANTIATE_TEST_SUITE_P(Each, PartsOfWhichThereIsOne,
                         testing::Values(Taken{"gate", "the issue gate"}, Taken{"fences", "the fence rule"},
                                         Taken{"places", "the places of warps"},
                                         Taken{"dealer", "the dealing of CTAs"}));

TEST_F(GpuOfPackages, ThePackageThatTakesTheGateOfSequentialConsistencyIsTold) {
  static const Taking taking("taking", "gate");
  add_package("transactions", taking);
  EXPECT_THAT(error_of([&] {
                Gpu("gpu", context, tiny_machine({"transactions.policy=taking", "coherence.policy=rcc"}));
              }),
              HasSubstr("`coherence.policy` = rcc and `transactions.policy` = taking both decide the issue gate"));
}

class PackagesOfAGpu : public PlatformFixture, public testing::WithParamInterface<std::string> {};

/// What the page of a package says of seams is what it changes there.
TEST_P(PackagesOfAGpu, SeamsAreDescribedAsTheyAreUsed) {
  add_package("transactions", transactions_observing());
  models::ClockDomain& core = scheduler.add_domain("core", 1'000'000'000);
  const PlatformSpec spec = tiny_machine({find_policy(GetParam()).setting()});
  const models::AddressMap map(spec.memory);
  const MemoryLayout layout = memory_layout(spec, requested_units(spec));
  for (const ChosenPackage& chosen : chosen_packages(spec)) {
    std::set<std::string_view> described, used;
    for (const protocols::SeamPart& part : chosen.package->seams()) described.insert(part.seam);
    const auto parts = chosen.package->install({context, core, spec, map, layout});
    if (!chosen.package->units(spec).empty()) used.insert("partition unit");
    if (parts) {
      models::SmSeams seams;
      const models::SmSeams before = seams;
      for (unsigned sm = 0; sm < spec.sms; ++sm) {
        seams = before;
        parts->add_to(seams, sm);
      }
      if (seams.gate != before.gate) used.insert("issue gate");
      if (seams.fences != before.fences) used.insert("fence rule");
      if (seams.places != before.places) used.insert("warp places");
      if (!seams.lane_stages.empty()) used.insert("lane stage");
      if (!seams.stages.empty()) used.insert("memory stage");
      if (!seams.listeners.empty()) used.insert("warp events");
      if (parts->dealer()) used.insert("CTA dealer");
    }
    EXPECT_EQ(described, used) << chosen.family << ' ' << chosen.package->name();
    EXPECT_EQ(chosen.package->name() == GetParam(), !used.empty());
  }
}
INSTANTIATE_TEST_SUITE_P(Each, PackagesOfAGpu, testing::Values("gpudet", "observing", "global_lock", "swo_sig"),
                         [](const testing::TestParamInfo<std::string>& policy) { return policy.param; });

}  // namespace
}  // namespace syncline::tests
