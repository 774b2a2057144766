#include "isa/exec/decode/decoder.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "isa/exec/decode/operand_width.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t align) {
  return align <= 1 ? offset : (offset + align - 1) / align * align;
}

void for_each_operand(const Operand& operand, const std::function<void(const Operand&)>& body) {
  body(operand);
  for (const Operand& element : operand.elements) for_each_operand(element, body);
}

}  // namespace

Decoder::Decoder(std::shared_ptr<const Module> module, std::uint32_t kernel, const ModulePlacement& placement,
                 Allocation allocation)
    : module_(std::move(module)),
      placement_(placement),
      allocation_(allocation),
      program_(std::make_shared<Program>()) {
  program_->module_ = module_;
  reachable_.push_back(kernel);
}

base::SourceLocation Decoder::at(const Instruction& i) const {
  return {module_->source_name, i.line, i.column};
}

/// The kernel, what it calls by name, and once something is called by register every function whose address is known
/// to anyone.
void Decoder::find_reachable() {
  std::vector<bool> seen(module_->functions.size(), false);
  seen[reachable_[0]] = true;
  const auto reach = [&](std::uint32_t f) {
    if (seen[f] || !module_->functions[f].has_body || module_->functions[f].is_entry) return;
    seen[f] = true;
    reachable_.push_back(f);
  };
  std::vector<std::uint32_t> addressed;
  for (const Variable& v : module_->variables)
    for (const Relocation& r : v.relocations)
      if (r.symbol.kind == SymbolKind::function) addressed.push_back(r.symbol.index);
  std::size_t added_addressed = 0;
  for (std::size_t n = 0; n < reachable_.size(); ++n) {
    const Function& function = module_->functions[reachable_[n]];
    for (const Variable& v : function.variables)
      for (const Relocation& r : v.relocations)
        if (r.symbol.kind == SymbolKind::function) addressed.push_back(r.symbol.index);
    for (const Instruction& i : function.instructions) {
      for (const Operand& o : i.operands)
        for_each_operand(o, [&](const Operand& x) {
          if (x.kind != OperandKind::symbol || x.symbol.kind != SymbolKind::function) return;
          if (i.opcode == Opcode::call)
            reach(x.symbol.index);
          else
            addressed.push_back(x.symbol.index);
        });
      if (i.opcode == Opcode::call && i.operands[1].kind == OperandKind::reg) program_->kernel_.indirect_calls = true;
    }
    if (n + 1 == reachable_.size() && program_->kernel_.indirect_calls)
      for (; added_addressed < addressed.size(); ++added_addressed) reach(addressed[added_addressed]);
  }
  program_->code_index_.assign(module_->functions.size(), no_index);
  program_->functions_.resize(reachable_.size());
  for (std::size_t n = 0; n < reachable_.size(); ++n) {
    program_->functions_[n].function = reachable_[n];
    program_->code_index_[reachable_[n]] = static_cast<std::uint32_t>(n);
  }
}

/// Only what this kernel can touch counts for its occupancy; unsized arrays all begin behind the sized ones.
void Decoder::lay_out_shared() {
  std::vector<const Variable*> used;
  const auto use = [&](const Variable& v) {
    if (v.space == Space::shared && std::find(used.begin(), used.end(), &v) == used.end()) used.push_back(&v);
  };
  for (const std::uint32_t f : reachable_) {
    const Function& function = module_->functions[f];
    for (const Instruction& i : function.instructions)
      for (const Operand& o : i.operands)
        for_each_operand(o, [&](const Operand& x) {
          if (x.symbol.kind == SymbolKind::module_variable) use(module_->variables[x.symbol.index]);
          if (x.symbol.kind == SymbolKind::function_variable) use(function.variables[x.symbol.index]);
        });
  }
  std::uint64_t end = 0, dynamic_align = 16;
  for (const Variable* v : used) {
    if (v->bytes == 0) {
      dynamic_align = std::max<std::uint64_t>(dynamic_align, v->align);
      continue;
    }
    end = aligned(end, v->align);
    shared_.push_back({v, end});
    end += v->bytes;
  }
  KernelInfo& kernel = program_->kernel_;
  kernel.static_shared_bytes = end;
  kernel.dynamic_shared_offset = aligned(end, dynamic_align);
  for (const Variable* v : used)
    if (v->bytes == 0) {
      shared_.push_back({v, kernel.dynamic_shared_offset});
      kernel.dynamic_shared = true;
    }
}

std::uint64_t Decoder::shared_offset(const Variable& variable) const {
  for (const SharedPlace& p : shared_)
    if (p.variable == &variable) return p.offset;
  throw base::ModelError("shared variable `" + variable.name + "` was not laid out");
}

