// The architectural state of one warp and how its instructions change it. No time, no memory: those are the host's.
//
// A host runs `while (warp.next()) { step = warp.execute(access, environment); ... }` at its own pace. A load's
// registers change when the host calls write_back; between, the host must not execute an instruction that reads or
// writes them (Op::registers; the functional emulator writes back at once).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/dim3.h"
#include "base/lane_mask.h"
#include "isa/exec/lane_addresses.h"
#include "isa/exec/memory_access.h"
#include "isa/exec/memory_map.h"
#include "isa/exec/program.h"
#include "isa/exec/reconvergence.h"
#include "isa/exec/step.h"

namespace syncline::isa {

/// What all warps of one launch share. Outlives its warps.
struct GridContext {
  std::shared_ptr<const Program> program;
  base::Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint64_t grid_id = 0;
  std::vector<std::uint8_t> parameters;  ///< the parameter block, laid out as KernelInfo says
  Reach reach;
  std::uint64_t shared_bytes() const {
    const KernelInfo& k = program->kernel();
    return dynamic_shared_bytes == 0 ? k.static_shared_bytes : k.dynamic_shared_offset + dynamic_shared_bytes;
  }
};

/// Values that only the host knows and that may change while a warp runs. Asked rarely.
class Environment {
 public:
  virtual ~Environment() = default;
  virtual std::uint64_t clock() = 0;        ///< cycles
  virtual std::uint64_t globaltimer() = 0;  ///< nanoseconds
  virtual std::uint32_t smid() { return 0; }
  virtual std::uint32_t nsmid() { return 1; }
  virtual std::uint32_t warpid() { return 0; }  ///< slot in the SM
  virtual std::uint32_t nwarpid() { return 1; }
  virtual std::uint64_t performance_counter(unsigned) { return 0; }   ///< %pm0..%pm7
  virtual std::uint32_t environment_register(unsigned) { return 0; }  ///< %envreg0..%envreg31
};

/// Calls that may be nested in a warp, unless its owner sets another limit.
constexpr unsigned most_nested_calls = 8192;

/// A call frame of the warp.
struct Frame {
  const FunctionCode* code = nullptr;
  std::uint32_t registers = 0;  ///< byte offset in each half's register storage
  std::uint32_t return_pc = no_pc;
  std::uint32_t parent = 0;
  unsigned depth = 0;            ///< calls that are nested
  std::uint64_t local_base = 0;  ///< of this frame in each thread's local memory
  std::uint64_t local_top = 0;
  const CallSite* site = nullptr;  ///< where it was called
};

/// A register within what Warp::copy_state copies.
struct StateRegister {
  std::size_t begin = 0, bytes = 0;
  std::uint32_t frame = 0, id = 0;  ///< RegisterUse::ids
};

class Warp {
 public:
  explicit Warp(const ReconvergenceSpec& reconvergence = {});

  /// Starts warp number `index` of a CTA: threads index*lanes ... of it. Reuses all storage. `lanes`: 1..64.
  void launch(const GridContext& grid, base::Dim3 cta, unsigned index, unsigned lanes);

  /// The next instruction; null once all lanes have ended.
  const Op* next() const { return cursor_.pc == no_pc ? nullptr : ops_ + cursor_.pc; }
  bool finished() const { return cursor_.pc == no_pc; }
  /// No lane can execute `next` now: all that are alive wait at barriers of the CTA, or for a policy.
  bool blocked() const { return cursor_.blocked; }
  base::LaneMask active() const { return cursor_.lanes; }
  base::LaneMask alive() const { return reconvergence_->alive(cursor_); }
  std::uint32_t pc() const { return cursor_.pc; }
  /// Lanes that the guard of the next instruction lets execute.
  base::LaneMask guarded_lanes() const;

  /// Executes the next instruction (of a generic access: the part of it in one space). Fills `access` when the step
  /// is of kind memory. Throws base::ProgramFault for faults that need no memory: a call of a bad address, calls too
  /// deep.
  Step execute(MemoryAccess& access, Environment& environment);

  /// Brings loaded values (or old values of an atomic) to their registers. `values`: lane after lane,
  /// access.stride bytes apart, as memory holds them. Extension to wider registers and sinks happen here.
  void write_back(const MemoryAccess& access, base::LaneMask lanes, const std::uint8_t* values);

  /// The barrier at which `lanes` of the warp wait has opened.
  void barrier_opened(base::LaneMask lanes) {
    reconvergence_->barrier_opened(cursor_, lanes);
    follow();
  }
  /// The result of bar.red for all lanes that took part. `frame`: BarrierRequest::frame.
  void set_barrier_result(const Op& op, base::LaneMask lanes, std::uint64_t value, std::uint32_t frame);

  /// System calls: the n-th argument of a lane, zero-extended; and the return value.
  std::uint64_t argument(const Op& op, unsigned lane, unsigned n) const;
  void set_result(const Op& op, unsigned lane, std::uint64_t value);

  // Lanes that can be brought back to an earlier place, from outside and between instructions (checkpoint.cpp). What
  // they did to memory is the policy's business, and so is local memory. Registers are always kept: storage is shared
  // by registers that are not alive at once, and no compiler has told us of the way back from an abort.
  //
  // A transaction is a region that lanes enter by `execute`, behind the instruction at which it begins; at the one at
  // which it ends they wait for `commit` or `abort` (transactions.cpp).

