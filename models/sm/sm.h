// A streaming multiprocessor: warp contexts, schedulers, pipelines, shared memory, barriers, and the way to its L1.
//
// One cycle: replies that are due come back through the memory path; warps whose time has come look at their next
// instruction; one line access leaves for the L1; each scheduler picks among the warps that could issue; the
// instruction executes (isa::Warp::execute) and its effects take their time. When nobody can issue the SM sleeps until
// the next cycle at which something happens: it never does work in proportion to warps that wait.
//
//   sm.h            this composition           sm_issue.cpp   the cycle: who issues, what executing does
//   sm.cpp          statistics, sockets        sm_memory.cpp  shared, constant, local and global accesses
//   sm_cta.cpp      CTAs, barriers, faults     sm_lanes.cpp   what lane stages ask of it
//   sm_waves.cpp    signals for waves          sm_spin.cpp    warps that go round for ever
//
// Instruction fetch is ideal: the code of a kernel is always at hand.
#pragma once

#include <systemc>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "isa/exec/memory_map.h"
#include "isa/exec/spin_check.h"
#include "models/block/block.h"
#include "models/perturbation/perturbation_spec.h"
#include "models/sm/constant_cache.h"
#include "models/sm/cta_context.h"
#include "models/sm/cta_sink.h"
#include "models/sm/hold_account.h"
#include "models/sm/lane_path.h"
#include "models/sm/local_memory.h"
#include "models/sm/memory_path.h"
#include "models/sm/schedulers/pipe_turns.h"
#include "models/sm/seams/fence_rule.h"
#include "models/sm/seams/issue_gate.h"
#include "models/sm/seams/lane_control.h"
#include "models/sm/seams/lane_stage.h"
#include "models/sm/seams/memory_stage.h"
#include "models/sm/seams/sm_host.h"
#include "models/sm/seams/warp_events.h"
#include "models/sm/seams/warp_places.h"
#include "models/sm/sm_environment.h"
#include "models/sm/sm_spec.h"
#include "models/sm/sm_statistics.h"
#include "models/sm/stall.h"
#include "models/sm/trace.h"
#include "models/sm/wake_wheel.h"
#include "models/sm/warp_context.h"

