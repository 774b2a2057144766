// A kernel with all functions it can reach, decoded for execution. Immutable and shared by all warps that run it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "isa/exec/code_layout.h"
#include "isa/exec/meeting_points.h"
#include "isa/exec/op.h"
#include "isa/exec/steps_to_end.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Device addresses of a module's variables, decided by whoever owns the memory before a kernel is decoded.
struct ModulePlacement {
  std::vector<std::uint64_t> variable_address;  ///< per Module::variables; used for .global and .const
  /// The same for variables declared in function bodies: per Module::functions, per Function::variables.
  std::vector<std::vector<std::uint64_t>> function_variable_address;
};

/// Functions have addresses, so that tables and registers can hold them; no datum ever lies there.
constexpr std::uint64_t function_address(std::uint32_t function) {
  return 16 * (std::uint64_t{function} + 1);
}
/// The function at an address, or no_index.
constexpr std::uint32_t function_at(std::uint64_t address, std::size_t functions) {
  return address % 16 == 0 && address != 0 && address / 16 <= functions ? static_cast<std::uint32_t>(address / 16 - 1)
                                                                        : no_index;
}

/// One kernel parameter as the launch must provide it.
struct KernelParameter {
  std::string name;
  Type type = Type::none;
  std::uint64_t offset = 0, bytes = 0;
  std::uint32_t align = 1;
  bool is_array = false;
  bool pointer = false;  ///< declared .ptr
};

/// A .shared variable that a kernel can touch, in the shared memory of its CTA.
struct SharedVariable {
  std::string name;
  std::uint64_t offset = 0, bytes = 0;  ///< 0 bytes: an unsized array, behind all others
};

/// What a launch and an SM must know about a kernel.
struct KernelInfo {
  std::string name;
  std::vector<KernelParameter> parameters;
  std::uint64_t parameter_bytes = 0;
  unsigned address_bytes = 8;             ///< of a pointer in the module: 4 or 8
  unsigned registers = 0;                 ///< 32-bit registers per thread that are live at once, after allocation
  std::uint64_t static_shared_bytes = 0;  ///< per CTA; dynamic shared memory begins behind, aligned
  std::uint64_t dynamic_shared_offset = 0;
  std::vector<SharedVariable> shared_variables;
  bool dynamic_shared = false;    ///< refers to an unsized .extern .shared array
  std::uint64_t local_bytes = 0;  ///< per thread, along the deepest chain of calls without recursion
  std::array<std::uint32_t, 3> max_threads{}, required_threads{};  ///< zeros: not said
  unsigned min_ctas_per_sm = 0;
  unsigned barriers = 0;             ///< highest barrier number used plus one; 16 when it is computed
  base::SourceLocation transaction;  ///< of the first begin or commit; line 0: the kernel has no transactions
  bool indirect_calls = false, recursive = false, uses_barriers = false;
  bool system_calls = false;  ///< has some
};

/// A special register as a lane array in the warp bank.
struct SpecialSlot {
  SpecialRegister reg = SpecialRegister::tid;
  std::uint8_t component = 0;
  std::uint8_t bytes = 4;  ///< 2, 4 or 8: width of the register it is read into
  bool varies = false;     ///< changes while a warp runs: refreshed before each use
  std::uint32_t offset = 0;
};

/// Where one side of a call, the caller or the callee, keeps an argument or a result.
struct CallValue {
  bool in_register = false;         ///< else in the .param area
  bool sink = false;                ///< result that nobody wants
  std::uint8_t register_bytes = 4;  ///< 0: a predicate
  OperandRef reg;                   ///< or an immediate among the constants
  std::uint32_t param = 0;          ///< byte offset in a lane's .param area
  std::uint32_t bytes = 0;          ///< of the value
};

enum class SystemCall : std::uint8_t { none, vprintf, malloc, free, assertfail };

struct CallSite {
  std::uint32_t callee = no_index;  ///< Module::functions; no_index for an indirect call
  std::uint32_t code = no_index;    ///< its code among Program::functions; no_index where there is none
  SystemCall system = SystemCall::none;
  OperandRef target;  ///< indirect: register with the function's address
  std::uint8_t target_bytes = 8;
  std::vector<CallValue> arguments, results;
};

/// Registers of one width, which lie behind each other: each a lane array, or a mask.
struct RegisterBlock {
  std::uint32_t offset = 0;  ///< of the first, in bytes
  std::uint32_t count = 0;
  std::uint8_t bytes = 0;  ///< of a lane; 0: a predicate
};

/// One function within a program.
struct FunctionCode {
  std::uint32_t function = no_index;         ///< Module::functions
  std::uint32_t entry = no_pc, end = no_pc;  ///< first op, one past the last
  std::uint32_t frame_bytes = 0;             ///< register frame per half warp, multiple of 64; .param area included
  std::uint32_t param_area = 0;              ///< byte offset of the .param area in the frame: lane after lane
  std::uint32_t param_stride = 0;            ///< bytes per lane in it
  std::uint64_t local_bytes = 0;             ///< .local variables per thread
  std::vector<CallValue> parameters, returns;
  std::vector<RegisterBlock> register_blocks;  ///< all registers of the frame
  unsigned registers = 0;
};

