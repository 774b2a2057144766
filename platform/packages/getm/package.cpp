// GETM (X. Ren, PhD thesis, 2020, chapter 4): transactions whose conflicts are found as they happen, by logical time.
#include "platform/packages/package.h"

#include "models/families/transaction_family.h"
#include "models/sm/sm.h"
#include "models/transactions/around_l1.h"
#include "models/transactions/getm/getm_core.h"
#include "models/transactions/getm/getm_messages.h"
#include "models/transactions/getm/getm_rollover.h"
#include "platform/packages/getm/exploration.h"
#include "platform/packages/getm/units.h"
#include "platform/spec/block_models.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace getm {
namespace {

constexpr const char* logs_region = "logs of transactions";

std::uint64_t log_bytes(const PlatformSpec& spec) {
  return models::LogLines::bytes(keys_of(spec).core, spec.l1.line, spec.sm.max_warps);
}

class Parts final : public PolicyParts {
 public:
  explicit Parts(const GpuSite& site)
      : site_(site),
        logs_(site.memory.at(logs_region).base),
        rollover_("getm_rollover", site.context, site.homes.homes(), site.spec.sms) {}

  void add_to(models::SmSeams& seams, unsigned sm) override {
    const PlatformSpec& spec = site_.spec;
    const models::TransactionPlace place{base::SmId(static_cast<std::uint16_t>(sm)), spec.sm.max_warps, spec.l1.line,
                                         logs_ + sm * log_bytes(spec)};
    const auto core = std::make_shared<models::GetmCore>(("sm" + std::to_string(sm) + "_getm").c_str(), site_.context,
                                                         site_.core, keys_of(spec), place, sm * spec.sm.max_warps,
                                                         site_.homes, rollover_, site_.place);
    seams.gate = core;
    seams.lane_stages.push_back(core);
    seams.stages.push_back(std::make_shared<models::AroundL1>());
    seams.listeners.push_back(core);
  }

 private:
  const GpuSite site_;
  const std::uint64_t logs_;
  models::GetmRollover rollover_;
};

class Getm final : public Package {
 public:
  std::string_view name() const override { return "getm"; }
  std::string_view summary() const override { return "GETM: conflicts are found eagerly, by logical time"; }
  std::unique_ptr<PackageKeys> keys() const override {
    return std::make_unique<KeysOf<models::GetmKeys>>("transactional memory with eager conflict detection");
  }
  void rules(const Composition& composition, const Require& require) const override {
    const PlatformSpec& spec = composition.spec;
    require(spec.determinism.policy == "none", "transactions.policy",
            "= getm needs `determinism.policy: none`: which transaction aborts is a matter of time");
    require(
        spec.coherence.policy == "none", "transactions.policy",
        "= getm needs `coherence.policy: none`: its units read and write the L2 beside all L1s; other policies keep "
        "account of who does, and all global loads go around the L1 anyway");
    require(spec.coherence.consistency != protocols::ConsistencyChoice::sc, "coherence.consistency",
            "cannot be sc with `transactions.policy: getm`: the accesses of a transaction happen when it commits");
    require(
        keys_of(spec).machine.attempt_tags == 1 || spec.sm.reconvergence.mechanism == "ipdom",
        "transactions.getm.attempt_tags",
        "above 1 needs `sm.reconvergence.mechanism: ipdom`: of a warp that is in a transaction on one path, another "
        "path would not wait until what it has committed stands in memory");
    require(spec.l2.line / keys_of(spec).machine.granularity <= models::GetmLogBody::granules,
            "transactions.getm.granularity", "must be at least an eighth of `l2.line`");
    require(keys_of(spec).machine.granularity <= spec.l2.line, "transactions.getm.granularity",
            "cannot be larger than `l2.line`");
    require(spec.l1.line == spec.l2.line, "l1.line",
            "must be `l2.line` with `transactions.policy: getm`: logs name lines of both");
    const models::BlockModel stalls = keys_of(spec).stall_buffer.model;
    check_model(stalls, "transactions.getm.stall_buffer", rtl::rtl_blocks(), require);
    using Sizes = rtl::StallBufferSizes;
    require(
        stalls != models::BlockModel::rtl || keys_of(spec).machine.stall_addresses <= Sizes::addresses,
        "transactions.getm.stall_addresses",
        "must be at most " + std::to_string(Sizes::addresses) + " with `transactions.getm.stall_buffer.model: rtl`");
    require(stalls != models::BlockModel::rtl || keys_of(spec).machine.stall_requests <= Sizes::requests,
            "transactions.getm.stall_requests",
            "must be at most " + std::to_string(Sizes::requests) + " with `transactions.getm.stall_buffer.model: rtl`");
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
    memory.add(logs_region, "transactions.getm.log_entries", spec.sms * log_bytes(spec), spec.l1.line);
  }
  std::vector<UnitRequest> units(const PlatformSpec& spec) const override {
    return {commit_unit(spec), validation_unit(spec)};
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override { return std::make_unique<Parts>(site); }

  std::string description() const override {
    return "A warp executes its transactions at a logical time. Loads and stores ask the validation unit of their "
           "partition, granule by granule, before anything happens: it knows when a granule was last read and written, "
           "and for whom it is reserved. What comes too late aborts its lanes at once; what meets a reservation of an "
           "earlier warp waits in the stall buffer. So a transaction that comes to its end has won, and its log goes "
           "to the commit units while the warp goes on.\n";
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"warp events", "GetmCore: lanes that begin, and that come to their end"},
            {"lane stage", "GetmCore: accesses of transactions ask validation units; has the control of lanes"},
            {"memory stage", "AroundL1: global loads go around the L1"},
            {"issue gate", "GetmCore: what is outside of transactions waits for commits of its warp"},
            {"partition unit", "commit_unit: coalesces logs"},
            {"partition unit", "validation_unit: detects conflicts; what waits is in the stall buffer behind it"}};
  }
  std::vector<CatalogueEntry> blocks() const override {
    std::vector<CatalogueSocket> validation = sockets_of_a_unit();
    validation.push_back({"stalls", /*is_initiator=*/true, SocketProtocol::stall});
    return {{"getm_core", "models/transactions/getm", "sm*_getm", "transactions.getm",
             "an SM's share in GETM: times of warps, their requests and logs"},
            {"getm_rollover", "models/transactions/getm", "getm_rollover", "transactions.getm",
             "has all timestamps begin anew"},
            {"commit_unit", "models/transactions/getm", "part*_commit_unit", "transactions.getm",
             "coalesces the logs of a partition, and has the validation unit apply them", sockets_of_a_unit()},
            {"validation_unit", "models/transactions/getm", "part*_validation_unit", "transactions.getm",
             "decides which accesses of transactions may happen, wait, or abort their lanes", validation},
            {"stall_buffer",
             "models/transactions/getm",
             "part*_stall_buffer",
             "transactions.getm",
             "requests that wait until their granule is not reserved any more",
             {{"socket", /*is_initiator=*/false, SocketProtocol::stall}}},
            {"getm_stalls", "models/transactions/getm", "getm_stalls", "transactions.getm",
             "how much is in use of all stall buffers together"}};
  }
  const Exploration* exploration() const override { return &exploration_; }

 private:
  GetmExploration exploration_;
};

}  // namespace
}  // namespace getm

const Package& transactions_getm() {
  static const getm::Getm package;
  return package;
}

}  // namespace syncline::platform
