// A PTX module after parsing and verification: every name is resolved to an index, every immediate is brought to the
// type of its operand, every form is legal. Names stay for messages, traces and the debugger.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/special_register.h"
#include "isa/vocabulary.h"

namespace syncline::isa {

inline constexpr std::uint32_t no_index = 0xFFFF'FFFFu;

/// Where in the CUDA (or OpenCL) source: from `.loc`. `file` indexes Module::files; line 0 means "not known".
struct SourceLine {
  std::uint32_t file = no_index;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// What a name refers to.
enum class SymbolKind : std::uint8_t {
  none,
  module_variable,    ///< Module::variables[index]
  function_variable,  ///< Function::variables[index] of the function that holds the instruction
  module_register,    ///< Module::registers[index]; while a text is read
  parameter,          ///< Function::params[index]
  return_value,       ///< Function::returns[index]
  function            ///< Module::functions[index]
};

struct Symbol {
  SymbolKind kind = SymbolKind::none;
  std::uint32_t index = no_index;
  friend bool operator==(Symbol a, Symbol b) { return a.kind == b.kind && a.index == b.index; }
};

enum class Linkage : std::uint8_t { internal, visible, external, weak, common };

/// A place in an initialiser that holds an address, filled in when the module is laid out in memory.
struct Relocation {
  std::uint64_t offset = 0;  ///< byte within the variable
  std::uint8_t size = 8;     ///< bytes to write; 1 with `shift` for mask()
  std::uint8_t shift = 0;    ///< write (address >> shift): the byte that mask(0xFF..) selects
  Symbol symbol;             ///< module_variable or function
  std::int64_t addend = 0;
  bool generic = false;  ///< generic(symbol): the generic address, not the offset in the symbol's space
};

/// A variable, a parameter or a return value.
struct Variable {
  std::string name;                 ///< unique within its function (a repeated name gets a `$n` suffix)
  Space space = Space::none;        ///< global const_ shared local param; reg for `.func` parameters in registers
  Type type = Type::none;           ///< element type
  unsigned vector = 1;              ///< .v2, .v4
  std::uint32_t align = 0;          ///< bytes, as declared, else the natural alignment of type and vector
  std::vector<std::uint64_t> dims;  ///< array dimensions, outermost first; the first is 0 when unsized
  std::uint64_t bytes = 0;          ///< whole size; of an unsized array 0, or as a parameter what calls need
  bool is_array = false;
  bool unsized = false;  ///< `x[]` without initialiser: dynamic shared memory, or a function's last parameter
  bool managed = false;  ///< .attribute(.managed)
  Linkage linkage = Linkage::internal;
  std::vector<std::uint8_t> init;  ///< empty: zero-initialised; else shorter than `bytes` means zeros behind
  bool initialised = false;
  std::vector<Relocation> relocations;
  std::uint64_t offset = 0;      ///< parameters: byte offset in the parameter block (params and returns apart)
  std::uint32_t reg = no_index;  ///< space reg: the register that holds it
  bool pointer = false;          ///< .ptr
  Space pointer_space = Space::none;
  std::uint32_t pointer_align = 0;
  std::uint32_t line = 0, column = 0;
};

/// One scalar register. A vector register `.reg .v4 .f32 v` is four of them, named v.x v.y v.z v.w.
struct Register {
  std::string name;
  Type type = Type::none;
  /// Of a function that names a register of the module: which of Module::registers it is. All functions then mean the
  /// same one, whatever number it has among their own.
  std::uint32_t shared = no_index;
};

enum class OperandKind : std::uint8_t {
  none,
  reg,             ///< a register; `negated` for !p
  immediate,       ///< `bits`
  special,         ///< %tid.x ...
  address,         ///< [register + offset], [symbol + offset] or [offset] (no base)
  vector,          ///< {a, b, ...} in `elements` (reg, immediate or sink each)
  sink,            ///< _
  label,           ///< `index` into Function::labels
  symbol,          ///< the address of a variable or function, plus `offset`, as a value
  pair,            ///< d|p: exactly two `elements` (reg or sink)
  list,            ///< call: return or argument list in `elements`
  branch_table,    ///< `index` into Function::branch_tables
  call_prototype,  ///< `index` into Function::prototypes
  call_targets     ///< `index` into Function::call_target_lists
};

enum class ImmediateKind : std::uint8_t { integer, f32, f64 };

struct Operand {
  OperandKind kind = OperandKind::none;
  bool negated = false;                                   ///< !p on a predicate
  bool minus = false;                                     ///< -a on operands of vmad
  bool unified = false;                                   ///< [a].unified
  std::uint8_t component = 0;                             ///< special register: 0..3 for .x .y .z .w
  ImmediateKind immediate_kind = ImmediateKind::integer;  ///< how it was written
  bool negative = false;                                  ///< an integer immediate that is below zero
  SpecialRegister special = SpecialRegister::tid;
  /// Part of a 32-bit register that a video instruction reads or writes: 0 none; 1..4 .b0...b3; 5, 6 .h0 .h1. For
  /// the SIMD video instructions a permutation or mask of several bytes (selector 7) or halves (8) is in `bits`, four
  /// bits a digit, the digit on the right lowest; `component` is their number.
  std::uint8_t selector = 0;
  std::uint32_t index = no_index;  ///< register (reg; base of address), label, table or prototype
  Symbol symbol;                   ///< symbol; base of address
  std::int64_t offset = 0;         ///< address and symbol: bytes
  std::uint64_t bits = 0;          ///< immediate: raw bits of the operand's type, zero-extended to 64
  std::vector<Operand> elements;
};

/// The guard `@p` / `@!p`.
struct Guard {
  std::uint32_t reg = no_index;
  bool negated = false;
  explicit operator bool() const { return reg != no_index; }
};

/// One instruction. Operands stand in the order of the text, destination first. `call` always has four: the list of
/// return values, the callee (symbol or register), the list of arguments, and none | call_prototype | call_targets.
struct Instruction {
  Opcode opcode = Opcode::ret;
  Modifiers mods;
  Guard guard;
  std::vector<Operand> operands;
  std::uint32_t line = 0, column = 0;  ///< in the PTX text
  SourceLine source;                   ///< from the last .loc before it
};

struct Label {
  std::string name;
  std::uint32_t instruction = 0;  ///< index into Function::instructions; may equal its size (end of body)
  std::uint32_t line = 0;
};

struct BranchTable {
  std::string name;
  std::vector<std::uint32_t> labels;
};

/// `.callprototype`: what an indirect call passes and gets back.
struct CallPrototype {
  std::string name;
  std::vector<Variable> returns, params;
  bool noreturn = false;
};

/// `.calltargets`: the functions that an indirect call may reach.
struct CallTargets {
  std::string name;
  std::vector<std::uint32_t> functions;
};

/// `.pragma`: a string for whoever knows it.
struct Pragma {
  std::string text;
  std::uint32_t line = 0, column = 0;
};

struct Function {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  Linkage linkage = Linkage::internal;
  std::vector<Variable> params, returns;
  std::uint64_t param_bytes = 0, return_bytes = 0;  ///< sizes of the parameter blocks

