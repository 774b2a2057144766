// Transactions under one lock for all of the GPU.
#include "platform/packages/package.h"
#include "models/sm/sm.h"
#include "models/transactions/global_lock.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace global_lock {
namespace {

constexpr const char* lock_region = "lock of all transactions";

const models::GlobalLockSpec& keys_of(const PlatformSpec& spec) {
  return spec.transactions.keys<models::GlobalLockSpec>();
}

class Parts final : public PolicyParts {
 public:
  explicit Parts(const GpuSite& site)
      : context_(site.context),
        core_(site.core),
        spec_(site.spec),
        line_(site.memory.at(lock_region).base),
        place_(site.place) {}

  void add_to(models::SmSeams& seams, unsigned sm) override {
    const auto lock = std::make_shared<models::GlobalLock>(("sm" + std::to_string(sm) + "_lock").c_str(), context_,
                                                           core_, keys_of(spec_), line_, spec_.sm.max_warps, place_);
    lock->use(seams.fences);
    seams.lane_stages.push_back(models::GlobalLock::control_of(lock));
    seams.stages.push_back(lock);
    seams.listeners.push_back(lock);
  }

 private:
  models::PlatformContext& context_;
  models::ClockDomain& core_;
  const PlatformSpec& spec_;
  const base::LineAddress line_;
  const models::GpuPlace place_;
};

class GlobalLock final : public Package {
 public:
  std::string_view name() const override { return "global_lock"; }
  std::string_view summary() const override { return "one transaction at a time on all of the GPU"; }
  std::unique_ptr<PackageKeys> keys() const override {
    return std::make_unique<KeysOf<models::GlobalLockSpec>>("one lock for all transactions");
  }
  void rules(const Composition& composition, const Require& require) const override {
    require(composition.spec.determinism.policy == "none", "transactions.policy",
            "= global_lock needs `determinism.policy: none`: the lock goes to whom time favours, and a transaction "
            "that waits for it would keep a quantum from its end");
  }
  Conduct conduct() const override {
    Conduct conduct;
    conduct.transactions = true;
    conduct.warps_end_alone = true;
    return conduct;
  }
  void reserve(const PlatformSpec& spec, MemoryLayout& memory) const override {
    memory.add(lock_region, "l1.line", spec.l1.line, spec.l1.line);
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override { return std::make_unique<Parts>(site); }

  std::string description() const override {
    return "No transaction runs beside another, so none is ever taken back: what a transactional memory is measured "
           "against. Lanes of a warp that come to `tx.begin` wait at their stack's retry entry; their SM takes the "
           "lock "
           "for one of them at a time. The lock lies in global memory: an atomic draws a ticket, atomics look whether "
           "it is its turn, after `backoff` cycles for each ticket before it, and a store lets the next one in, so "
           "that "
           "everybody has it in the order of the tickets. Global accesses of the transaction are `.relaxed` of scope "
           "gpu, which no L1 answers from a copy that may be old. Behind the lock stands a fence of the GPU, and "
           "before the store that gives it back the wait until all accesses of the warp are performed, and a fence, "
           "as in a program with locks; so it goes with every policy of coherence. Only transactions exclude each "
           "other: accesses outside of them see what they have done so far.\n";
  }
  std::vector<protocols::SeamPart> seams() const override {
    return {{"warp events", "GlobalLock: lanes that begin wait for the lock; who commits gives it back"},
            {"lane stage", "GlobalLock: has the control of lanes, lets all instructions pass"},
            {"memory stage", "GlobalLock: takes transactions past the L1; sends what the lock needs"}};
  }
  std::vector<CatalogueEntry> blocks() const override {
    return {{"global_lock", "models/transactions", "sm*_lock", "transactions.global_lock",
             "an SM's share in one lock for all transactions"}};
  }
};

}  // namespace
}  // namespace global_lock

const Package& transactions_global_lock() {
  static const global_lock::GlobalLock package;
  return package;
}

}  // namespace syncline::platform
