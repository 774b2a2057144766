// Turns a kernel and everything it can call into a Program. Internal to isa/exec.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "isa/cfg/control_flow_graph.h"
#include "isa/exec/decode/constant_pool.h"
#include "isa/exec/decode/register_allocation.h"
#include "isa/exec/program.h"

namespace syncline::isa {

/// Layout of the warp bank: scratch space that every program has, then registers of the module and special registers.
struct WarpBank {
  static constexpr std::uint32_t trash = 0;             ///< results that nobody wants
  static constexpr std::uint32_t source_scratch = 512;  ///< four operands of adapted ops, 256 bytes each
  static constexpr std::uint32_t result_scratch = 1536;
  static constexpr std::uint32_t end = 2048;
};

/// State shared by the functions of one kernel.
class Decoder {
 public:
  Decoder(std::shared_ptr<const Module> module, std::uint32_t kernel, const ModulePlacement& placement,
          Allocation allocation);
  std::shared_ptr<const Program> decode();

 private:
  friend class FunctionDecoder;
  void find_reachable();
  void find_used_variables();
  void lay_out_shared();
  void lay_out_registers();
  void lay_out_module_locals();
  void lay_out_function(FunctionCode& code);
  void lay_out_variables(FunctionCode& code);
  std::uint64_t place(std::uint64_t& end, const Variable& v, std::uint64_t most, std::string_view what) const;
  void describe_kernel();
  void measure_calls();
  /// Offset of a .shared variable in the CTA's shared memory.
  std::uint64_t shared_offset(const Variable& variable) const;
  OperandRef special(SpecialRegister reg, unsigned component, unsigned bytes);
  bool varies(SpecialRegister reg) const;
  base::SourceLocation at(const Instruction& instruction) const;

  std::shared_ptr<const Module> module_;
  const ModulePlacement& placement_;
  Allocation allocation_;
  std::shared_ptr<Program> program_;
  ConstantPool pool_;
  std::vector<std::uint32_t> reachable_;      ///< the kernel first
  std::vector<const Variable*> used_shared_;  ///< by the kernel and what it calls, in the order of their use
  std::vector<std::uint32_t> used_locals_;    ///< .local ones of Module::variables, ascending
  std::unordered_map<const Variable*, std::uint64_t> shared_;      ///< offset in the CTA's shared memory
  std::unordered_map<std::uint32_t, std::uint64_t> module_local_;  ///< used_locals_ -> offset
  std::uint64_t module_local_bytes_ = 0;
  std::vector<RegisterPlace> shared_registers_;  ///< per Module::registers
  std::uint16_t shared_register_ids_ = 0;
  unsigned shared_register_cost_ = 0;
  std::vector<ControlFlowGraph> graphs_;                     ///< per FunctionCode
  std::vector<RegisterLayout> layouts_;                      ///< per FunctionCode
  std::vector<std::vector<std::uint64_t>> variable_offset_;  ///< per FunctionCode: .local and .param variables
  std::vector<std::uint32_t> return_area_;                   ///< per FunctionCode: offset of returns in the .param area
  std::vector<std::vector<std::uint64_t>> spilled_;  ///< per FunctionCode: local offset of a parameter whose address is
                                                     ///< taken, no_spill else
  static constexpr std::uint64_t no_spill = ~std::uint64_t{0};
};

/// Decodes the body of one function.
class FunctionDecoder {
 public:
  FunctionDecoder(Decoder& decoder, std::size_t code_index);
  void decode();

 private:
  void decode_instruction(std::uint32_t index);
  void decode_transaction(Op& op, const Instruction& instruction, TransactionMark mark);
  void decode_branch(Op& op, const Instruction& instruction, std::uint32_t reconverge);
  void decode_arithmetic(Op& op, const Instruction& instruction);
  void decode_move(Op& op, const Instruction& instruction);
  void decode_pack(Op& op, const Instruction& instruction);
  void decode_vector_move(Op& op, const Instruction& instruction);
  void decode_cvta(Op& op, const Instruction& instruction);
  void refuse_masks_of_32(const Instruction& instruction) const;
  void decode_cross_lane(Op& op, const Instruction& instruction);
  void decode_barrier(Op& op, const Instruction& instruction);
  void decode_memory(Op& op, const Instruction& instruction);
  void decode_address(Op& op, MemoryForm& form, const Operand& address, Space space);
  void decode_param_address(Op& op, MemoryForm& form, const Operand& address);
  void decode_call(Op& op, const Instruction& instruction);
  void add_parameter_spills();
  void append_end();
  void count_registers(Op& op, const Instruction& instruction);

  /// Adds what makes operands of other widths, or negated predicates, fit the kernel.
  void decode_quadruple(Op& op, const Instruction& instruction);
  void adapt(Op& op, const Instruction& instruction);
  bool adapt_result(Adaptation& a, const Instruction& instruction) const;
  void append(Op& op, Adaptation& a);
  OperandRef source(Op& op, const Instruction& instruction, unsigned index);
  OperandRef value(Op& op, const Operand& operand, unsigned bytes);
  OperandRef result(const Operand& operand) const;
  OperandRef register_ref(std::uint32_t reg) const;
  /// A register that somebody reads.
  bool has_place(const Operand& operand) const {
    return operand.kind == OperandKind::reg && layout_.places[operand.index].offset != no_index;
  }
  unsigned register_width(std::uint32_t reg) const { return layout_.places[reg].bytes; }
  /// A symbol's address as a value, except .local ones of a frame; `generic` adds the window.
  std::uint64_t symbol_address(const Operand& operand, const Instruction* instruction) const;
  /// Local offset within the frame of a .local variable or a spilled parameter; false for anything else.
  bool frame_local(const Operand& operand, std::uint64_t& offset) const;
  void local_address(Op& op, std::uint64_t offset, unsigned bytes, std::uint64_t window);
  CallValue call_value(const Operand& operand, const Variable* formal);
  void add_call_values(const Operand& operand, const Variable* formal, std::vector<CallValue>& into);
  std::uint32_t param_offset(Symbol symbol) const;
  [[noreturn]] void fail(const Instruction& instruction, const std::string& message) const;
  /// The form tables and the lane kernels disagree, which is no mistake of the user's.
  [[noreturn]] void fail_without_kernel(const Instruction& instruction) const;

  Decoder& d_;
  Program& program_;
  std::size_t code_index_;
  FunctionCode& code_;
  const Function& function_;
  const RegisterLayout& layout_;
  const ControlFlowGraph& graph_;
  std::vector<std::uint32_t> tables_;  ///< per Function::branch_tables: in the program, no_index before its first use
  std::uint32_t first_pc_ = 0;         ///< of the first PTX instruction
  bool in_kernel_;
};

}  // namespace syncline::isa
