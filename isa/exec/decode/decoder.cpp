#include "isa/exec/decode/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "isa/cfg/transactions.h"
#include "isa/exec/decode/operand_width.h"

namespace syncline::isa {
namespace {

/// What the window of local addresses holds; of .param space so much that a frame of 32 lanes stays small.
constexpr std::uint64_t most_local = AddressWindows::local_bytes, most_param = 1 << 16;
constexpr std::string_view local_memory = "the local memory of a thread";

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
  auto& index = program_->code_index_;
  index.emplace(reachable_[0], 0);
  const auto reach = [&](std::uint32_t f) {
    if (!module_->functions[f].has_body || module_->functions[f].is_entry) return;
    if (index.emplace(f, static_cast<std::uint32_t>(reachable_.size())).second) reachable_.push_back(f);
  };
  std::vector<std::uint32_t> addressed;
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
      if (i.opcode == Opcode::call && i.operands[1].kind == OperandKind::reg && !program_->kernel_.indirect_calls) {
        program_->kernel_.indirect_calls = true;
        addressed.insert(addressed.begin(), module_->addressed.begin(), module_->addressed.end());
      }
    }
    if (n + 1 < reachable_.size() || !program_->kernel_.indirect_calls) continue;
    for (const std::uint32_t f : addressed) reach(f);
    addressed.clear();
  }
  program_->functions_.resize(reachable_.size());
  for (std::size_t n = 0; n < reachable_.size(); ++n) program_->functions_[n].function = reachable_[n];
}

void Decoder::find_used_variables() {
  std::unordered_set<const Variable*> seen;
  const auto use = [&](const Variable& v, std::uint32_t of_module) {
    if ((v.space != Space::shared && v.space != Space::local) || !seen.insert(&v).second) return;
    if (v.space == Space::shared) used_shared_.push_back(&v);
    if (v.space == Space::local && of_module != no_index) used_locals_.push_back(of_module);
  };
  for (const std::uint32_t f : reachable_) {
    const Function& function = module_->functions[f];
    for (const Instruction& i : function.instructions)
      for (const Operand& o : i.operands)
        for_each_operand(o, [&](const Operand& x) {
          if (x.symbol.kind == SymbolKind::module_variable) use(module_->variables[x.symbol.index], x.symbol.index);
          if (x.symbol.kind == SymbolKind::function_variable) use(function.variables[x.symbol.index], no_index);
        });
  }
  std::sort(used_locals_.begin(), used_locals_.end());
}

/// Only what this kernel can touch counts for its occupancy; unsized arrays all begin behind the sized ones.
void Decoder::lay_out_shared() {
  std::uint64_t end = 0, dynamic_align = 16;
  for (const Variable* v : used_shared_) {
    if (v->bytes == 0) {
      dynamic_align = std::max<std::uint64_t>(dynamic_align, v->align);
      continue;
    }
    end = aligned(end, v->align);
    shared_.emplace(v, end);
    end += v->bytes;
  }
  KernelInfo& kernel = program_->kernel_;
  kernel.static_shared_bytes = end;
  kernel.dynamic_shared_offset = aligned(end, dynamic_align);
  for (const Variable* v : used_shared_)
    if (v->bytes == 0) {
      shared_.emplace(v, kernel.dynamic_shared_offset);
      kernel.dynamic_shared = true;
    }
  for (const Variable* v : used_shared_) kernel.shared_variables.push_back({v->name, shared_offset(*v), v->bytes});
}

std::uint64_t Decoder::shared_offset(const Variable& variable) const {
  const auto found = shared_.find(&variable);
  if (found == shared_.end()) throw base::ModelError("shared variable `" + variable.name + "` was not laid out");
  return found->second;
}

/// Adds a variable to a thread's local memory or .param area, which is no larger than `most` bytes.
std::uint64_t Decoder::place(std::uint64_t& end, const Variable& v, std::uint64_t most, std::string_view what) const {
  const std::uint64_t at = aligned(end, std::max<std::uint64_t>(v.align, 1));
  if (v.bytes > most || at > most - v.bytes)
    throw base::UserError({module_->source_name, v.line, v.column},
                          fmt::format("`{}` of {} bytes does not fit: {} has {} bytes, and {} are taken", v.name,
                                      v.bytes, what, most, std::min(at, most)));
  end = at + v.bytes;
  return at;
}

void Decoder::lay_out_module_locals() {
  for (const std::uint32_t n : used_locals_)
    module_local_.emplace(n, place(module_local_bytes_, module_->variables[n], most_local, local_memory));
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
      program_->module_registers_.push_back({place.offset, 1, place.bytes});
      shared_register_cost_ += storage_cost(reg.type);
    }
  program_->cleared_bank_bytes_ = program_->warp_bank_bytes_;
}