  /// The lanes on the path enter a region; `abort` brings them back to its beginning, the next instruction. Regions
  /// nest. No lane may return from the function in which it entered one. What they have loaded must be in their
  /// registers. As `commit`, not while a generic access is served space by space (Step::more; base::ModelError).
  void checkpoint();
  /// Lanes of the warp that wait for `restore`.
  base::LaneMask aborted() const { return in_region() ? reconvergence_->aborted(cursor_) : 0; }
  bool in_region() const { return !saved_.empty(); }  ///< some lane
  /// Those of `lanes` that are in a region leave what they do there, and wait at the beginning of the innermost one.
  void abort(base::LaneMask lanes);
  /// The lanes that were aborted begin again, with the registers of the checkpoint. Only once all others of their
  /// region have left it, and nothing that they loaded is under way (base::ModelError for the former).
  void restore();
  /// Lanes that wait at the ends of their transactions, the others of which were aborted.
  base::LaneMask arrived() const { return in_region() ? reconvergence_->arrived(cursor_) : 0; }
  /// `lanes`, which have arrived at the end of their transactions, or have executed an instruction together, leave
  /// their innermost region behind it. Their path may have come to where it waits for others meanwhile, so that another
  /// one runs.
  void commit(base::LaneMask lanes);
  /// Lanes in a transaction, aborted ones too.
  base::LaneMask in_transaction() const { return transactional_; }

  const GridContext& grid() const { return *grid_; }
  const Program& program() const { return *program_; }
  base::Dim3 cta() const { return cta_; }
  unsigned index() const { return index_; }
  unsigned lanes() const { return lanes_; }
  const Reconvergence& reconvergence() const { return *reconvergence_; }
  const Frame& frame() const { return frames_[cursor_.frame]; }
  /// Highest byte of local memory per thread that a frame (MemoryAccess::frame) and its callers own.
  std::uint64_t local_top(std::uint32_t frame) const { return frames_[frame].local_top; }
  /// Of a system call, the frame that made it.
  std::uint32_t host_frame() const { return host_frame_; }

  /// All that decides what the warp does next, but memory: appended to `to`. Where `registers` is given, it gets the
  /// places of the registers of frames, in ascending order.
  void copy_state(std::vector<std::uint8_t>& to, std::vector<StateRegister>* registers = nullptr) const;
  std::uint32_t frame_number() const { return cursor_.frame; }

  /// Deepest nesting of calls before a ProgramFault ("stack overflow").
  void set_call_limit(unsigned depth) { call_limit_ = depth; }

 private:
  friend class WarpExecutor;
  void list_registers(std::uint32_t frame, std::size_t begin, std::vector<StateRegister>& to) const;
  void reserve_registers(std::uint32_t bytes_per_half);
  void fill_special(const SpecialSlot& slot, Environment* environment);
  static std::uint64_t varying_special(SpecialRegister reg, Environment& environment);
  void enter_frame(std::uint32_t frame);  ///< points the register bank at a frame
  /// The cursor may be another path now.
  void follow() {
    if (cursor_.frame != entered_ && cursor_.pc != no_pc) enter_frame(cursor_.frame);
  }
  /// Registers of a frame as lanes had them when they entered a region.
  struct SavedRegisters {
    base::LaneMask lanes = 0;  ///< that are still in it
    std::uint32_t frame = 0;
    std::vector<std::uint8_t> bytes;  ///< per half the frame, and registers of the module
  };
  void require_between_instructions() const;
  void forget(base::LaneMask lanes);
  template <class Copy>
  void for_each_saved_block(const SavedRegisters& saved, Copy&& copy);

  const Op* ops_ = nullptr;
  const AddressKernels* address_kernels_;
  Cursor cursor_;
  unsigned halves_ = 1;
  std::array<std::array<std::uint8_t*, 4>, 2> bank_{};  ///< per half: where each Bank begins, for the running frame
  std::uint32_t half_bytes_ = 0;                        ///< register storage per half
  std::uint8_t* registers_ = nullptr;                   ///< 64-byte aligned
  base::LaneMask pending_ = 0;                          ///< lanes of a generic access that are still to be served
  std::vector<Frame> frames_;
  std::uint32_t entered_ = 0;     ///< frame that the register bank is pointed at
  std::uint32_t host_frame_ = 0;  ///< of the system call that the host serves
  std::unique_ptr<Reconvergence> reconvergence_;
  bool takes_turns_ = false;
  std::vector<SavedRegisters> saved_;  ///< inner regions last
  base::LaneMask transactional_ = 0;
  std::array<std::uint32_t, base::max_lanes> nesting_{};  ///< transactions that a lane of `transactional_` is in
  const Program* program_ = nullptr;
  const GridContext* grid_ = nullptr;
  base::Dim3 cta_;
  unsigned index_ = 0, lanes_ = 32;
  unsigned call_limit_ = most_nested_calls;
  std::vector<std::uint8_t> register_storage_, warp_storage_;
};

}  // namespace syncline::isa