namespace syncline::models {

/// The policies at the seams of one SM. The defaults are the `none` of each seam.
struct SmSeams {
  std::shared_ptr<IssueGate> gate = std::make_shared<OpenGate>();
  std::vector<std::shared_ptr<LaneStage>> lane_stages;  ///< in front of the coalescer and of shared memory
  std::vector<std::shared_ptr<MemoryStage>> stages;     ///< from the coalescer to the L1
  std::vector<std::shared_ptr<WarpEvents>> listeners;
  std::shared_ptr<FenceRule> fences = std::make_shared<DrainingFence>();
  std::shared_ptr<WarpPlaces> places = std::make_shared<SlotPlaces>();
  const isa::MemoryMap* memory = nullptr;  ///< what addresses are checked against; null: every address is memory
  SmHost* host = nullptr;                  ///< null: system calls are a fault
};

/// Where one SM stands in its machine.
struct SmPlace {
  base::SmId id;
  unsigned sms = 1;                            ///< of the GPU, for %nsmid
  unsigned line_bytes = base::max_line_bytes;  ///< of the L1
  LocalRegion local;                           ///< of this SM
  ScopeReach scopes;
};

class Sm : public Block,
           public Ticked,
           public CtaSink,
           private MessageSender,
           private MessageReceiver,
           private MemoryPathOwner,
           private LanePathOwner,
           private IssueControl,
           public LaneControl {
 public:
  /// Ticks in `clock`. Throws base::UserError for a Spec that no machine can have.
  Sm(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const SmSpec& spec,
     const SmPlace& place, SmSeams seams, const PerturbationSpec& perturbation = {});

  MessageInitiator to_l1;
  MessageTarget from_l1;
  sc_core::sc_export<CtaSink> ctas;
  sc_core::sc_port<CtaListener> done;
  WatchedPort<InstructionEvent> instructions;  ///< one event per issued instruction

  base::Cycle tick(base::Cycle now) override;
  bool waits_for_link() const override { return false; }  // only for its L1
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  // CtaSink
  bool has_room(const GridLaunch& grid) const override;
  void take(const GridLaunch& grid, base::Dim3 cta) override;
  unsigned resident_ctas() const override { return resident_ctas_; }
  SmResources resources() const override { return spec_.resources(); }
  bool end_all() override;
  void end_grid(base::GridId grid) override;

  /// Whom programs call, and what they may touch, instead of what SmSeams says. Before simulation starts.
  void serve(SmHost& host, const isa::MemoryMap& memory) {
    seams_.host = &host;
    seams_.memory = &memory;
  }
  /// Watches from now on, or no longer, whether its warps repeat themselves. Costs time, and changes nothing.
  void look_for_spins(bool looks);
  /// Since it looks: every warp waits at a barrier, or has repeated itself and read what memory held.
  bool only_waits() const;
  /// Of a warp in which lanes wait for others of it that repeat themselves: who waits where. Empty: there is none.
  std::string spin() const;

  // LaneControl
  void checkpoint(unsigned slot) override;
  void abort(unsigned slot, base::LaneMask lanes) override;
  void restore(unsigned slot) override;
  void commit(unsigned slot, base::LaneMask lanes) override;
  bool read_memory(std::uint64_t address, void* to, unsigned bytes) override;
  std::string where(unsigned slot) const override;

  /// What the warp in a slot does, for observers; of a slot that is empty nothing but its state means anything.
  WarpState warp_state(unsigned slot) const { return states_.of(slot); }
  const isa::Warp& warp(unsigned slot) const { return warps_[slot].warp; }
  /// "memory", "barrier", ..., of a gate its reason; "ready" where only a pipeline or its turn is waited for.
  std::string_view reason(WarpState state) const;

  const SmStatistics& counters() const { return counters_; }
  const SmSpec& spec() const { return spec_; }

 private:
  // sm_issue.cpp
  void account(base::Cycle until);
  void issue_cycle();
  WarpMask issuable() const;
  void issue(unsigned slot);
  void apply(unsigned slot, const isa::Step& step);
  void evaluate(unsigned slot);
  void must_wait(unsigned slot, const isa::Op& op, WarpState& state);
  bool must_drain(WarpContext& w, const FencePlan& plan);
  void wait_until(unsigned slot, base::Cycle at, WarpState state);
  base::Cycle next_wake() const;
  void do_fence(unsigned slot, const isa::Step& step);
  void do_system_call(unsigned slot, const isa::Step& step);
  void publish(unsigned slot, const isa::Step& step, const isa::MemoryAccess& access);

  // sm_memory.cpp
  void do_memory(unsigned slot, const isa::Step& step);
  std::uint64_t prepare(MemoryInstruction& instruction);
  void go_to_memory(MemoryInstruction& instruction);
  void serve_shared(MemoryInstruction& instruction);
  void serve_constant(MemoryInstruction& instruction);
  void serve_global(MemoryInstruction& instruction);
  void serve_local(MemoryInstruction& instruction);
  void values_at(MemoryInstruction& instruction, base::Cycle at);
  void begin_access(MemoryInstruction& instruction);
  void start_access(MemoryInstruction& instruction);
  void check_addresses(unsigned slot, const isa::MemoryAccess& access);
  void drop_prefetches_of_nothing(unsigned slot, isa::MemoryAccess& access) const;
  void check_window(MemoryInstruction& instruction, std::uint64_t limit) const;

  // sm_lanes.cpp
  void do_transaction(unsigned slot, const isa::Step& step);
  void tell_arrived(unsigned slot, base::LaneMask lanes);
  bool excuse(unsigned slot, const base::ProgramFault& fault);
  void path_changed(unsigned slot);

  // sm_spin.cpp
  void look(unsigned slot);
  void look_at(const MemoryInstruction& instruction);

  // sm_cta.cpp
  void launch_warps(unsigned cta_slot);
  void do_barrier(unsigned slot, const isa::Step& step);
  void do_exit(unsigned slot, const isa::Step& step);
  void open_barriers(CtaContext& cta);
  void block(unsigned slot);
  void check_deadlock(const CtaContext& cta) const;
  void end_cta_if_done(unsigned cta_slot);
  void foresee_ends();
  Tile::Turns turns_to_an_end() const;
  void end_soon(Tile::Turns turns);
  void require_foreseen() const;
  void forget_ends();
  void end_warps();
  WarpIdentity identity(unsigned slot) const;
  std::string place_of(unsigned slot) const;
  std::string describe_warp(unsigned slot) const;
  [[noreturn]] void fault(unsigned slot, const isa::Step& step, const std::string& what) const;

  // MessageSender, MessageReceiver
  void on_ready(VirtualNetwork, unsigned) override { wake(0); }
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  // MemoryPathOwner
  void performed(MemoryInstruction& instruction, base::Cycle now) override;
  void control_answered(L1Kind kind, std::uint32_t tag, base::Cycle now) override;
  void constant_line(base::LineAddress line, const base::LineData& data, base::Cycle issued) override {
    if (issued > constants_from_) constants_.fill(line, data);
  }
  void path_wakes(base::Cycle cycle) override { wake(cycle); }
  void requested(const Message& request, const MemoryInstruction& instruction) override {
    message_listener()->requested(request, told_of(instruction, identity(instruction.slot)));
  }
  void completed(const Message& reply, const MemoryInstruction& instruction) override {
    message_listener()->completed(reply, told_of(instruction, identity(instruction.slot)));
  }
  LineAccess told_of(const MemoryInstruction& instruction, const WarpIdentity& warp) const {
    return {warp, instruction.pc, instruction.order, clock()->ps_of(instruction.issued_at)};
  }
  void parts_answered(MemoryInstruction& instruction, base::Cycle now) override {
    lane_path_->parts_answered(instruction, now + spec_.memory.return_latency, now);
  }
  bool stage_answered(Message& reply, base::Cycle now) override {
    return lane_path_ != nullptr && lane_path_->replied(reply, now);
  }
  // LanePathOwner
  void staged(MemoryInstruction& instruction) override;
  void lanes_held(unsigned slot, bool held) override;
  void lanes_passed(MemoryInstruction& instruction, base::Cycle occupied, bool again) override;
  std::vector<std::uint8_t>& shared_memory(base::CtaSlot cta) override { return cta_slots_.at(cta.value()).shared; }
  const GridLaunch& grid_of(base::CtaSlot cta) const override { return *cta_slots_.at(cta.value()).grid; }
  std::string describe(const MemoryInstruction& instruction) const override;
  void lanes_wake(base::Cycle cycle) override { wake(cycle); }
  // IssueControl
  void reopen(WarpMask slots) override;
  unsigned accesses_in_flight() const override { return accesses_; }
  void register_statistics();
  unsigned resident_warps() const { return warp_count(all_warps(spec_.max_warps) & ~states_.in(WarpState::empty)); }

  // sm_waves.cpp
  void register_waves();
  void register_warp_waves(unsigned slot, const SharedValueNames& states);
  std::uint64_t shown_state(unsigned slot) const;
  std::uint64_t kernel_of(unsigned slot) const;

  SmSpec spec_;
  SmPlace place_;
  SmSeams seams_;
  std::vector<std::string_view> gate_reasons_;

  std::vector<WarpContext> warps_;
  std::vector<CtaContext> cta_slots_;
  WarpStates states_;
  WakeWheel wheel_;
  WarpMask free_slots_;
  WarpMask reopened_ = 0;
  std::vector<std::unique_ptr<WarpScheduler>> schedulers_;
  std::vector<WarpMask> owned_;  ///< slots of each scheduler
  PipeTurns turns_;
  FunctionalUnits units_;
  LocalMap local_;
  ConstantCache constants_;
  base::Cycle constants_from_ = 0;  ///< last kernel boundary: what was asked for until then is not kept
  MemoryPath path_;
  std::unique_ptr<LanePath> lane_path_;  ///< null: no lane stages

  unsigned resident_ctas_ = 0, resident_threads_ = 0;
  unsigned accesses_ = 0;  ///< memory instructions that are not performed
  std::uint64_t free_registers_, free_shared_;
  std::vector<base::GridId> begun_, beginning_;  ///< grids that the L1 knows of, and those it is being told

  const isa::MemoryMap::Region* last_region_ = nullptr;  ///< that an access hit, while the map keeps its version
  std::uint64_t last_map_version_ = 0;

  base::Cycle now_ = 0;
  base::Cycle accounted_ = 0;  ///< first cycle that the stall account does not hold yet
  SmEnvironment environment_;
  unsigned issued_now_ = 0;          ///< instructions in the cycle `now_`
  base::Cycle extra_occupancy_ = 0;  ///< of the load/store unit by the instruction that executes: conflicts
  isa::MemoryAccess scratch_;        ///< for instructions that turn out to touch no memory
  bool looks_ = false;
  bool ends_all_ = false;              ///< all warps end in the next turn
  unsigned ends_grids_ = 0;            ///< kernels whose end it has been asked to make known
  Tile::Turns look_again_in_ = 0;      ///< turns before foresee_ends does
  std::vector<isa::SpinCheck> spins_;  ///< per warp slot, while it looks
  StallAccount stalls_;
  HoldAccount holds_;
  SmStatistics counters_;
};

}  // namespace syncline::models
