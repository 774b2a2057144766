// GPU-LocalTM: transactions in the shared memory of a CTA, by four ways to find conflicts, or one after the other.
#include <fmt/format.h>

#include <optional>

#include "models/sm/sm.h"
#include "models/transactions/local/local_core.h"
#include "platform/packages/local/exploration.h"
#include "platform/packages/local/plan.h"
#include "platform/packages/package.h"
#include "platform/spec/platform_spec.h"
#include "protocols/transactions/local/resources.h"

namespace syncline::platform {
namespace local {
namespace {

using protocols::local::Detection;

const models::LocalKeys& keys_of(const PlatformSpec& spec) {
  return spec.local_transactions.keys<models::LocalKeys>();
}

/// Table 3 of [LocalTM] for this detection.
std::string resources_text(Detection detection) {
  protocols::local::LocalTmSpec spec;
  spec.detection = detection;
  spec.selection = protocols::local::Selection::ascending_multiple;
  const protocols::local::ComputeUnit unit;
  const protocols::local::Resources all = resources_of(spec, unit, most_words(unit));
  return fmt::format(
      "A CTA of {} threads in warps of {}, with as much of {} bytes of shared memory as transactions leave it, has {} "
      "words and {} bytes of shadow memory; {} vector registers for signatures, {} for S and M; {} scalar registers "
      "for "
      "TCM, as many for TCM_OLD, {} for the MCM of a multiple selection, and {} for helper signatures.\n",
      unit.wavefronts * unit.lanes, unit.lanes, unit.memory_bytes, all.words, all.shadow_bytes, all.signatures,
      all.shared_modified, all.tcm, all.mcm, all.helpers);
}

class Parts final : public PolicyParts {
 public:
  explicit Parts(const GpuSite& site) : site_(site) {}

  void add_to(models::SmSeams& seams, unsigned sm) override {
    const models::SmSpec& spec = site_.spec.sm_of(sm);
    const models::LocalPlace place{spec.max_warps, spec.max_ctas, spec.warp_size, spec.shared.geometry(), site_.place};
    const auto core = std::make_shared<models::LocalCore>(("sm" + std::to_string(sm) + "_local_tm").c_str(),
                                                          site_.context, site_.core, keys_of(site_.spec), place);
    seams.lane_stages.push_back(core);
    seams.listeners.push_back(core);
  }

 private:
  const GpuSite site_;
};

class Local final : public Package {
 public:
  Local(std::string_view name, std::optional<Detection> detection, const Exploration* exploration,
        std::string_view summary, std::string_view description)
      : name_(name), detection_(detection), exploration_(exploration), summary_(summary), description_(description) {}

  std::string_view name() const override { return name_; }
  std::string_view summary() const override { return summary_; }
  std::unique_ptr<PackageKeys> family_keys() const override {
    return std::make_unique<KeysOf<models::LocalKeys>>("transactional memory in shared memory");
  }
  void rules(const Composition& composition, const Require& require) const override {
    const PlatformSpec& spec = composition.spec;
    require(spec.transactions.policy == "none", "transactions.local.policy",
            "= " + std::string(name_) +
                " needs `transactions.policy: none`: a transaction is in global memory or in shared memory");
    require(spec.determinism.policy == "none", "transactions.local.policy",
            "= " + std::string(name_) +
                " needs `determinism.policy: none`: who waits for others at a begin would keep a quantum from its end");
    require(spec.sm.shared.bank_width == 4, "sm.shared.bank_width",
            "must be 4 bytes with `transactions.local.policy: " + std::string(name_) +
                "`: banks know of words of this size");
  }
  Conduct conduct() const override {
    Conduct conduct;
    conduct.transactions = conduct.transactions_in_shared_memory = true;
    conduct.warps_end_alone = true;
    return conduct;
  }
  std::string prepare(const PlatformSpec& spec, models::GridLaunch& grid) const override {
    if (!detection_ || grid.context.program->kernel().transaction.line == 0) return {};
    return plan_transactions(spec, *detection_, grid);
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override { return std::make_unique<Parts>(site); }

  std::string description() const override {
    return std::string(description_) + (detection_ ? "\n" + resources_text(*detection_) : std::string());
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"warp events", "LocalCore: lanes that begin, and that come to their end"},
            {"lane stage", "LocalCore: accesses of transactions ask the banks; has the control of lanes"}};
  }
  const Exploration* exploration() const override { return exploration_; }
  std::vector<CatalogueEntry> blocks() const override {
    if (detection_ != Detection::prw_sig) return {};
    return {{"local_core", "models/transactions/local", "sm*_local_tm", "transactions.local",
             "an SM's share in transactions of shared memory: its wavefronts' masks, and what banks know"}};
  }

 private:
  const std::string_view name_;
  const std::optional<Detection> detection_;
  const Exploration* const exploration_;
  const std::string_view summary_, description_;
};

}  // namespace
}  // namespace local

const Package& local_transactions_serial() {
  static const local::Local package(
      "serial", std::nullopt, nullptr, "one transaction at a time in each CTA",
      "What GPU-LocalTM is measured against: critical sections of a CTA run one lane after the other, lanes of a warp "
      "in "
      "the order of `transactions.local.selection`, warps in the order in which they come. Nothing is checked, kept or "
      "taken back, and accesses take what they take outside of transactions.\n");
  return package;
}

const Package& local_transactions_prw_sig() {
  static const local::LocalExploration<protocols::local::Detection::prw_sig> explores;
  static const local::Local package(
      "prw_sig", protocols::local::Detection::prw_sig, &explores,
      "GPU-LocalTM with a signature of what a work-item reads and writes in a bank",
      "Each bank of shared memory has a signature for each work-item of the CTA. An access of a transaction is held "
      "against those of all others: who finds the word there loses, and aborts at once. Where only its own has the "
      "word, the owner in shadow memory tells a second access from an alias. Memory is written at once, and what it "
      "held goes to shadow memory. Lanes of a wavefront that have lost begin again together; when the same ones lose "
      "twice the wavefront is serialised, and when that does not help it runs alone in the CTA.\n");
  return package;
}

const Package& local_transactions_swo_sig() {
  static const local::LocalExploration<protocols::local::Detection::swo_sig> explores;
  static const local::Local package("swo_sig", protocols::local::Detection::swo_sig, &explores,
                                    "GPU-LocalTM with a signature beside it of what a wavefront writes: readers share",
                                    "As prw_sig. Besides, each wavefront has a helper signature of what its work-items "
                                    "write, and who reads loses only "
                                    "where one of them has the word.\n");
  return package;
}

const Package& local_transactions_dcd() {
  static const local::LocalExploration<protocols::local::Detection::dcd> explores;
  static const local::Local package(
      "dcd", protocols::local::Detection::dcd, &explores, "GPU-LocalTM with the owner of each word in shadow memory",
      "Instead of signatures each word has an owner, who reads or writes it: who finds another one there loses. "
      "Nothing "
      "looks alike that is not, each access reads the owner, and no registers are taken.\n");
  return package;
}

const Package& local_transactions_smdcd() {
  static const local::LocalExploration<protocols::local::Detection::smdcd> explores;
  static const local::Local package(
      "smdcd", protocols::local::Detection::smdcd, &explores,
      "GPU-LocalTM with the owner of each word, and whether it is shared or modified: readers share",
      "As dcd, with two bits for each word: who reads a word of another that has not written it marks it as shared, "
      "and "
      "reads on. Nobody writes a shared word until the CTA has no transactions left that could have read it.\n");
  return package;
}

}  // namespace syncline::platform