void Decoder::lay_out_module_locals() {
  module_local_.assign(module_->variables.size(), 0);
  for (std::size_t n = 0; n < module_->variables.size(); ++n) {
    const Variable& v = module_->variables[n];
    if (v.space != Space::local) continue;
    module_local_bytes_ = aligned(module_local_bytes_, v.align);
    module_local_[n] = module_local_bytes_;
    module_local_bytes_ += v.bytes;
  }
}

/// Registers of the module that this kernel or what it calls names: lane arrays in the warp bank.
void Decoder::lay_out_registers() {
  shared_registers_.resize(module_->registers.size());
  for (const std::uint32_t f : reachable_)
    for (const Register& reg : module_->functions[f].registers) {
      if (reg.shared == no_index || shared_registers_[reg.shared].offset != no_index) continue;
      RegisterPlace& place = shared_registers_[reg.shared];
      place.shared = true;
      place.bytes = static_cast<std::uint8_t>(storage_bytes(reg.type));
      place.id = shared_register_ids_++;
      place.offset = program_->warp_bank_bytes_;
      const unsigned bytes = place.bytes == 0 ? 4 : place.bytes * kernel_lanes;
      program_->warp_bank_bytes_ += static_cast<std::uint32_t>(aligned(bytes, 64));
      shared_register_cost_ += storage_cost(reg.type);
    }
  program_->cleared_bank_bytes_ = program_->warp_bank_bytes_;
}

/// Places of a function's .local and .param variables, parameters and results, and its register frame.
void Decoder::lay_out_function(FunctionCode& code) {
  const Function& function = module_->functions[code.function];
  const auto align16 = [](std::uint64_t n) { return aligned(n, 16); };
  const bool is_kernel = function.is_entry;

  std::uint64_t param = is_kernel ? 0 : align16(function.param_bytes);
  return_area_.push_back(static_cast<std::uint32_t>(param));
  param += is_kernel ? 0 : function.return_bytes;
  std::uint64_t local = is_kernel ? module_local_bytes_ : 0;
  std::vector<std::uint64_t> offsets(function.variables.size(), 0);
  for (std::size_t n = 0; n < function.variables.size(); ++n) {
    const Variable& v = function.variables[n];
    std::uint64_t* const area = v.space == Space::param ? &param : v.space == Space::local ? &local : nullptr;
    if (area == nullptr) continue;
    *area = aligned(*area, std::max<std::uint64_t>(v.align, 1));
    offsets[n] = *area;
    *area += v.bytes;
  }
  // mov of a parameter's address: the parameter moves to the stack (PTX ISA, "Data Movement: mov").
  std::vector<std::uint64_t> spilled(function.params.size(), no_spill);
  if (!is_kernel)
    for (const Instruction& i : function.instructions)
      for (const Operand& o : i.operands)
        if (o.kind == OperandKind::symbol && o.symbol.kind == SymbolKind::parameter && i.opcode != Opcode::call &&
            spilled[o.symbol.index] == no_spill) {
          const Variable& v = function.params[o.symbol.index];
          local = aligned(local, std::max<std::uint64_t>(v.align, 8));
          spilled[o.symbol.index] = local;
          local += aligned(v.bytes, 8);
        }

  const ControlFlowGraph graph(function);
  layouts_.push_back(allocate_registers(function, graph, allocation_, shared_registers_, shared_register_ids_));
  variable_offset_.push_back(std::move(offsets));
  spilled_.push_back(std::move(spilled));
  code.registers = layouts_.back().pressure;
  code.local_bytes = static_cast<std::uint32_t>(align16(local));
  code.param_area = layouts_.back().bytes;
  code.param_stride = static_cast<std::uint32_t>(align16(param));
  code.frame_bytes = static_cast<std::uint32_t>(aligned(code.param_area + code.param_stride * kernel_lanes, 64));
}

bool Decoder::varies(SpecialRegister reg) const {
  switch (reg) {
    case SpecialRegister::clock:
    case SpecialRegister::clock_hi:
    case SpecialRegister::clock64:
    case SpecialRegister::globaltimer:
    case SpecialRegister::globaltimer_lo:
    case SpecialRegister::globaltimer_hi:
    case SpecialRegister::smid:
    case SpecialRegister::nsmid:
    case SpecialRegister::warpid:
    case SpecialRegister::nwarpid:
      return true;
    default:
      return reg >= SpecialRegister::pm0;
  }
}