/// Places of a function's .local and .param variables, parameters and results.
void Decoder::lay_out_variables(FunctionCode& code) {
  const Function& function = module_->functions[code.function];
  const auto align16 = [](std::uint64_t n) { return aligned(n, 16); };
  const bool is_kernel = function.is_entry;
  if (!is_kernel && std::max(function.param_bytes, function.return_bytes) > most_param / 4)
    throw base::UserError({module_->source_name, function.line, function.column},
                          fmt::format("the parameters of `{}` take {} bytes and its results {}; {} are possible",
                                      function.name, function.param_bytes, function.return_bytes, most_param / 4));

  std::uint64_t param = is_kernel ? 0 : align16(function.param_bytes);
  return_area_.push_back(static_cast<std::uint32_t>(param));
  param += is_kernel ? 0 : function.return_bytes;
  std::uint64_t local = is_kernel ? module_local_bytes_ : 0;
  std::vector<std::uint64_t> offsets(function.variables.size(), 0);
  for (std::size_t n = 0; n < function.variables.size(); ++n) {
    const Variable& v = function.variables[n];
    if (v.space == Space::param)
      offsets[n] = place(param, v, most_param, "the .param memory of a function");
    else if (v.space == Space::local)
      offsets[n] = place(local, v, most_local, local_memory);
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
  variable_offset_.push_back(std::move(offsets));
  spilled_.push_back(std::move(spilled));
  code.local_bytes = align16(local);
  code.param_stride = static_cast<std::uint32_t>(align16(param));
}

/// The same, and its register frame.
void Decoder::lay_out_function(FunctionCode& code) {
  const Function& function = module_->functions[code.function];
  lay_out_variables(code);
  graphs_.emplace_back(function);
  layouts_.push_back(allocate_registers(function, graphs_.back(), allocation_, shared_registers_, shared_register_ids_,
                                        {module_->source_name, function.line, function.column}));
  code.registers = layouts_.back().pressure;
  code.register_blocks = layouts_.back().blocks;
  code.param_area = layouts_.back().bytes;
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

  measure_calls();
}

/// The deepest chain of calls; a call back into the chain is recursion and counts once. Who calls by register calls all
/// functions: that is one callee more, behind the functions.
void Decoder::measure_calls() {
  const auto count = static_cast<std::uint32_t>(reachable_.size());
  const std::uint32_t any = count;
  std::vector<std::vector<std::uint32_t>> callees(count + 1);
  for (std::uint32_t n = 0; n < count; ++n)
    for (const Instruction& i : module_->functions[reachable_[n]].instructions) {
      if (i.opcode != Opcode::call) continue;
      if (i.operands[1].kind == OperandKind::reg) {
        callees[n].push_back(any);
      } else if (const auto f = program_->code_index_.find(i.operands[1].symbol.index);
                 f != program_->code_index_.end()) {
        callees[n].push_back(f->second);
      }
    }
  if (program_->kernel_.indirect_calls)
    for (std::uint32_t f = 1; f < count; ++f) callees[any].push_back(f);

  enum : std::uint8_t { fresh, open, closed };
  std::vector<std::uint8_t> state(count + 1, fresh);
  std::vector<std::uint64_t> depth(count + 1, 0);
  std::vector<std::size_t> next(count + 1, 0);
  std::vector<std::uint32_t> chain = {0};
  state[0] = open;
  while (!chain.empty()) {
    const std::uint32_t n = chain.back();
    if (next[n] < callees[n].size()) {
      const std::uint32_t c = callees[n][next[n]++];
      if (state[c] == open) program_->kernel_.recursive = true;
      if (state[c] == closed) depth[n] = std::max(depth[n], depth[c]);
      if (state[c] == fresh) {
        state[c] = open;
        chain.push_back(c);
      }
      continue;
    }
    if (n != any) depth[n] += program_->functions_[n].local_bytes;
    state[n] = closed;
    chain.pop_back();
    if (!chain.empty()) depth[chain.back()] = std::max(depth[chain.back()], depth[n]);
  }
  program_->kernel_.local_bytes = depth[0];
}

std::shared_ptr<const Program> Decoder::decode() {
  Program& program = *program_;
  program.warp_bank_bytes_ = WarpBank::end;
  find_reachable();
  find_used_variables();
  lay_out_shared();
  lay_out_module_locals();
  lay_out_registers();
  for (FunctionCode& code : program.functions_) lay_out_function(code);
  verify_transactions(*module_, reachable_, graphs_);
  for (std::size_t n = 0; n < program.functions_.size(); ++n) FunctionDecoder(*this, n).decode();
  for (Op& op : program.ops_)
    if (op.kind == OpKind::call) {
      CallSite& site = program.calls_[op.aux];
      site.code = program.code_index_.at(site.callee);
      op.target = program.functions_[site.code].entry;
    }
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
