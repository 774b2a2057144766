// KiloTM, WarpTM, WarpTM-EL and EAPG (X. Ren, PhD thesis, 2020, chapter 4, and the papers that it compares with):
// transactions that are validated when they end. Four packages on one set of parts, which differ in their keys'
// defaults.
#include "platform/packages/package.h"

#include "models/families/transaction_family.h"
#include "models/sm/sm.h"
#include "models/transactions/around_l1.h"
#include "models/transactions/warptm/commit_unit.h"
#include "models/transactions/warptm/warptm_core.h"
#include "models/transactions/warptm/warptm_shared.h"
#include "platform/packages/warptm/exploration.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace warptm {
namespace {

using protocols::warptm::Design;

constexpr const char* logs_region = "logs of transactions";

/// Packages are told apart by the types of their keys.
template <Design design>
struct KeysOfDesign : models::WarptmKeys {
  KeysOfDesign() : models::WarptmKeys(of(design)) {}
};

using KeysIn = const models::WarptmKeys& (*)(const PlatformSpec& spec);
template <Design design>
const models::WarptmKeys& keys_in(const PlatformSpec& spec) {
  return spec.transactions.keys<KeysOfDesign<design>>();
}

std::uint64_t log_bytes(const models::WarptmKeys& keys, const PlatformSpec& spec) {
  return models::LogLines::bytes(keys.core, spec.l1.line, spec.sm.max_warps);
}

class Parts final : public PolicyParts {
 public:
  Parts(const GpuSite& site, const models::WarptmKeys& keys)
      : site_(site), keys_(keys), logs_(site.memory.at(logs_region).base), shared_("commit_ids", site.context, keys) {}

  void add_to(models::SmSeams& seams, unsigned sm) override {
    const PlatformSpec& spec = site_.spec;
    const models::TransactionPlace place{base::SmId(static_cast<std::uint16_t>(sm)), spec.sm.max_warps, spec.l1.line,
                                         logs_ + sm * log_bytes(keys_, spec)};
    const auto core = std::make_shared<models::WarptmCore>(("sm" + std::to_string(sm) + "_transactions").c_str(),
                                                           site_.context, site_.core, keys_, place,
                                                           sm * spec.sm.max_warps, site_.homes, shared_, site_.place);
    seams.lane_stages.push_back(core);
    seams.stages.push_back(std::make_shared<models::AroundL1>());
    seams.listeners.push_back(core);
  }

 private:
  const GpuSite site_;
  const models::WarptmKeys& keys_;
  const std::uint64_t logs_;
  models::WarptmShared shared_;
};

UnitRequest commit_unit(const PlatformSpec& spec, KeysIn keys) {
  UnitRequest unit;
  unit.name = "commit_unit";
  unit.clock = "commit";
  unit.hertz = keys(spec).units.commit_clock;
  unit.make = [keys](const sc_core::sc_module_name& name, const UnitSite& site) {
    const models::WarptmCommitUnit::Cores cores{site.spec.sms, site.spec.sm.max_warps};
    return std::make_unique<models::WarptmCommitUnit>(name, site.context, site.clock, keys(site.spec), site.coherence,
                                                      cores, site.spec.l2.line, site.place);
  };
  return unit;
}

struct Words {
  std::string_view name, summary;
  const char* keys;
  std::string description;
};

template <Design design>
class Validating final : public Package {
 public:
  explicit Validating(Words words) : words_(std::move(words)) {}