OperandRef Decoder::special(SpecialRegister reg, unsigned component, unsigned bytes) {
  for (const SpecialSlot& s : program_->specials_)
    if (s.reg == reg && s.component == component && s.bytes == bytes) return {Bank::warp, s.offset};
  SpecialSlot slot;
  slot.reg = reg;
  slot.component = static_cast<std::uint8_t>(component);
  slot.bytes = static_cast<std::uint8_t>(bytes);
  slot.varies = varies(reg);
  slot.offset = program_->warp_bank_bytes_;
  program_->warp_bank_bytes_ += static_cast<std::uint32_t>(aligned(bytes == 0 ? 4 : bytes * kernel_lanes, 64));
  program_->specials_.push_back(slot);
  return {Bank::warp, slot.offset};
}

void Decoder::describe_kernel() {
  KernelInfo& kernel = program_->kernel_;
  const Function& function = module_->functions[reachable_[0]];
  kernel.name = function.name;
  for (const Variable& v : function.params) {
    KernelParameter p;
    p.name = v.name;
    p.type = v.type;
    p.offset = v.offset;
    p.bytes = v.bytes;
    p.align = v.align;
    p.is_array = v.is_array;
    p.pointer = v.pointer;
    kernel.parameters.push_back(std::move(p));
  }
  kernel.parameter_bytes = function.param_bytes;
  kernel.address_bytes = module_->address_size / 8;
  kernel.max_threads = function.max_threads;
  kernel.required_threads = function.required_threads;
  kernel.min_ctas_per_sm = function.min_ctas_per_sm;
  for (const FunctionCode& code : program_->functions_) kernel.registers = std::max(kernel.registers, code.registers);
  kernel.registers += shared_register_cost_;
  if (function.max_registers != 0) kernel.registers = std::min(kernel.registers, function.max_registers);

  // Deepest chain of calls; a call back into the chain is recursion and counts once.
  callees_.resize(reachable_.size());
  for (std::size_t n = 0; n < reachable_.size(); ++n)
    for (const Instruction& i : module_->functions[reachable_[n]].instructions) {
      if (i.opcode != Opcode::call) continue;
      if (i.operands[1].kind == OperandKind::reg) {
        for (std::uint32_t f = 1; f < reachable_.size(); ++f) callees_[n].push_back(f);
      } else if (const std::uint32_t f = program_->code_index_[i.operands[1].symbol.index]; f != no_index) {
        callees_[n].push_back(f);
      }
    }
  enum : std::uint8_t { fresh, open, closed };
  std::vector<std::uint8_t> state(reachable_.size(), fresh);
  std::vector<std::uint64_t> depth(reachable_.size(), 0);
  const std::function<std::uint64_t(std::uint32_t)> visit = [&](std::uint32_t n) {
    if (state[n] == closed) return depth[n];
    state[n] = open;
    std::uint64_t below = 0;
    for (const std::uint32_t c : callees_[n]) {
      if (state[c] == open)
        kernel.recursive = true;
      else
        below = std::max(below, visit(c));
    }
    state[n] = closed;
    return depth[n] = program_->functions_[n].local_bytes + below;
  };
  kernel.local_bytes = visit(0);
}

std::shared_ptr<const Program> Decoder::decode() {
  Program& program = *program_;
  program.warp_bank_bytes_ = WarpBank::end;
  find_reachable();
  lay_out_shared();
  lay_out_module_locals();
  lay_out_registers();
  for (FunctionCode& code : program.functions_) lay_out_function(code);
  for (std::size_t n = 0; n < program.functions_.size(); ++n) FunctionDecoder(*this, n).decode();
  for (Op& op : program.ops_)
    if (op.kind == OpKind::call)
      op.target = program.functions_[program.code_index_[program.calls_[op.aux].callee]].entry;
  describe_kernel();

  // Kernels read whole vectors of 64 bytes: the constants start aligned.
  const std::vector<std::uint8_t> constants = pool_.take();
  program.constant_storage_.resize(constants.size() + 63);
  auto start = reinterpret_cast<std::uintptr_t>(program.constant_storage_.data());
  start = aligned(start, 64);
  std::copy(constants.begin(), constants.end(), reinterpret_cast<std::uint8_t*>(start));
  program.constants_ = reinterpret_cast<const std::uint8_t*>(start);
  return program_;
}

std::shared_ptr<const Program> decode_kernel(std::shared_ptr<const Module> module, std::uint32_t function,
                                             const ModulePlacement& placement, Allocation allocation) {
  return Decoder(std::move(module), function, placement, allocation).decode();
}

std::shared_ptr<const Program> decode_kernel(std::shared_ptr<const Module> module, std::uint32_t function,
                                             const ModulePlacement& placement) {
  return decode_kernel(std::move(module), function, placement, Allocation::linear_scan);
}

}  // namespace syncline::isa
