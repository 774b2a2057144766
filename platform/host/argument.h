// Arguments of a kernel launch, with enough of their C++ type to be checked against the kernel's .param list.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace syncline::platform {

/// Address in device memory. Allocations lie below 4 GiB as long as they fit, for programs that keep 32 bits of them.
enum class DevicePointer : std::uint64_t { null = 0 };

constexpr DevicePointer operator+(DevicePointer p, std::uint64_t bytes) {
  return DevicePointer{static_cast<std::uint64_t>(p) + bytes};
}
constexpr std::uint64_t address(DevicePointer p) {
  return static_cast<std::uint64_t>(p);
}

/// One argument: its bytes and what kind of value they are.
struct Argument {
  enum class Kind : std::uint8_t { integer, floating, pointer, bytes };
  Kind kind = Kind::bytes;
  std::vector<std::uint8_t> data;

  template <class T>
  static Argument of(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "kernel arguments are copied as bytes");
    Argument a;
    if constexpr (std::is_same_v<T, DevicePointer>)
      a.kind = Kind::pointer;
    else if constexpr (std::is_floating_point_v<T>)
      a.kind = Kind::floating;
    else if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      a.kind = Kind::integer;
    a.data.resize(sizeof(T));
    std::memcpy(a.data.data(), &value, sizeof(T));
    return a;
  }
};

/// `arguments(pointer, 5, 1.5F)` in the order of the kernel's parameters.
template <class... T>
std::vector<Argument> arguments(const T&... values) {
  return {Argument::of(values)...};
}

}  // namespace syncline::platform
