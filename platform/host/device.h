// The host API: what a program on the CPU side does with the GPU, in the style of the CUDA driver API.
//
// Two devices implement it: the timed platform (SystemC; calls are made from the host program's process and take
// simulated time) and the functional emulator (no time). A host program cannot tell which one it talks to.
//
// A machine of several GPUs is one big device to a program that does not ask, and each of them a device to one that
// does: `device(n)` is GPU n, with memory, streams, events and modules of its own. All have one address space. What a
// CUDA program says is said so here:
//
//   cuDeviceGetCount, cuCtxSetCurrent      device_count, device(n): calls say which device they are of
//   cuDeviceCanAccessPeer                  can_access_peer
//   cuCtxEnablePeerAccess                  enable_peer_access
//   cuMemcpyPeer, cuMemcpyPeerAsync        memcpy_peer, memcpy_peer_async
//   cuEventRecord, cuStreamWaitEvent       event_record, stream_wait_event
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
/// Events are known to all devices of a machine.
enum class EventHandle : std::uint32_t {};

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
  std::uint64_t cycles =
      0;  ///< of the SM clock while a launch, or a copy between devices, was under way; 0 on the functional device
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t launches = 0;
};

/// One GPU, or all of a machine as one. Copies and launches are ordered per stream; `memcpy_dtoh` returns when the
/// bytes are there. Errors: UserError for misuse (unknown kernel, wrong arguments, too much shared memory, foreign
/// pointer), ProgramFault for faults of the program that runs.
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
  /// Of all streams; of the big device, those of all devices.
  virtual void synchronize() = 0;

  /// Recorded never: it has happened.
  virtual EventHandle event_create() = 0;
  /// The event happens when the work that `stream` has now is done; what it stood for before is forgotten. UserError
  /// for an event that another device made.
  virtual void event_record(EventHandle event, StreamHandle stream = StreamHandle::default_stream) = 0;
  /// What comes next in `stream` waits for what the event stands for now, of whichever device.
  virtual void stream_wait_event(StreamHandle stream, EventHandle event) = 0;
  virtual void event_synchronize(EventHandle event) = 0;

  /// GPUs of the machine; 1 where there is one.
  virtual unsigned device_count() const { return 1; }
  /// GPU number `number` of the machine, which lives as long as it. UserError: there is none.
  virtual Device& device(unsigned number);
  /// Whether links lead to the memory of `peer` (`modules.topology`). False for itself.
  virtual bool can_access_peer(unsigned peer) const;
  /// Kernels that this device launches from now on may touch the memory of `peer`, over the links. UserError where
  /// there is no way, and when it has been enabled already.
  virtual void enable_peer_access(unsigned peer);
  /// Between memory of any two devices, by the copy engine of this one, as traffic on the links; whoever has access to
  /// whom. Where no links join devices, over the host, in the time of two copies between host and device. Returns at
  /// once. All GPUs as one have no engine: asked of them it is memcpy_dtod.
  virtual void memcpy_peer_async(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
    memcpy_dtod(to, from, bytes, stream);
  }
  /// The same, and returns when the bytes are there.
  void memcpy_peer(DevicePointer to, DevicePointer from, std::uint64_t bytes) {
    memcpy_peer_async(to, from, bytes, StreamHandle::default_stream);
    stream_synchronize(StreamHandle::default_stream);
  }

  virtual std::uint32_t warp_size() const = 0;  ///< threads of a warp, as CUDA's device property of this name
  virtual std::uint32_t ptx_warp_size() const { return 32; }  ///< WARP_SZ of its programs
  /// CUDA's multiProcessorCount. A grid of as many CTAs is resident at once when no other grid runs.
  virtual std::uint32_t sm_count() const = 0;
  /// A policy of the machine executes transactions of global memory.
  virtual bool executes_transactions() const { return false; }
  /// Of shared memory.
  virtual bool executes_shared_transactions() const { return false; }
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

 protected:
  /// UserError, which `call` begins, where the machine has no such device.
  void require_device(const char* call, unsigned number) const;
};

}  // namespace syncline::platform
