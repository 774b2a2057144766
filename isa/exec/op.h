// One decoded PTX instruction: everything that execution and timing need, resolved once when a kernel is decoded.
#pragma once

#include <array>
#include <cstdint>

#include "isa/exec/memory_access.h"
#include "isa/lanes/lane_kernel.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

/// No such program counter.
inline constexpr std::uint32_t no_pc = 0xFFFF'FFFFu;

/// Where an operand lies: `base[bank] + offset`, computed without a branch.
enum class Bank : std::uint8_t {
  registers,  ///< frame of the function that runs, one per warp (and per half of a 64-wide warp)
  constants,  ///< broadcast immediates and symbol addresses, shared by all warps of the program
  warp        ///< special registers of this warp as lane arrays, and scratch space
};
inline constexpr unsigned bank_count = 3;

struct OperandRef {
  std::uint32_t packed = 0;
  OperandRef() = default;
  OperandRef(Bank bank, std::uint32_t offset) : packed(static_cast<std::uint32_t>(bank) << 30 | offset) {}
  unsigned bank() const { return packed >> 30; }
  std::uint32_t offset() const { return packed & 0x3FFF'FFFFu; }
};

/// How an op executes. What is not an own word here is an arithmetic operation over all lanes (`lanes`).
enum class OpKind : std::uint8_t {
  lanes,    ///< `kernel` over all lanes
  adapted,  ///< `kernel` with operands that are narrowed, widened or inverted first (aux: Program::adaptation)
  special,  ///< reads a special register whose value changes (clock ...), then `kernel`
  pack,
  unpack,        ///< mov between a register and a vector of its parts (aux: Program::vector)
  vector_move,   ///< mov.v2, mov.v4: element by element (aux: Program::vector)
  kernel_param,  ///< ld.param of a kernel: reads the launch's parameter block (`memory`)
  param_load,    ///< ld.param of a device function's .param space, kept per lane in the frame (`memory`)
  param_store,
  local_address,  ///< address of a .local variable of this frame: its local base plus aux, immediate bytes wide
  load,
  store,
  atomic,
  prefetch,  ///< `memory`; reductions are `atomic` with AccessKind::reduction
  shuffle,
  vote,
  match,
  activemask,
  redux,
  elect,
  branch,        ///< `target`, `reconverge`
  branch_table,  ///< brx.idx (aux: Program::branch_table)
  call,          ///< aux: Program::call
  call_indirect,
  ret,
  exit,  ///< lanes end
  trap,
  breakpoint,
  barrier,
  warp_barrier,  ///< bar.warp.sync
  fence,
  nanosleep,
  stack_alloc,
  system_call,         ///< vprintf, malloc, free, __assertfail (aux: Program::call)
  transaction_begin,   ///< tx.begin, or a call of __tbegin (aux: Program::call)
  transaction_commit,  ///< tx.commit, or a call of __tcommit
  nop                  ///< pmevent, prefetchu without a cache for it, ...
};

/// The kind of hardware an op occupies; an SM maps these to its own pipelines.
enum class FunctionalUnit : std::uint8_t {
  integer,      ///< add, logic, shift, compare, mov, select, integer conversions
  integer_mul,  ///< mul, mad, dot products, bit field and video instructions
  integer_div,  ///< div and rem: a long sequence on real hardware
  single,       ///< f32, f16 and bf16 arithmetic
  float_div,    ///< f32 div and sqrt with IEEE rounding: a sequence
  double_,      ///< f64 arithmetic
  double_div,
  special,      ///< rcp, rsqrt, sin, cos, lg2, ex2, tanh and the approximate div and sqrt
  load_store,   ///< memory, shuffles
  control,      ///< branches, calls, votes, exits
  synchronise,  ///< barriers and fences
  count_
};

/// What a memory instruction does, apart from its lane addresses.
struct MemoryForm {
  AccessKind kind = AccessKind::load;
  Space space = Space::global;  ///< generic: decided per lane
  Type type = Type::none;
  std::uint8_t element_bytes = 4, elements = 1, stride = 4;
  std::uint8_t address_bytes = 8;  ///< width of the base register; 4: address arithmetic wraps at 32 bits
  bool sign_extend = false;        ///< loads: fill a wider register with the sign
  bool frame_local = false;        ///< the address counts from the local base of the running frame
  bool non_coherent = false;
  CacheOp cache = CacheOp::none;
  Semantics semantics = Semantics::none;
  Scope scope = Scope::none;
  AtomicOp atomic = AtomicOp::none;
  std::uint8_t prefetch_level = 0;  ///< 1 or 2
  std::int64_t offset = 0;          ///< bytes, added to the base register
  std::uint32_t sinks = 0;          ///< bit n: element n is `_` and goes nowhere
  OperandRef base;
  std::array<OperandRef, 8> data;       ///< destination registers of loads and atomics, sources of stores
  std::array<OperandRef, 8> operand_b;  ///< atomics, per element
  /// Of each data register, at least element_bytes: registers of a vector can have different widths.
  std::array<std::uint8_t, 8> register_bytes{};
  OperandRef operand_c;  ///< atom.cas: the value to store
  bool ftz = false;      ///< floating add in global memory takes subnormals as zero
};

/// Registers for a scoreboard: numbers of the frame's storage after register allocation. A 64-bit register and its
/// halves never share storage, so one number stands for one register of any width; predicates are numbered too.
struct RegisterUse {
  static constexpr unsigned capacity = 20;  ///< atom.v8: eight results, eight operands, address, guard
  std::uint8_t reads = 0, writes = 0;       ///< `ids` holds the reads first, then the writes
  std::array<std::uint16_t, capacity> ids{};
};

/// What Op::aux of a redux says beside the type.
inline constexpr std::uint32_t redux_type = 0xff, redux_absolute = 1u << 8, redux_nan = 1u << 9;

struct Op {
  OpKind kind = OpKind::nop;
  FunctionalUnit unit = FunctionalUnit::integer;
  Opcode opcode = Opcode::mov;
  bool guarded = false;
  bool uniform = false;      ///< bra.uni, call.uni
  bool drains = false;       ///< wait for all registers in flight before it issues: calls, returns, exits
  bool is_memory = false;    ///< gives a Step of kind memory (or several: one per space of a generic access)
  std::uint8_t sources = 0;  ///< entries of `src` in use; barriers: 2 where the number of threads is named
  BarrierMode barrier_mode = BarrierMode::none;
  OperandRef guard;              ///< a predicate; all ones when there is no guard
  std::uint32_t guard_flip = 0;  ///< ~0 for @!p
  OperandRef dst, dst2;
  std::array<OperandRef, 4> src;
  std::uint32_t immediate = 0;  ///< of LaneArgs, and small facts of other kinds
  union {
    LaneKernel kernel = nullptr;
    const MemoryForm* memory;  ///< load, store, atomic, prefetch, kernel_param, param_*
  };
  std::uint32_t target = no_pc;      ///< branches and direct calls
  std::uint32_t reconverge = no_pc;  ///< where the sides of a divergent branch meet again
  std::uint32_t aux = 0;             ///< index into a table of the program
  std::uint32_t function = 0;        ///< Module::functions
  std::uint32_t instruction = 0;     ///< Function::instructions
  std::uint32_t line = 0;            ///< in the PTX text
  RegisterUse registers;
};

}  // namespace syncline::isa