/// mov {a,b,..}, r and back; or the elements of a mov.v4 and what they take.
struct VectorForm {
  std::uint8_t parts = 0, part_bytes = 0, whole_bytes = 0;
  std::uint32_t sinks = 0;
  OperandRef whole;
  std::array<OperandRef, 8> part;
  std::array<std::uint8_t, 8> part_stride{};  ///< widths of their registers: 8-bit parts lie in registers of any width
  std::array<OperandRef, 4> source;           ///< vector_move: what goes to each part
};

/// How an operand differs from what the lane kernel takes.
struct Adaptation {
  struct Source {
    std::uint8_t from_bytes = 0, to_bytes = 0;  ///< equal: as it is
    bool sign = false, invert = false;          ///< invert: a predicate
  };
  std::array<Source, 4> source{};
  OperandRef fifth;                                   ///< LaneArgs::src[4]
  std::uint8_t result_bytes = 0, register_bytes = 0;  ///< equal: as it is
  bool result_signed = false;
  bool varies = false;  ///< reads a special register that must be refreshed first
};

class Program {
 public:
  const Op* ops() const { return ops_.data(); }
  const Op& op(std::uint32_t pc) const { return ops_[pc]; }
  std::uint32_t pc_of(const Op* op) const { return static_cast<std::uint32_t>(op - ops_.data()); }
  std::size_t size() const { return ops_.size(); }

  const KernelInfo& kernel() const { return kernel_; }
  const Module& module() const { return *module_; }
  const FunctionCode& entry() const { return functions_.front(); }
  const std::vector<FunctionCode>& functions() const { return functions_; }
  /// Code of Module::functions[index]; null when this kernel cannot reach it.
  const FunctionCode* code_of(std::uint32_t function) const {
    const auto found = code_index_.find(function);
    return found == code_index_.end() ? nullptr : &functions_[found->second];
  }

  const std::uint8_t* constants() const { return constants_; }
  std::uint32_t warp_bank_bytes() const { return warp_bank_bytes_; }
  /// So many bytes at its beginning are zero when a warp starts: scratch space, and registers of the module.
  std::uint32_t cleared_bank_bytes() const { return cleared_bank_bytes_; }
  const std::vector<SpecialSlot>& specials() const { return specials_; }
  /// Registers of the module, in the warp bank.
  const std::vector<RegisterBlock>& module_registers() const { return module_registers_; }
  /// These three are made when they are asked for first.
  const CodeLayout& layout() const;
  const MeetingPoints& meetings() const;
  const std::vector<std::uint16_t>& steps_to_end() const;
  const CallSite& call(const Op& op) const { return calls_[op.aux]; }
  const VectorForm& vector(const Op& op) const { return vectors_[op.aux]; }
  const Adaptation& adaptation(const Op& op) const { return adaptations_[op.aux]; }
  const std::vector<std::uint32_t>& branch_table(const Op& op) const { return branch_tables_[op.aux]; }

  const Function& function(const Op& op) const { return module_->functions[op.function]; }
  /// The PTX instruction of an op; null for the implicit ret at the end of a body.
  const Instruction* instruction(const Op& op) const {
    const auto& all = function(op).instructions;
    return op.instruction < all.size() ? &all[op.instruction] : nullptr;
  }
  /// "file.ptx:120 (add.s32 %r1, %r2, 3;) in `function`": for messages.
  std::string where(const Op& op) const;
  /// "file.ptx:120", and the CUDA source line when the text tells it.
  std::string location(const Op& op) const;

 private:
  friend class Decoder;
  friend class FunctionDecoder;
  std::shared_ptr<const Module> module_;
  KernelInfo kernel_;
  std::vector<Op> ops_;
  std::vector<FunctionCode> functions_;                          ///< the kernel first
  std::unordered_map<std::uint32_t, std::uint32_t> code_index_;  ///< Module::functions -> functions_
  std::vector<std::uint8_t> constant_storage_;
  const std::uint8_t* constants_ = nullptr;  ///< 64-byte aligned start within constant_storage_
  std::vector<SpecialSlot> specials_;
  std::vector<RegisterBlock> module_registers_;
  mutable std::once_flag laid_out_, meetings_found_, ends_found_;
  mutable CodeLayout layout_;
  mutable MeetingPoints meetings_;
  mutable std::vector<std::uint16_t> steps_to_end_;
  std::uint32_t warp_bank_bytes_ = 0, cleared_bank_bytes_ = 0;
  std::vector<std::unique_ptr<MemoryForm>> memory_forms_;
  std::vector<CallSite> calls_;
  std::vector<VectorForm> vectors_;
  std::vector<Adaptation> adaptations_;
  std::vector<std::vector<std::uint32_t>> branch_tables_;
};

/// Decodes kernel `function` of a module (an index into Module::functions) with everything that it can call.
/// Throws base::UserError with the place in the PTX text when it calls a function that nobody provides.
std::shared_ptr<const Program> decode_kernel(std::shared_ptr<const Module> module, std::uint32_t function,
                                             const ModulePlacement& placement);

/// For tests: the same without register allocation (every virtual register has storage of its own).
enum class Allocation : std::uint8_t { linear_scan, none };
std::shared_ptr<const Program> decode_kernel(std::shared_ptr<const Module> module, std::uint32_t function,
                                             const ModulePlacement& placement, Allocation allocation);

}  // namespace syncline::isa
