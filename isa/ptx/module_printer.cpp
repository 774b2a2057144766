// Writes a whole module back as PTX text.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

std::string_view linkage_text(Linkage linkage) {
  switch (linkage) {
    case Linkage::visible:
      return ".visible ";
    case Linkage::external:
      return ".extern ";
    case Linkage::weak:
      return ".weak ";
    case Linkage::common:
      return ".common ";
    case Linkage::internal:
      break;
  }
  return "";
}

std::string value_text(const Variable& v, std::uint64_t element, const Module& module) {
  const unsigned size = type_bytes(v.type);
  const auto at = std::lower_bound(v.relocations.begin(), v.relocations.end(), element * size,
                                   [](const Relocation& r, std::uint64_t offset) { return r.offset < offset; });
  if (at != v.relocations.end() && at->offset == element * size) {
    const Relocation& relocation = *at;
    const Function none;
    std::string text(symbol_name(module, none, relocation.symbol));
    if (relocation.generic) text = fmt::format("generic({})", text);
    if (relocation.addend != 0) text += fmt::format("+{}", relocation.addend);
    if (size == 1) text = fmt::format("0x{:X}({})", std::uint64_t{0xFF} << relocation.shift, text);
    return text;
  }
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < std::min(size, 8u); ++i)
    if (element * size + i < v.init.size()) bits |= std::uint64_t{v.init[element * size + i]} << (8 * i);
  if (v.type == Type::f32) return fmt::format("0f{:08X}", bits);
  if (v.type == Type::f64) return fmt::format("0d{:016X}", bits);
  return fmt::format("{}", bits);
}

/// All initialised elements in one flat list: inner braces may be left out.
std::string initialiser_text(const Variable& v, const Module& module) {
  if (!v.initialised) return {};
  if (!v.is_array && v.vector == 1) return " = " + value_text(v, 0, module);
  std::string text;
  for (std::uint64_t i = 0; i < v.init.size() / std::max(type_bytes(v.type), 1u); ++i)
    text += (i == 0 ? "" : ", ") + value_text(v, i, module);
  return " = {" + text + "}";
}

std::string declaration_text(const Variable& v, const Module& module) {
  std::string text = fmt::format(".{}", v.space == Space::const_ ? "const" : name(v.space));
  if (v.pointer) {
    text += fmt::format(" .{} .ptr", name(v.type));
    if (v.pointer_space != Space::none) text += fmt::format(" .{}", name(v.pointer_space));
    if (v.pointer_align != 0) text += fmt::format(" .align {}", v.pointer_align);
  } else {
    if (v.managed) text += " .attribute(.managed)";
    if (v.space != Space::reg) text += fmt::format(" .align {}", v.align);
    if (v.vector > 1) text += fmt::format(" .v{}", v.vector);
    text += fmt::format(" .{}", name(v.type));
  }
  text += " " + v.name;
  for (std::size_t i = 0; i < v.dims.size(); ++i)
    text += i == 0 && v.unsized ? std::string("[]") : fmt::format("[{}]", v.dims[i]);
  return text + initialiser_text(v, module);
}

std::string parameters_text(const std::vector<Variable>& params, const Module& module) {
  std::string text;
  for (const Variable& v : params) text += (text.empty() ? "" : ", ") + declaration_text(v, module);
  return "(" + text + ")";
}

std::string signature_text(const Function& f, const Module& module, Linkage linkage) {
  std::string text(linkage_text(linkage));
  text += f.is_entry ? ".entry " : ".func ";
  if (!f.returns.empty()) text += parameters_text(f.returns, module) + " ";
  text += f.name + parameters_text(f.params, module);
  const auto extents = [&](const char* directive, const std::array<std::uint32_t, 3>& e) {
    if (e[0] != 0) text += fmt::format("\n{} {}, {}, {}", directive, e[0], e[1], e[2]);
  };
  extents(".maxntid", f.max_threads);
  extents(".reqntid", f.required_threads);
  if (f.min_ctas_per_sm != 0) text += fmt::format("\n.minnctapersm {}", f.min_ctas_per_sm);
  if (f.max_registers != 0) text += fmt::format("\n.maxnreg {}", f.max_registers);
  if (f.noreturn) text += "\n.noreturn";
  return text;
}

