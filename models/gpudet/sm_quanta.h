// The part of GPUDet that sits in one SM: it tells the machine of quanta what the warps do, holds them back when the
// machine says so, and owns the store buffers.
#pragma once

#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "models/gpudet/shared_races.h"
#include "models/gpudet/store_buffer.h"
#include "models/sm/seams/issue_gate.h"
#include "models/sm/seams/warp_events.h"
#include "models/sm/seams/warp_places.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

class QuantumController;

/// Where one SM's logs lie, and what commits them.
struct SmQuantaSpec {
  base::SmId sm;
  unsigned warps = 0;  ///< slots of the SM, and places of the machine of quanta
  unsigned ctas = 0;   ///< slots
  unsigned line = 0;
  unsigned granule = 4;      ///< bytes that share a depth
  std::uint64_t region = 0;  ///< device address of the logs
};

class SmQuanta final : public IssueGate, public WarpEvents, public WarpPlaces, private StoreBuffer::Owner {
 public:
  SmQuanta(QuantumController& controller, const SmQuantaSpec& spec);

  const std::shared_ptr<StoreBuffer>& store_buffer() const { return store_buffer_; }

  // What the controller has done.
  void end_quantum();  ///< what the logs held is committed
  /// Warps that were held back may ask again: parallel mode begins, or they may go ahead of it.
  void reopen();
  void begin_commit(const Chunks& later);
  /// Stores of the SM that the commit has left for later.
  struct Left {
    std::uint32_t epoch = 0;
    protocols::gpudet::Place place = 0;
  };
  void left(std::vector<Left>& to) const;
  const Chunks& partial_chunks() const { return store_buffer_->logs().partial(); }
  void write_left(const Left& what) { store_buffer_->commit().write_left({what.epoch, what.place - first_}); }
  void give_turn(protocols::gpudet::Place place);  ///< in serial mode
  bool memory_idle() const { return control_->accesses_in_flight() == 0; }

  // IssueGate
  std::vector<std::string_view> reasons() const override;
  Verdict check(const IssueQuery& query) override;
  bool keep_fault(unsigned slot, const isa::Op& op, std::exception_ptr fault) override;
  void attach(IssueControl& control) override { control_ = &control; }

  // WarpPlaces
  /// Those of the machine of quanta, so that time does not show in what a warp finds there.
  unsigned place(unsigned slot) const override { return places_[slot] - first_; }

  // WarpEvents
  void cta_launched(base::SmId, base::CtaSlot, base::GridId, base::Dim3, unsigned) override;
  void cta_ended(base::SmId, base::CtaSlot, base::GridId, base::Dim3) override;
  void warp_started(const WarpIdentity&) override;
  void issued(const WarpIdentity&, const isa::Op&, base::LaneMask) override;
  void at_barrier(const WarpIdentity&, unsigned barrier, bool waits) override;
  void barrier_passed(base::SmId, base::CtaSlot, unsigned barrier, bool whole) override;
  void barrier_opened(const WarpIdentity&, unsigned barrier) override;
  void memory_performed(const WarpIdentity&, const isa::Op&) override;
  void shared_access(const WarpIdentity&, const isa::Op&, const isa::MemoryAccess&) override;
  void exited(const WarpIdentity&) override;

 private:
  using Place = protocols::gpudet::Place;
  using CtaPlace = protocols::gpudet::CtaPlace;
  /// The first `stores` store instructions of a warp in the quantum take the first `cells` cells of its log.
  struct Checkpoint {
    std::uint32_t stores, cells;
  };

  // StoreBuffer::Owner
  unsigned log_of(base::WarpSlot slot) const override { return places_[slot.value()] - first_; }
  std::uint32_t epoch(unsigned log) const override;
  void views(unsigned log, std::vector<LogView>& to) const override;
  void log_committed(unsigned log) override;
  void depths_cleared() override;
  void left_written() override;
  void invalidated() override;

  /// A warp of the CTA has issued or stopped. Where its warps issue some instruction in a fixed order, the next one may
  /// have its turn now.
  void pass_turn(CtaPlace cta);
  void note(Place place);  ///< adds a checkpoint: all stores that the warp has issued so far are in its log
  std::uint32_t cells_at(unsigned log, std::uint32_t stores) const;

  QuantumController& controller_;
  const Place first_;  ///< place of the SM
  const unsigned granule_;
  IssueControl* control_ = nullptr;
  std::shared_ptr<StoreBuffer> store_buffer_;
  std::vector<Place> places_;                         ///< by warp slot
  std::vector<CtaPlace> ctas_;                        ///< by CTA slot
  std::vector<std::vector<Checkpoint>> checkpoints_;  ///< by log
  std::vector<Place> waiting_;                        ///< for their turn where there is an order
  std::vector<SharedRaces> races_;                    ///< by CTA slot
};

}  // namespace syncline::models
