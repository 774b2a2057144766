// A module on a device: its variables placed in device memory, their first contents, its kernels decoded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "isa/exec/program.h"
#include "platform/host/device.h"
#include "platform/host/device_allocator.h"

namespace syncline::platform {

/// Bytes that the device must write once before the module is used.
struct InitialBytes {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
};

class ModuleImage {
 public:
  /// Places .global and .const variables (constants read-only), resolves addresses in initialisers, decodes every
  /// kernel. Throws base::UserError with the place in the PTX for a variable that nobody defines, an initialiser that
  /// holds no device address, a call of a function without body, and when memory is full.
  ModuleImage(std::shared_ptr<const isa::Module> module, DeviceAllocator& allocator);

  const isa::Module& module() const { return *module_; }
  const std::vector<InitialBytes>& initial() const { return initial_; }
  /// The kernel of that name. Throws base::UserError with the nearest name when there is none.
  std::shared_ptr<const isa::Program> kernel(std::string_view name) const;
  /// A .global or .const variable. Throws base::UserError with the nearest name when there is none.
  GlobalSymbol variable(std::string_view name) const;

 private:
  std::uint64_t place(const isa::Variable& variable, DeviceAllocator& allocator);
  void initialise(const isa::Variable& variable, std::uint64_t address);

  std::shared_ptr<const isa::Module> module_;
  isa::ModulePlacement placement_;
  std::vector<std::shared_ptr<const isa::Program>> programs_;  ///< per Module::functions; null unless a kernel
  std::vector<InitialBytes> initial_;
};

}  // namespace syncline::platform
