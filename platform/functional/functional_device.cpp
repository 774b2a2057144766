#include "platform/functional/functional_device.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"

namespace syncline::platform {

FunctionalDevice::FunctionalDevice(const Config& config)
    : DeviceBase(config),
      memory_(DeviceAllocator::end_of_addresses(config.memory_bytes)),
      emulator_(memory_, map(), *this, config.emulator) {}

FunctionalDevice::~FunctionalDevice() = default;

void FunctionalDevice::read_bytes(std::uint64_t at, void* to, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(to, memory_.host(at), bytes);
}

void FunctionalDevice::write_bytes(std::uint64_t at, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(memory_.host(at), from, bytes);
}

void FunctionalDevice::memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  check_range(to, bytes, "memcpy_htod");
  write_bytes(address(to), from, bytes);
}

void FunctionalDevice::memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  rethrow();
  check_range(from, bytes, "memcpy_dtoh");
  read_bytes(address(from), to, bytes);
}

void FunctionalDevice::memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  check_range(from, bytes, "memcpy_dtod");
  check_range(to, bytes, "memcpy_dtod");
  if (bytes != 0) std::memmove(memory_.host(address(to)), memory_.host(address(from)), bytes);
}

void FunctionalDevice::memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  check_range(to, bytes, "memset_d8");
  if (bytes != 0) std::memset(memory_.host(address(to)), value, bytes);
}

StreamHandle FunctionalDevice::stream_create() {
  return StreamHandle{streams_++};
}

void FunctionalDevice::check_stream(StreamHandle stream) const {
  if (static_cast<std::uint32_t>(stream) >= streams_)
    throw base::UserError(fmt::format("stream handle {} is not one of the {} streams of this device",
                                      static_cast<std::uint32_t>(stream), streams_));
}

void FunctionalDevice::rethrow() const {
  if (fault_) std::rethrow_exception(fault_);
}

void FunctionalDevice::stream_synchronize(StreamHandle stream) {
  check_stream(stream);
  rethrow();
}

void FunctionalDevice::synchronize() {
  rethrow();
}

void FunctionalDevice::watch(std::function<void(const isa::LaunchProgress&)> watcher) {
  emulator_.watch([this, watcher = std::move(watcher)](const isa::LaunchProgress& launch) {
    watcher({totals_.warp_instructions + launch.warp_instructions, ctas_ended_ + launch.ctas_done,
             ctas_ended_ + launch.ctas});
  });
}

void FunctionalDevice::launch_kernel(KernelHandle kernel, const LaunchConfig& config,
                                     const std::vector<Argument>& args) {
  check_stream(config.stream);
  const isa::GridContext grid = prepare_launch(kernel, config, args);
  ++totals_.launches;
  if (fault_) return;
  try {
    const isa::LaunchTotals done = emulator_.run(grid);
    totals_.warp_instructions += done.warp_instructions;
    totals_.thread_instructions += done.thread_instructions;
    ctas_ended_ += grid.grid.count();
  } catch (const base::ProgramFault&) {
    fault_ = std::current_exception();
  }
}

}  // namespace syncline::platform
