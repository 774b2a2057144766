// A transactional memory that lets everybody do what he likes: lanes of a warp execute their transactions one after the
// other, and nobody keeps those of other warps apart. What judges transactions must find it.
#include <algorithm>

#include "models/sm/seams/lane_stage.h"
#include "models/sm/seams/memory_stage.h"
#include "models/sm/sm.h"
#include "models/transactions/lane_teller.h"
#include "platform/packages/package.h"
#include "platform/spec/platform_spec.h"

namespace syncline::platform {
namespace {

struct Keys {
  bool cached = false;
  template <class V>
  void fields(V& v) {
    v.field("cached", cached, base::param::flag("loads of transactions are answered by L1s, stale or not", "a test"));
  }
};

/// Of an SM.
class Unguarded final : public models::LaneStage, public models::MemoryStage, public models::WarpEvents {
 public:
  Unguarded(const GpuSite& site, const Keys& keys)
      : cached_(keys.cached), slots_(site.spec.sm.max_warps, Slot(site.context.transactions_of(site.place))) {}

  std::string_view name() const override { return "unguarded"; }
  void attach(models::LaneChain&, models::LaneControl& control) override { control_ = &control; }
  void attach(models::MemoryChain&) override {}
  std::vector<std::string> left_over() const override { return {}; }
  void offer(models::LaneOffer& offer, base::Cycle) override { offer.pass(offer.access().lanes); }
  Offer offer(models::Message& request, base::Cycle) override {
    if (cached_ || slots_[request.warp.value()].lane == 0 || models::l1_kind(request) != models::L1Kind::global)
      return Offer::pass;
    request.semantics = isa::Semantics::relaxed;
    request.scope = isa::Scope::gpu;
    return Offer::pass;
  }

  void transaction_begun(const models::WarpIdentity& warp, base::LaneMask lanes) override {
    Slot& slot = slots_[warp.slot];
    control_->abort(warp.slot, lanes);
    slot.warp = warp;
    slot.waiting |= lanes;
    if (slot.lane == 0) next(slot);
  }
  void transaction_arrived(const models::WarpIdentity& warp, base::LaneMask) override {
    slots_[warp.slot].at_end = true;
    end(slots_[warp.slot]);
  }
  void memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) override {
    Slot& slot = slots_[warp.slot];
    slot.under_way.push_back(memory.order);
    if ((memory.access.lanes & slot.lane) != 0) slot.teller.started(memory);
  }
  void memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) override {
    Slot& slot = slots_[warp.slot];
    slot.under_way.erase(std::remove(slot.under_way.begin(), slot.under_way.end(), memory.order), slot.under_way.end());
    slot.teller.answered(memory);
    end(slot);
  }

 private:
  struct Slot {
    explicit Slot(models::TransactionListener* listener) : teller(listener) {}
    models::WarpIdentity warp;
    base::LaneMask waiting = 0, lane = 0;
    bool at_end = false;
    std::vector<std::uint64_t> under_way;
    models::LaneTeller teller;
  };

  void next(Slot& slot) {
    const unsigned lane = base::first_lane(slot.waiting);
    slot.lane = base::lane_bit(lane);
    slot.waiting &= ~slot.lane;
    slot.teller.begun(slot.warp, lane);
    control_->restore(slot.warp.slot);
    if (slot.waiting != 0) control_->abort(slot.warp.slot, slot.waiting);
  }
  void end(Slot& slot) {
    if (!slot.at_end || !slot.under_way.empty()) return;
    slot.teller.committed();
    slot.at_end = false;
    control_->commit(slot.warp.slot, std::exchange(slot.lane, 0));
    if (slot.waiting != 0) next(slot);
  }

  const bool cached_;
  models::LaneControl* control_ = nullptr;
  std::vector<Slot> slots_;
};

class Nobody final : public Package {
 public:
  std::string_view name() const override { return "unguarded"; }
  std::string_view summary() const override { return "transactions that nobody keeps apart"; }
  std::unique_ptr<PackageKeys> keys() const override { return std::make_unique<KeysOf<Keys>>("no rule at all"); }
  Conduct conduct() const override {
    Conduct conduct;
    conduct.transactions = true;
    return conduct;
  }
  std::unique_ptr<PolicyParts> install(const GpuSite& site) const override { return std::make_unique<Parts>(site); }

 private:
  struct Parts final : PolicyParts {
    explicit Parts(const GpuSite& of) : site(of) {}
    void add_to(models::SmSeams& seams, unsigned) override {
      const auto part = std::make_shared<Unguarded>(site, site.spec.transactions.keys<Keys>());
      seams.lane_stages.push_back(part);
      seams.stages.push_back(part);
      seams.listeners.push_back(part);
    }
    const GpuSite site;
  };
};

}  // namespace

const Package& transactions_unguarded() {
  static const Nobody package;
  return package;
}

}  // namespace syncline::platform