  std::array<std::uint32_t, 3> max_threads{};       ///< .maxntid; zeros: not said
  std::array<std::uint32_t, 3> required_threads{};  ///< .reqntid
  std::uint32_t min_ctas_per_sm = 0;                ///< .minnctapersm (and the older .maxnctapersm)
  std::uint32_t max_registers = 0;                  ///< .maxnreg
  bool noreturn = false;
  std::vector<Pragma> pragmas;

  std::vector<Register> registers;
  std::vector<Variable> variables;  ///< declared in the body: .local .shared .param .const .global
  std::vector<Label> labels;
  std::vector<BranchTable> branch_tables;
  std::vector<CallPrototype> prototypes;
  std::vector<CallTargets> call_target_lists;
  std::vector<Instruction> instructions;
  std::uint32_t line = 0, column = 0;
};

struct Version {
  unsigned major_part = 0, minor_part = 0;
  bool at_least(unsigned major, unsigned minor) const {
    return major_part > major || (major_part == major && minor_part >= minor);
  }
};

/// A whole PTX file. Immutable once parsed; everything that runs it shares one copy.
struct Module {
  std::string source_name;  ///< for messages: the file, or what the caller named the text
  Version version;
  std::vector<std::string> targets;  ///< .target: sm_XY first, then options (map_f64_to_f32, ...)
  unsigned sm = 0;                   ///< the number in sm_XY: 10 ... 120
  unsigned address_size = 32;        ///< bits
  unsigned warp_sz = 32;             ///< WARP_SZ where the text was read: lanes that its instructions count on
  std::vector<std::string> files;    ///< .file table; index = number of the file
  /// Declared outside functions (PTX ISA before 3.0): one of each for a thread, which all its functions share.
  std::vector<Register> registers;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::uint32_t>
      addressed;  ///< functions whose addresses initial values of `variables` hold, in their order

  const Function* find_function(std::string_view name) const;  ///< null when there is none
  const Variable* find_variable(std::string_view name) const;  ///< module scope only
};

/// The variable or function that an instruction of `function` names.
const Variable* find_symbol(const Module& module, const Function& function, Symbol symbol);
std::string_view symbol_name(const Module& module, const Function& function, Symbol symbol);

}  // namespace syncline::isa