void write_local_directives(const Module& module, const Function& f, std::string& text) {
  for (std::size_t i = 0; i < f.prototypes.size(); ++i) {
    const CallPrototype& p = f.prototypes[i];
    text += fmt::format("{}: .callprototype ", p.name);
    if (!p.returns.empty()) text += parameters_text(p.returns, module) + " ";
    text += "_ " + parameters_text(p.params, module) + (p.noreturn ? " .noreturn;\n" : ";\n");
  }
  for (const CallTargets& list : f.call_target_lists) {
    std::string names;
    for (const std::uint32_t index : list.functions)
      names += (names.empty() ? "" : ", ") + module.functions[index].name;
    text += fmt::format("{}: .calltargets {};\n", list.name, names);
  }
  for (const BranchTable& table : f.branch_tables) {
    std::string names;
    for (const std::uint32_t index : table.labels) names += (names.empty() ? "" : ", ") + f.labels[index].name;
    text += fmt::format("{}: .branchtargets {};\n", table.name, names);
  }
}

void write_body(const Module& module, const Function& f, std::string& text) {
  text += "\n{\n";
  for (const Pragma& pragma : f.pragmas) text += fmt::format(".pragma \"{}\";\n", pragma.text);
  const auto is_parameter = [&](std::uint32_t index) {
    for (const auto* group : {&f.params, &f.returns})
      for (const Variable& v : *group)
        if (v.reg != no_index && index >= v.reg && index < v.reg + v.vector) return true;
    return false;
  };
  for (std::uint32_t i = 0; i < f.registers.size(); ++i)
    if (!is_parameter(i) && f.registers[i].shared == no_index)
      text += fmt::format(".reg .{} {};\n", name(f.registers[i].type), f.registers[i].name);
  for (const Variable& v : f.variables) text += declaration_text(v, module) + ";\n";
  write_local_directives(module, f, text);
  std::multimap<std::uint32_t, const Label*> labels;
  for (const Label& label : f.labels) labels.emplace(label.instruction, &label);
  SourceLine source;
  for (std::uint32_t i = 0; i <= f.instructions.size(); ++i) {
    for (auto [at, end] = labels.equal_range(i); at != end; ++at) text += at->second->name + ":\n";
    if (i == f.instructions.size()) break;
    const SourceLine& next = f.instructions[i].source;
    if (next.line != source.line || next.file != source.file || next.column != source.column) {
      source = next;
      text += fmt::format(".loc {} {} {}\n", next.file, next.line, next.column);
    }
    text += "  " + to_string(module, f, f.instructions[i]) + "\n";
  }
  text += "}\n";
}

}  // namespace

std::string to_string(const Module& module) {
  std::string text = fmt::format(".version {}.{}\n.target {}\n.address_size {}\n", module.version.major_part,
                                 module.version.minor_part, fmt::join(module.targets, ", "), module.address_size);
  for (std::size_t i = 0; i < module.files.size(); ++i)
    if (!module.files[i].empty()) text += fmt::format(".file {} \"{}\"\n", i, module.files[i]);
  for (const Register& reg : module.registers) text += fmt::format(".reg .{} {};\n", name(reg.type), reg.name);
  // Declarations first: bodies and initial values may name what stands further down.
  for (const Function& f : module.functions)
    if (!f.is_entry) text += signature_text(f, module, f.has_body ? f.linkage : Linkage::external) + ";\n";
  for (const Variable& v : module.variables)
    text += std::string(linkage_text(v.linkage)) + declaration_text(v, module) + ";\n";
  for (const bool entries : {false, true})
    for (const Function& f : module.functions) {
      if (f.is_entry != entries || (!f.has_body && !f.is_entry)) continue;
      text += signature_text(f, module, f.linkage);
      if (f.has_body)
        write_body(module, f, text);
      else
        text += ";\n";
    }
  return text;
}

}  // namespace syncline::isa
