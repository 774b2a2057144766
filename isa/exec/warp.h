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
  std::uint64_t local_base = 0;  ///< of this frame in each thread's local memory
  std::uint64_t local_top = 0;
  const CallSite* site = nullptr;  ///< where it was called
};

class Warp {
 public:
  /// `reconvergence`: a name of reconvergence_mechanisms().
  explicit Warp(std::string_view reconvergence = "ipdom");

  /// Starts warp number `index` of a CTA: threads index*lanes ... of it. Reuses all storage. `lanes`: 1..64.
  void launch(const GridContext& grid, base::Dim3 cta, unsigned index, unsigned lanes);

  /// The next instruction; null once all lanes have ended.
  const Op* next() const { return cursor_.pc == no_pc ? nullptr : ops_ + cursor_.pc; }
  bool finished() const { return cursor_.pc == no_pc; }
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

  /// The result of bar.red for all lanes that took part.
  void set_barrier_result(const Op& op, base::LaneMask lanes, std::uint64_t value);

  /// System calls: the n-th argument of a lane, zero-extended; and the return value.
  std::uint64_t argument(const Op& op, unsigned lane, unsigned n) const;
  void set_result(const Op& op, unsigned lane, std::uint64_t value);

  /// A waiting barrier may let another path of a diverged warp run (mechanisms that can).
  bool yield_at_barrier() { return reconvergence_->yield_at_barrier(cursor_); }

  const GridContext& grid() const { return *grid_; }
  const Program& program() const { return *program_; }
  base::Dim3 cta() const { return cta_; }
  unsigned index() const { return index_; }
  unsigned lanes() const { return lanes_; }
  const Reconvergence& reconvergence() const { return *reconvergence_; }
  const Frame& frame() const { return frames_[cursor_.frame]; }
  unsigned call_depth() const;
  /// Highest byte of local memory per thread that the running frames own.
  std::uint64_t local_top() const { return frames_[cursor_.frame].local_top; }

  /// Deepest nesting of calls before a ProgramFault ("stack overflow").
  void set_call_limit(unsigned depth) { call_limit_ = depth; }

 private:
  friend class WarpExecutor;
  void reserve_registers(std::uint32_t bytes_per_half);
  void fill_special(const SpecialSlot& slot, Environment* environment);
  static std::uint64_t varying_special(SpecialRegister reg, Environment& environment);
  void enter_frame(std::uint32_t frame);  ///< points the register bank at a frame

  const Op* ops_ = nullptr;
  const AddressKernels* address_kernels_;
  Cursor cursor_;
  unsigned halves_ = 1;
  std::array<std::array<std::uint8_t*, 4>, 2> bank_{};  ///< per half: where each Bank begins, for the running frame
  std::uint32_t half_bytes_ = 0;                        ///< register storage per half
  std::uint8_t* registers_ = nullptr;                   ///< 64-byte aligned
  base::LaneMask pending_ = 0;                          ///< lanes of a generic access that are still to be served
  std::vector<Frame> frames_;
  std::unique_ptr<Reconvergence> reconvergence_;
  const Program* program_ = nullptr;
  const GridContext* grid_ = nullptr;
  base::Dim3 cta_;
  unsigned index_ = 0, lanes_ = 32;
  unsigned call_limit_ = most_nested_calls;
  std::vector<std::uint8_t> register_storage_, warp_storage_;
};

}  // namespace syncline::isa
