#include "platform/functional/functional_device.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"

namespace syncline::platform {

FunctionalDevice::FunctionalDevice(const Config& config)
    : DeviceBase(config), shared_(std::make_shared<Machine>(config, map(), static_cast<isa::SystemServices&>(*this))) {}

FunctionalDevice::FunctionalDevice(FunctionalDevice& machine, const DeviceShare& share)
    : DeviceBase(machine, share), shared_(machine.shared_) {}

FunctionalDevice::Machine::Machine(const Config& config, const isa::MemoryMap& map, isa::SystemServices& services)
    : memory(DeviceAllocator::end_of_addresses(config.memory_bytes)),
      emulator(memory, map, services, config.emulator) {}

std::unique_ptr<DeviceBase> FunctionalDevice::make_device(const DeviceShare& share) {
  return std::unique_ptr<DeviceBase>(new FunctionalDevice(*this, share));
}

FunctionalDevice::~FunctionalDevice() = default;

void FunctionalDevice::read_bytes(std::uint64_t at, void* to, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(to, shared_->memory.host(at), bytes);
}

void FunctionalDevice::write_bytes(std::uint64_t at, const void* from, std::uint64_t bytes) {
  if (bytes != 0) std::memcpy(shared_->memory.host(at), from, bytes);
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

void FunctionalDevice::move(const char* call, DevicePointer to, DevicePointer from, std::uint64_t bytes,
                            StreamHandle stream) {
  check_stream(stream);
  check_range(from, bytes, call);
  check_range(to, bytes, call);
  if (bytes != 0) std::memmove(shared_->memory.host(address(to)), shared_->memory.host(address(from)), bytes);
}

void FunctionalDevice::memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  move("memcpy_dtod", to, from, bytes, stream);
}

void FunctionalDevice::memcpy_peer_async(DevicePointer to, DevicePointer from, std::uint64_t bytes,
                                         StreamHandle stream) {
  move("memcpy_peer", to, from, bytes, stream);
}

void FunctionalDevice::memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  check_range(to, bytes, "memset_d8");
  if (bytes != 0) std::memset(shared_->memory.host(address(to)), value, bytes);
}

StreamHandle FunctionalDevice::stream_create() {
  return StreamHandle{first_handle() + streams_++};
}

void FunctionalDevice::check_stream(StreamHandle stream) const {
  if (stream != StreamHandle::default_stream) index_of(stream, "stream", streams_);
}

void FunctionalDevice::rethrow() const {
  if (shared_->fault) std::rethrow_exception(shared_->fault);
}

void FunctionalDevice::stream_synchronize(StreamHandle stream) {
  check_stream(stream);
  rethrow();
}

void FunctionalDevice::synchronize() {
  rethrow();
}

void FunctionalDevice::event_record(EventHandle event, StreamHandle stream) {
  check_stream(stream);
  events().record(event, number())->pass();
}

void FunctionalDevice::stream_wait_event(StreamHandle stream, EventHandle event) {
  check_stream(stream);
  events().mark(event);
}

void FunctionalDevice::event_synchronize(EventHandle event) {
  events().mark(event);
  rethrow();
}

void FunctionalDevice::watch(std::function<void(const isa::LaunchProgress&)> watcher) {
  shared_->emulator.watch([machine = shared_.get(), watcher = std::move(watcher)](const isa::LaunchProgress& launch) {
    watcher({machine->totals.warp_instructions + launch.warp_instructions, machine->ctas_ended + launch.ctas_done,
             machine->ctas_ended + launch.ctas});
  });
}

void FunctionalDevice::launch_kernel(KernelHandle kernel, const LaunchConfig& config,
                                     const std::vector<Argument>& args) {
  check_stream(config.stream);
  const isa::GridContext grid = prepare_launch(kernel, config, args);
  ++totals_.launches;
  ++shared_->totals.launches;
  if (shared_->fault) return;
  try {
    const isa::LaunchTotals done = shared_->emulator.run(grid);
    for (DeviceTotals* const totals : {&totals_, &shared_->totals}) {
      totals->warp_instructions += done.warp_instructions;
      totals->thread_instructions += done.thread_instructions;
    }
    shared_->ctas_ended += grid.grid.count();
  } catch (const base::ProgramFault&) {
    shared_->fault = std::current_exception();
  }
}

}  // namespace syncline::platform
