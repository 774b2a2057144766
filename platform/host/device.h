// The host API: what a program on the CPU side does with the GPU, in the style of the CUDA driver API.
//
// Two devices implement it: the timed platform (SystemC; calls are made from the host program's process and take
// simulated time) and the functional emulator (no time). A host program cannot tell which one it talks to.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "platform/host/argument.h"

namespace syncline::platform {

using base::Dim3;

/// Handles are small indices into the device that made them.
enum class ModuleHandle : std::uint32_t {};
enum class KernelHandle : std::uint32_t {};
enum class StreamHandle : std::uint32_t { default_stream = 0 };

/// A module variable as the host sees it.
struct GlobalSymbol {
  DevicePointer address = DevicePointer::null;
  std::uint64_t bytes = 0;
};

/// A launch: work in one stream runs in order, streams run concurrently.
struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  std::uint32_t shared_bytes = 0;  ///< dynamic shared memory per CTA, in bytes
  StreamHandle stream = StreamHandle::default_stream;
};

/// What a device did so far; the sums that the last line of `syncline run` prints.
struct DeviceTotals {
  std::uint64_t cycles = 0;  ///< of the SM clock while a launch was under way; 0 on the functional device
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t launches = 0;
};

/// One GPU. Copies and launches are ordered per stream; `memcpy_dtoh` returns when the bytes are there.
/// Errors: UserError for misuse (unknown kernel, wrong arguments, too much shared memory, foreign pointer),
/// ProgramFault for faults of the program that runs.
class Device {
 public:
  virtual ~Device() = default;

  virtual ModuleHandle module_load(const std::string& path) = 0;
  virtual ModuleHandle module_load_text(std::string_view ptx, const std::string& name) = 0;
  virtual KernelHandle module_get_function(ModuleHandle module, std::string_view kernel) = 0;
  virtual GlobalSymbol module_get_global(ModuleHandle module, std::string_view variable) = 0;

  virtual DevicePointer mem_alloc(std::uint64_t bytes) = 0;  ///< 256-byte aligned, contents zero
  virtual void mem_free(DevicePointer pointer) = 0;
  virtual void memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes,
                           StreamHandle stream = StreamHandle::default_stream) = 0;
  virtual void memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes,
                           StreamHandle stream = StreamHandle::default_stream) = 0;
  virtual void memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes,
                           StreamHandle stream = StreamHandle::default_stream) = 0;
  virtual void memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes,
                         StreamHandle stream = StreamHandle::default_stream) = 0;

  virtual StreamHandle stream_create() = 0;
  virtual void stream_synchronize(StreamHandle stream) = 0;
  /// Returns at once; faults of the kernel surface at the next synchronising call.
  virtual void launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) = 0;
  virtual void synchronize() = 0;

  virtual std::uint32_t warp_size() const = 0;  ///< threads of a warp, as CUDA's device property of this name
  /// CUDA's multiProcessorCount. A grid of as many CTAs is resident at once when no other grid runs.
  virtual std::uint32_t sm_count() const = 0;
  /// A policy of the machine executes transactions; else kernels that have any are refused.
  virtual bool executes_transactions() const { return false; }
  virtual DeviceTotals totals() const = 0;
  /// Hash over the contents of all live allocations, in address order.
  virtual std::uint64_t memory_signature() = 0;

  // Conveniences over the above.
  template <class T>
  DevicePointer upload(const std::vector<T>& values) {
    const DevicePointer p = mem_alloc(values.size() * sizeof(T));
    memcpy_htod(p, values.data(), values.size() * sizeof(T));
    return p;
  }
  template <class T>
  std::vector<T> download(DevicePointer from, std::size_t count) {
    std::vector<T> values(count);
    memcpy_dtoh(values.data(), from, count * sizeof(T));
    return values;
  }
};

}  // namespace syncline::platform
