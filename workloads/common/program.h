// The host side's view of one loaded module: the launches of a workload read as in CUDA.
#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"
#include "workloads/common/workload.h"

namespace syncline::workloads {

using platform::DevicePointer;
using platform::Dim3;

/// Number of CTAs of `block` threads that cover `n` threads.
constexpr std::uint32_t cta_count(std::uint64_t n, std::uint32_t block) {
  return static_cast<std::uint32_t>((n + block - 1) / block);
}

/// The value that belongs to the size of the run.
template <class T>
constexpr T by_size(Size size, T small, T medium, T large, T paper) {
  return size == Size::small ? small : size == Size::medium ? medium : size == Size::large ? large : paper;
}
/// The same for a program that the registry lists without `Size::paper`; ModelError when it is run with it.
template <class T>
constexpr T by_size(Size size, T small, T medium, T large) {
  if (size == Size::paper) throw base::ModelError("a program has a size for which it says no value");
  return by_size(size, small, medium, large, large);
}

/// Of a program whose CTAs hand over by flags, by its option `scope`: 1 if these are of the system's scope, 0 if of a
/// GPU's.
inline std::uint32_t system_scope(const Context& context) {
  return context.choice("scope") == "sys" ? 1 : 0;
}

/// Extents of a launch.
struct Launch {
  Dim3 grid;
  Dim3 block;
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory per CTA, in bytes
};

/// `block` threads a CTA, as many CTAs as cover `threads`.
constexpr Launch covering(std::uint64_t threads, std::uint32_t block) {
  return {{cta_count(threads, block), 1, 1}, {block, 1, 1}, 0};
}

/// A module on a device. Buffers stay allocated after the run: the memory signature covers them.
class Program {
 public:
  explicit Program(const Context& context) : device_(context.device), module_(device_.module_load(context.ptx)) {}

  template <class T>
  DevicePointer upload(const std::vector<T>& values) {
    return device_.upload(values);
  }
  template <class T>
  DevicePointer allocate(std::size_t count) {
    return device_.mem_alloc(count * sizeof(T));
  }
  template <class T>
  std::vector<T> download(DevicePointer from, std::size_t count) {
    if (count == 0) return {};
    return device_.download<T>(from, count);
  }
  template <class T>
  T read(DevicePointer from) {
    T value{};
    device_.memcpy_dtoh(&value, from, sizeof(T));
    return value;
  }
  template <class T>
  void write(DevicePointer to, const T& value) {
    device_.memcpy_htod(to, &value, sizeof(T));
  }
  /// Fills the module variable from its start; UserError when the values do not fit into it.
  template <class T>
  void set_symbol(std::string_view variable, const std::vector<T>& values) {
    const platform::GlobalSymbol symbol = device_.module_get_global(module_, variable);
    if (values.size() * sizeof(T) > symbol.bytes)
      throw base::UserError("module variable `" + std::string(variable) + "` holds " + std::to_string(symbol.bytes) +
                            " bytes, not " + std::to_string(values.size() * sizeof(T)));
    device_.memcpy_htod(symbol.address, values.data(), values.size() * sizeof(T));
  }

  /// Queues kernel `name` with the arguments in the order of its parameters.
  template <class... Args>
  void launch(std::string_view name, const Launch& extents, const Args&... args) {
    device_.launch_kernel(device_.module_get_function(module_, name),
                          {extents.grid, extents.block, extents.shared_bytes}, platform::arguments(args...));
  }

 private:
  platform::Device& device_;
  platform::ModuleHandle module_;
};

}  // namespace syncline::workloads