  std::string_view name() const override { return words_.name; }
  std::string_view summary() const override { return words_.summary; }
  std::unique_ptr<PackageKeys> keys() const override {
    return std::make_unique<KeysOf<KeysOfDesign<design>>>(words_.keys);
  }
  void rules(const Composition& composition, const Require& require) const override {
    const PlatformSpec& spec = composition.spec;
    const std::string policy(words_.name);
    require(spec.determinism.policy == "none", "transactions.policy",
            "= " + policy + " needs `determinism.policy: none`: which transaction aborts is a matter of time");
    require(spec.coherence.policy == "none", "transactions.policy",
            "= " + policy +
                " needs `coherence.policy: none`: its units read and write the L2 beside all L1s; other policies keep "
                "account of who does, and all global loads go around the L1 anyway");
    require(spec.coherence.consistency != protocols::ConsistencyChoice::sc, "coherence.consistency",
            "cannot be sc with `transactions.policy: " + policy +
                "`: the accesses of a transaction happen when it commits");
    require(spec.l1.line == spec.l2.line, "l1.line",
            "must be `l2.line` with `transactions.policy: " + policy + "`: logs name words of both");
  }
  Conduct conduct() const override {
    Conduct conduct;
    conduct.transactions = true;
    conduct.stores_wait = true;
    conduct.warps_end_alone = true;
    return conduct;
  }
  std::vector<const models::MessageFamily*> families() const override { return {&models::transaction_family}; }
  void reserve(const PlatformSpec& spec, MemoryLayout& memory) const override {
    memory.add(logs_region, "transactions." + std::string(words_.name) + ".log_entries",
               spec.sms * log_bytes(keys_in<design>(spec), spec), spec.l1.line);
  }
  std::vector<UnitRequest> units(const PlatformSpec& spec) const override {
    return {commit_unit(spec, keys_in<design>)};
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override {
    return std::make_unique<Parts>(site, keys_in<design>(site.spec));
  }

  std::string description() const override {
    return words_.description +
           " Loads read memory and are logged with what they read, stores are logged alone. At its end a warp takes "
           "commit IDs and sends its logs to the commit units of all partitions, which compare what was read with what "
           "memory holds, once more where an earlier ID was still to write it, and reply in the order of IDs. When all "
           "have, the warp says which lanes commit, the units write what these have logged, in that order, and the "
           "warp goes on when it stands in memory.\n";
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"warp events", "WarptmCore: lanes that begin, and that come to their end"},
            {"lane stage", "WarptmCore: accesses of transactions are logged; has the control of lanes"},
            {"memory stage", "AroundL1: global loads go around the L1"},
            {"partition unit", "commit_unit: validates logs and writes what commits"}};
  }
  std::vector<CatalogueEntry> blocks() const override {
    return {{"warptm_core", "models/transactions/warptm", "sm*_transactions", group_,
             "an SM's share in WarpTM and its variants: logs of warps, and how they commit"},
            {"warptm_shared", "models/transactions/warptm", "commit_ids", group_, "gives out commit IDs"}};
  }
  const Exploration* exploration() const override { return &exploration_; }

 private:
  const Words words_;
  const std::string group_ = "transactions." + std::string(words_.name);  ///< of its keys; the catalogue refers to it
  WarptmExploration<design> exploration_;
};

}  // namespace
}  // namespace warptm

const Package& transactions_kilotm() {
  static const warptm::Validating<protocols::warptm::Design::kilotm> package(
      {"kilotm", "KiloTM: lanes are validated by value when they end, each for itself",
       "transactional memory that validates values, lane by lane",
       "Each lane has a commit ID of its own, and each entry of its log is a message."});
  return package;
}
const Package& transactions_warptm() {
  static const warptm::Validating<protocols::warptm::Design::warptm> package(
      {"warptm", "WarpTM: warps are validated by value when they end; readers of one time commit silently",
       "transactional memory that validates values, warp by warp",
       "Conflicts within a warp are resolved first, so that its lanes share a commit ID, messages and writes; lanes "
       "that "
       "write nothing and have read nothing younger than themselves commit silently."});
  return package;
}
const Package& transactions_warptm_el() {
  static const warptm::Validating<protocols::warptm::Design::warptm_el> package(
      {"warptm_el", "WarpTM-EL: WarpTM with ideal eager detection of conflicts",
       "WarpTM, were conflicts found as they happen, in no time",
       "Who comes to a word after another transaction that runs, one of both "
       "writing, aborts at once, without a message; "
       "nothing that was read needs validation."});
  return package;
}
const Package& transactions_eapg() {
  static const warptm::Validating<protocols::warptm::Design::eapg> package(
      {"eapg", "EAPG: WarpTM with early aborts and pauses, idealised", "WarpTM with early aborts and pauses",
       "Commit units tell all cores which words come into validation and leave it: lanes that access such words wait, "
       "and "
       "lanes that have accessed them abort before their logs are sent."});
  return package;
}

}  // namespace syncline::platform
