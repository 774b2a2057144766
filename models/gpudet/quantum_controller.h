// GPUDet over all SMs: the barriers between its modes, the dealing of CTAs, and the machine of quanta that decides
// (protocols/determinism/gpudet). It is a policy at the seams of the SMs, of the work distributor and of the memory
// partitions.
//
// A quantum has these phases:
//   distribution   CTAs are dealt
//   parallel       warps run until each has stopped
//   drain          their last loads come back
//   commit         the logs are committed
//   bytes          then the chunks with stores of less than a word, which have no depths of their own
//   invalidate     the L1s forget what they held
//   serial         warps that stopped at an atomic do it, in their order
// A phase that begins on all SMs together costs determinism.gpudet.sync_latency. With determinism.gpudet.overlap =
// next_quantum warps may already issue from the begin of `commit` on what the machine of quanta allows ahead.
//
// One grid runs at a time, in the order in which the distributor is given them, and the host hears of its end when the
// quantum in which it ended is committed.
#pragma once

#include <array>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/block/block.h"
#include "models/gpudet/gpudet_spec.h"
#include "models/gpudet/op_classes.h"
#include "models/gpudet/sm_quanta.h"
#include "models/work_distributor/cta_dealer.h"
#include "protocols/determinism/gpudet/depth.h"
#include "protocols/determinism/gpudet/partitions.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

class QuantumController final : public Block, public Ticked {
 public:
  using Place = protocols::gpudet::Place;
  using CtaPlace = protocols::gpudet::CtaPlace;
  using OpClass = protocols::gpudet::OpClass;
  using Ask = protocols::gpudet::Ask;

  /// Base::ModelError when a depth of `spec.depth_bits` does not hold the number of a warp.
  QuantumController(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                    const GpudetSpec& spec, unsigned sms, unsigned warps_per_sm, PlacementPolicy placement);
  ~QuantumController() override;

  /// The part of an SM; to be called once for each before simulation starts.
  void add(base::SmId number, SmQuanta& sm);
  /// For the work distributor.
  std::shared_ptr<CtaDealer> dealer() const { return dealer_; }

  const GpudetSpec& spec() const { return spec_; }
  const protocols::gpudet::QuantumMachine& machine() const { return machine_; }

  // For the parts in the SMs.
  bool may_issue(Place place, const Ask& ask);
  void issued(Place place, OpClass op);
  void arrived(Place place, unsigned barrier, bool waits);
  void opened(CtaPlace cta, unsigned barrier);
  void exited(Place place);
  void performed(Place place);
  void memory_is_idle() {
    if (phase_ == Phase::drain) wake(clock()->now());
  }
  CtaPlace starting() const { return starting_; }
  void cta_freed(CtaPlace cta);
  /// The warp never goes on; the fault ends the run when the quantum that it belongs to has run to its end.
  void faulted(Place place, std::exception_ptr fault);
  bool in_parallel_mode() const { return phase_ == Phase::parallel && begun_; }
  /// "file.ptx:12: `...`" of an instruction of the grid that runs.
  std::string line_of(const isa::Op& op) const { return program_->where(op); }
  void committed(Place place);
  /// What the policy does not promise for the program that runs; told to the user once for each `kind`.
  void not_guaranteed(const std::string& kind, const std::string& where);
  /// For races in shared memory, of which the first is told.
  bool watches_shared() const { return watches_shared_; }
  void shared_race(const std::string& where);
  /// Of the grid that runs.
  const SharedUse& shared_use() const { return shared_use_; }
  /// An SM has finished its part of the phase, where the phase waits for all of them.
  void sm_finished();
  void left_written();
  std::uint32_t depth(Place place, std::uint32_t epoch) const {
    return depths_.depth({machine_.round() + epoch, place});
  }

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

 private:
  enum class Phase : std::uint8_t { distribution, parallel, drain, clear, commit, invalidate, serial, bytes };
  static constexpr std::size_t phases = 8;
  static constexpr std::size_t end_reasons = 6;
  static const char* phase_name(Phase phase);

  /// The seam of the work distributor.
  class Dealer final : public CtaDealer {
   public:
    explicit Dealer(QuantumController& controller) : controller_(controller) {}
    void attach(DealControl& control) override { controller_.deal_control_ = &control; }
    std::optional<Deal> next(const GridLaunch& grid, std::uint64_t, const SmList& sms) override {
      return controller_.deal(grid, sms);
    }
    bool may_complete(const GridLaunch& grid) override { return controller_.may_complete(grid); }

   private:
    QuantumController& controller_;
  };

  std::optional<CtaDealer::Deal> deal(const GridLaunch& grid, const SmList& sms);
  bool may_complete(const GridLaunch& grid);

  void enter(Phase phase, base::Cycle now, bool synchronise);
  void begin(base::Cycle now);  ///< the phase, when its barrier is over
  bool is_over() const;         ///< the phase is
  void leave(base::Cycle now);
  void begin_parallel(base::Cycle now);
  std::vector<CtaPlace> places_in_turn() const;
  void begin_commit();
  void let_go_ahead();
  void collect_left();
  void write_left();  ///< of the next turn
  void count_ends();
  void reopen_turn();
  void add_statistics();

  GpudetSpec spec_;
  unsigned warps_per_sm_;
  PlacementPolicy placement_policy_;
  protocols::gpudet::DepthScale depths_;
  protocols::gpudet::QuantumMachine machine_;
  protocols::gpudet::CtaPartitions partitions_;
  std::vector<SmQuanta*> sms_;
  std::shared_ptr<Dealer> dealer_;
  DealControl* deal_control_ = nullptr;

  Phase phase_ = Phase::distribution;
  bool begun_ = true;          ///< the barrier in front of the phase is over
  base::Cycle begins_at_ = 0;  ///< when it will be
  base::Cycle phase_since_ = 0;
  unsigned waiting_for_ = 0;           ///< SMs that have not finished the phase
  Chunks later_;                       ///< chunks that are committed in the phase `bytes`
  std::vector<SmQuanta::Left> turns_;  ///< of the phase `bytes`, the next one last
  bool ahead_;                         ///< warps may go ahead of their quantum now
  LoadsAhead::Filter written_;         ///< what warps that go ahead have to know of the quantum that is committed
  /// Faults of warps in this quantum, or ahead of the next, by the first place of the CTA and the place of the warp.
  std::map<std::pair<Place, Place>, std::exception_ptr> faults_;
  bool watches_shared_;
  SharedUse shared_use_;
  std::optional<base::GridId> grid_;
  std::shared_ptr<const isa::Program> program_;  ///< of the grid
  std::unique_ptr<Placement> placement_;
  bool dealt_ = false;  ///< nothing more finds room
  CtaPlace starting_ = 0;
  std::deque<std::pair<CtaPlace, CtaDealer::Deal>> replacements_;  ///< CTAs that take the place of one that ended

  base::Counter quanta_, depth_clears_, ahead_instructions_;
  std::array<base::Counter, phases> phase_cycles_;
  std::array<base::Counter, end_reasons> ends_;
  base::Distribution quantum_instructions_, quantum_cycles_;
  base::Cycle quantum_since_ = 0;
  std::set<std::string> noted_;
};

}  // namespace syncline::models
