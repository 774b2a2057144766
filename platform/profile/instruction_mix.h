// What warps execute, by kind: counted while a program runs.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/trace/trace_event.h"

namespace syncline::platform {

/// Each warp instruction is of one kind. Memory instructions count by the state space that their addresses lie in; one
/// whose generic addresses lie in several counts by the first.
enum class InstructionKind : std::uint8_t {
  global_load,
  global_store,
  global_atomic,     ///< that returns the old value
  global_reduction,  ///< an atomic whose old value nobody wants
  shared_load,
  shared_store,
  shared_atomic,  ///< reductions included
  local_access,
  constant_load,
  parameter,  ///< of kernels and of device functions
  prefetch,
  fence,
  barrier,       ///< of a CTA
  warp_barrier,  ///< bar.warp.sync
  cross_lane,    ///< shuffles, votes, matches
  branch,        ///< bra and brx
  call,          ///< calls, returns, exits
  integer,       ///< this and the next ones: arithmetic and moves, by isa::FunctionalUnit
  integer_mul,
  integer_div,
  single,
  float_div,
  double_,
  double_div,
  special,
  other,  ///< sleep, system calls, traps
  count_
};
inline constexpr std::size_t instruction_kinds = static_cast<std::size_t>(InstructionKind::count_);
std::string_view name(InstructionKind kind);
InstructionKind kind_of(const isa::TraceEvent& event);

struct InstructionCount {
  std::uint64_t warp = 0;    ///< warp instructions
  std::uint64_t thread = 0;  ///< lanes that executed them

  InstructionCount& operator+=(const InstructionCount& o) {
    warp += o.warp;
    thread += o.thread;
    return *this;
  }
};

class InstructionMix {
 public:
  void add(const isa::TraceEvent& event);
  InstructionMix& operator+=(const InstructionMix& other);

  const InstructionCount& of(InstructionKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  InstructionCount total() const;
  /// Warp instructions whose guard let no lane execute.
  std::uint64_t without_lanes() const { return without_lanes_; }
  /// Branches under a guard, and branch tables; those of them at which the lanes of a warp went different ways; and
  /// calls at which they did.
  std::uint64_t conditional_branches() const { return conditional_; }
  std::uint64_t divergent_branches() const { return divergent_; }
  std::uint64_t divergent_calls() const { return divergent_calls_; }
  /// Fences with at least one lane by their scope; `none` stands for those that name no scope.
  std::uint64_t fences(isa::Scope scope) const { return fences_[static_cast<std::size_t>(scope)]; }
  /// Loads and stores of global memory, or atomics there, by what they order: plain ones are weak, atomics relaxed.
  std::uint64_t accesses(isa::Semantics semantics) const { return accesses_[static_cast<std::size_t>(semantics)]; }
  std::uint64_t atomics(isa::Semantics semantics) const { return atomics_[static_cast<std::size_t>(semantics)]; }
  /// Loads of global memory that promise that nobody writes it (ld.global.nc, ldu).
  std::uint64_t non_coherent_loads() const { return non_coherent_; }

 private:
  void add_memory(const isa::MemoryAccess& access);

  std::array<InstructionCount, instruction_kinds> counts_{};
  std::array<std::uint64_t, static_cast<std::size_t>(isa::Scope::sys) + 1> fences_{};
  std::array<std::uint64_t, static_cast<std::size_t>(isa::Semantics::mmio) + 1> accesses_{}, atomics_{};
  std::uint64_t without_lanes_ = 0, conditional_ = 0, divergent_ = 0, divergent_calls_ = 0, non_coherent_ = 0;
};

}  // namespace syncline::platform
