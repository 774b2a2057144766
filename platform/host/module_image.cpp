#include "platform/host/module_image.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::platform {
namespace {

bool in_device_memory(const isa::Variable& v) {
  return v.space == isa::Space::global || v.space == isa::Space::const_;
}

base::SourceLocation at(const isa::Module& module, const isa::Variable& v) {
  return {module.source_name, v.line, v.column};
}

}  // namespace

ModuleImage::ModuleImage(std::shared_ptr<const isa::Module> module, DeviceAllocator& allocator)
    : module_(std::move(module)) {
  const isa::Module& m = *module_;
  for (const isa::Variable& v : m.variables) placement_.variable_address.push_back(place(v, allocator));
  for (const isa::Function& f : m.functions) {
    std::vector<std::uint64_t>& places = placement_.function_variable_address.emplace_back();
    for (const isa::Variable& v : f.variables) places.push_back(place(v, allocator));
  }
  for (std::size_t n = 0; n < m.variables.size(); ++n) initialise(m.variables[n], placement_.variable_address[n]);
  for (std::size_t f = 0; f < m.functions.size(); ++f)
    for (std::size_t n = 0; n < m.functions[f].variables.size(); ++n)
      initialise(m.functions[f].variables[n], placement_.function_variable_address[f][n]);

  programs_.resize(m.functions.size());
  for (std::uint32_t f = 0; f < m.functions.size(); ++f)
    if (m.functions[f].is_entry && m.functions[f].has_body) programs_[f] = isa::decode_kernel(module_, f, placement_);
}

std::uint64_t ModuleImage::place(const isa::Variable& v, DeviceAllocator& allocator) {
  if (!in_device_memory(v)) return 0;
  if (v.linkage == isa::Linkage::external)
    throw base::UserError(at(*module_, v), "variable `" + v.name + "` is .extern and no module here defines it");
  if (v.bytes == 0) throw base::UserError(at(*module_, v), "variable `" + v.name + "` has no size");
  const std::uint64_t address =
      allocator.place(v.bytes, v.align, "variable `" + v.name + "`", v.space == isa::Space::global);
  if (address == 0)
    throw base::UserError(at(*module_, v), fmt::format("no room for variable `{}` of {} bytes", v.name, v.bytes));
  return address;
}

void ModuleImage::initialise(const isa::Variable& v, std::uint64_t address) {
  if (!in_device_memory(v)) return;
  InitialBytes image;
  image.address = address;
  image.bytes.assign(v.bytes, 0);
  std::copy_n(v.init.begin(), std::min<std::size_t>(v.init.size(), v.bytes), image.bytes.begin());
  for (const isa::Relocation& r : v.relocations) {
    std::uint64_t value = 0;
    if (r.symbol.kind == isa::SymbolKind::function) {
      value = isa::function_address(r.symbol.index);
    } else {
      const isa::Variable& target = module_->variables[r.symbol.index];
      if (!in_device_memory(target))
        throw base::UserError(at(*module_, v), fmt::format("the initialiser of `{}` takes the address of `{}`, which "
                                                           "lies in .{}; only .global, .const and functions have one "
                                                           "before a kernel runs",
                                                           v.name, target.name, isa::name(target.space)));
      value = placement_.variable_address[r.symbol.index];
    }
    value = (value + static_cast<std::uint64_t>(r.addend)) >> r.shift;
    for (unsigned byte = 0; byte < r.size && r.offset + byte < image.bytes.size(); ++byte)
      image.bytes[r.offset + byte] = static_cast<std::uint8_t>(value >> (8 * byte));
  }
  initial_.push_back(std::move(image));
}

std::shared_ptr<const isa::Program> ModuleImage::kernel(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < programs_.size(); ++f) {
    if (programs_[f] == nullptr) continue;
    if (module_->functions[f].name == name) return programs_[f];
    names.push_back(module_->functions[f].name);
  }
  throw base::UserError(
      fmt::format("{} has no kernel `{}`{}", module_->source_name, name, base::suggestion(name, names)));
}

GlobalSymbol ModuleImage::variable(std::string_view name) const {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < module_->variables.size(); ++n) {
    const isa::Variable& v = module_->variables[n];
    if (!in_device_memory(v)) continue;
    if (v.name == name) return {DevicePointer{placement_.variable_address[n]}, v.bytes};
    names.push_back(v.name);
  }
  throw base::UserError(fmt::format("{} has no .global or .const variable `{}`{}", module_->source_name, name,
                                    base::suggestion(name, names)));
}

}  // namespace syncline::platform
