// One CTA on the emulator: its warps, shared and local memory, barriers. Internal to the emulator.
#pragma once

#include <memory>
#include <vector>

#include "isa/exec/emulator/emulator.h"
#include "isa/exec/execute.h"
#include "isa/exec/lane_addresses.h"
#include "isa/exec/spin_check.h"

namespace syncline::isa {

class EmulatedCta final : private Environment, private LaneMemory {
 public:
  explicit EmulatedCta(Emulator& emulator) : emulator_(emulator), kernels_(address_kernels()) {}

  void start(const GridContext& grid, base::Dim3 cta);
  /// Lets the warps run until the CTA has ended (true) or has used about `budget` warp instructions.
  /// `looks`: watches whether its warps repeat themselves.
  bool run(std::uint64_t budget, bool looks);
  /// Of a run that looked: every warp waits at a barrier, or repeats itself.
  bool only_waits() const;
  /// Throws base::ProgramFault when lanes of a warp wait for others of it, which spin.
  void require_no_spin() const;

 private:
  enum class State : std::uint8_t { ready, waiting, ended };
  struct WarpSlot {
    explicit WarpSlot(const ReconvergenceSpec& reconvergence) : warp(reconvergence) {}
    Warp warp;
    State state = State::ready;
    std::vector<std::uint8_t> local;  ///< lane after lane, local_stride bytes each
    std::uint64_t local_stride = 0;
    SpinCheck spin;
    base::LaneMask transaction = 0;  ///< the lane in a transaction that runs
  };

  /// Throws base::ProgramFault when the launch has had all instructions that it may have; `warp` wants another one.
  void require_budget(const Warp& warp) const;
  void run_warp(WarpSlot& slot, std::uint64_t budget);
  void run_traced(WarpSlot& slot, std::uint64_t budget);
  void run_looking(WarpSlot& slot, std::uint64_t budget);
  /// Executes one instruction without fast paths and does what it asks for.
  void step(WarpSlot& slot);
  void handle(WarpSlot& slot, const Step& step);
  void handle_barrier(WarpSlot& slot, const Step& step);
  void release_opened();
  /// Transactions: one lane of all has one at a time, and its warp goes on until nobody of it is in one any more. So
  /// each is atomic, and none is taken back.
  void begin_transactions(WarpSlot& slot, base::LaneMask lanes);
  void end_transaction(WarpSlot& slot);
  bool goes_on(const WarpSlot& slot, std::uint64_t end) const {
    if (slot.state != State::ready) return false;
    return emulator_.clock_ < end || (slot.transaction != 0 && emulator_.clock_ < emulator_.limit_);
  }

  /// Fast paths for the lanes of `mask`; false when the general way must be taken.
  bool fast_load(WarpSlot& slot, const Op& op, std::uint32_t mask);
  bool fast_store(WarpSlot& slot, const Op& op, std::uint32_t mask);
  /// Host memory in which an address lies.
  struct Window {
    std::uint8_t* host = nullptr;  ///< of address 0
    std::uint64_t begin = 0, end = 0;
  };
  /// False when the address needs the general way: no memory there, constant memory to be written, or a window of
  /// the generic address space.
  bool window(const MemoryForm& form, std::uint64_t address, Window& w);

  void serve(WarpSlot& slot, const MemoryAccess& access);
  std::uint8_t* locate(WarpSlot& slot, const MemoryAccess& access, unsigned lane);
  std::uint8_t* local_memory(WarpSlot& slot, const MemoryAccess& access, unsigned lane);

  std::uint64_t clock() override { return emulator_.clock_; }
  std::uint64_t globaltimer() override { return emulator_.clock_; }
  std::uint32_t warpid() override { return running_->warp.index(); }
  std::uint32_t nsmid() override { return emulator_.config().sms; }
  std::uint32_t nwarpid() override { return emulator_.config().warps_per_sm; }
  bool read(unsigned lane, std::uint64_t address, void* to, std::size_t bytes) override;

  Emulator& emulator_;
  const AddressKernels& kernels_;
  const GridContext* grid_ = nullptr;
  base::Dim3 cta_;
  std::vector<std::unique_ptr<WarpSlot>> warps_;
  std::size_t live_count_ = 0;  ///< warps in use: the first ones of warps_
  std::size_t ended_ = 0;
  WarpSlot* running_ = nullptr;
  CtaBarriers barriers_;
  std::vector<std::uint8_t> shared_;
  MemoryMap::Region region_;  ///< the one that the last global access was in
  std::uint64_t region_version_ = ~std::uint64_t{0};
  bool looks_ = false;  ///< at whether warps repeat themselves
  MemoryAccess access_;
};

}  // namespace syncline::isa
