// A small host for kernels in tests: memory, launches and results, on the emulator alone.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "isa/exec/emulator/emulator.h"
#include "isa/exec/program.h"
#include "isa/exec/warp.h"

namespace syncline::test {

/// A function that calls itself: n + (n - 1) + ... + 1.
inline constexpr const char* down = R"(
.func (.reg .b32 sum) down(.reg .b32 n)
{
  .reg .b32 %m, %s;
  .reg .pred %q;
  mov.u32 sum, 0;
  setp.eq.u32 %q, n, 0;
  @%q ret;
  sub.u32 %m, n, 1;
  call (%s), down, (%m);
  add.u32 sum, %s, n;
}
)";

class Machine : private isa::SystemServices {
 public:
  explicit Machine(const std::string& ptx, isa::EmulatorConfig config = {},
                   isa::Allocation allocation = isa::Allocation::linear_scan, unsigned warp_sz = 32);

  /// Memory of `count` elements, zeros at first.
  std::uint64_t allocate(std::uint64_t bytes, const std::string& label = "buffer");
  template <class T>
  std::uint64_t upload(const std::vector<T>& values) {
    const std::uint64_t at = allocate(values.size() * sizeof(T));
    std::memcpy(memory_.host(at), values.data(), values.size() * sizeof(T));
    return at;
  }
  template <class T>
  std::vector<T> download(std::uint64_t at, std::size_t count) const {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory_.host(at), count * sizeof(T));
    return values;
  }
  /// Address of a .global or .const variable.
  std::uint64_t variable(const std::string& name) const;

  /// Parameters in order, each aligned to its size.
  template <class... T>
  isa::LaunchTotals run(const std::string& kernel, base::Dim3 grid, base::Dim3 block, const T&... parameters) {
    std::vector<std::uint8_t> block_bytes;
    (append(block_bytes, &parameters, sizeof(T)), ...);
    return launch(kernel, grid, block, std::move(block_bytes));
  }
  isa::LaunchTotals launch(const std::string& kernel, base::Dim3 grid, base::Dim3 block,
                           std::vector<std::uint8_t> parameters);
  std::shared_ptr<const isa::Program> program(const std::string& kernel) const;

  std::uint32_t dynamic_shared_bytes = 0;
  std::string printed;
  isa::Emulator& emulator() { return emulator_; }
  const isa::Module& module() const { return *module_; }

 private:
  static void append(std::vector<std::uint8_t>& to, const void* value, std::size_t bytes) {
    to.resize((to.size() + bytes - 1) / bytes * bytes);
    const auto* from = static_cast<const std::uint8_t*>(value);
    to.insert(to.end(), from, from + bytes);
  }
  void print(std::string_view text) override { printed += text; }
  std::uint64_t heap_allocate(std::uint64_t bytes) override { return bytes > 4096 ? 0 : allocate(bytes, "heap block"); }
  bool heap_free(std::uint64_t address) override;

  std::shared_ptr<const isa::Module> module_;
  isa::ModulePlacement placement_;
  isa::MemoryMap map_;
  isa::FlatMemory memory_;
  isa::Emulator emulator_;
  isa::Allocation allocation_;
  std::uint64_t next_;
  std::uint64_t grids_ = 0;
};

/// What a warp asks of a host that has no time.
struct Clockless final : isa::Environment {
  std::uint64_t clock() override { return 0; }
  std::uint64_t globaltimer() override { return 0; }
};

/// Header of a module for `target`.
std::string module_header(const std::string& target = "sm_107a", const std::string& version = "9.4");

/// A kernel `k(out)` in which every thread runs `body` and stores what it leaves in %r0 to out[global thread number].
/// Registers: %t the thread number, %out the buffer, %at out + 4 * %t, %r0 ... %r15 .b32, %s .b16, %d .b64, %f .f32,
/// %p predicates.
std::string kernel_of(const std::string& body, const std::string& before = "", const std::string& target = "sm_107a",
                      const std::string& version = "9.4");

/// Runs kernel_of(body) with `threads` threads in one CTA and returns what they stored.
std::vector<std::uint32_t> results_of(const std::string& body, unsigned threads = 32, const std::string& before = "",
                                      isa::EmulatorConfig config = {});

/// The message of the base::Error that `body` throws; empty when it throws none.
template <class Body>
std::string error_of(Body&& body) {
  try {
    body();
  } catch (const std::exception& e) {
    return e.what();
  }
  return {};
}

}  // namespace syncline::test
