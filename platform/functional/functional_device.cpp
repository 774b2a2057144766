#include "platform/functional/functional_device.h"

#include <fmt/format.h>

#include <cstring>
#include <iostream>

#include "base/error.h"
#include "isa/ptx/parser.h"
#include "platform/host/memory_signature.h"

namespace syncline::platform {

FunctionalDevice::FunctionalDevice(Config config)
    : config_(std::move(config)), allocator_(config_.memory_bytes),
      emulator_(memory_, allocator_.map(), *this, config_.emulator) {}

FunctionalDevice::~FunctionalDevice() = default;

ModuleHandle FunctionalDevice::add(std::shared_ptr<const isa::Module> module) {
  modules_.push_back(std::make_unique<ModuleImage>(std::move(module), allocator_));
  for (const InitialBytes& piece : modules_.back()->initial())
    std::memcpy(memory_.host(piece.address), piece.bytes.data(), piece.bytes.size());
  return ModuleHandle{static_cast<std::uint32_t>(modules_.size() - 1)};
}

ModuleHandle FunctionalDevice::module_load(const std::string& path) { return add(isa::load_module_file(path)); }

ModuleHandle FunctionalDevice::module_load_text(std::string_view ptx, const std::string& name) {
  return add(isa::parse_module(ptx, name));
}

const ModuleImage& FunctionalDevice::image(ModuleHandle module) const {
  const auto index = static_cast<std::uint32_t>(module);
  if (index >= modules_.size())
    throw base::UserError(fmt::format("module handle {} is not one of the {} modules of this device", index, modules_.size()));
  return *modules_[index];
}

KernelHandle FunctionalDevice::module_get_function(ModuleHandle module, std::string_view kernel) {
  kernels_.push_back(image(module).kernel(kernel));
  return KernelHandle{static_cast<std::uint32_t>(kernels_.size() - 1)};
}

GlobalSymbol FunctionalDevice::module_get_global(ModuleHandle module, std::string_view variable) {
  return image(module).variable(variable);
}

DevicePointer FunctionalDevice::mem_alloc(std::uint64_t bytes) {
  const DevicePointer pointer = allocator_.allocate(bytes);
  memory_.clear(address(pointer), bytes);
  return pointer;
}

void FunctionalDevice::mem_free(DevicePointer pointer) { allocator_.free(pointer); }

void FunctionalDevice::memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  allocator_.check_range(address(to), bytes, "memcpy_htod");
  if (bytes != 0) std::memcpy(memory_.host(address(to)), from, bytes);
}

void FunctionalDevice::memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  rethrow();
  allocator_.check_range(address(from), bytes, "memcpy_dtoh");
  if (bytes != 0) std::memcpy(to, memory_.host(address(from)), bytes);
}

void FunctionalDevice::memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  allocator_.check_range(address(from), bytes, "memcpy_dtod");
  allocator_.check_range(address(to), bytes, "memcpy_dtod");
  if (bytes != 0) std::memmove(memory_.host(address(to)), memory_.host(address(from)), bytes);
}

void FunctionalDevice::memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) {
  check_stream(stream);
  allocator_.check_range(address(to), bytes, "memset_d8");
  if (bytes != 0) std::memset(memory_.host(address(to)), value, bytes);
}

StreamHandle FunctionalDevice::stream_create() { return StreamHandle{streams_++}; }

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

void FunctionalDevice::synchronize() { rethrow(); }

void FunctionalDevice::launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) {
  const auto index = static_cast<std::uint32_t>(kernel);
  if (index >= kernels_.size())
    throw base::UserError(fmt::format("kernel handle {} is not one of the {} kernels of this device", index, kernels_.size()));
  check_stream(config.stream);
  isa::GridContext grid;
  grid.program = kernels_[index];
  check_launch(grid.program->kernel(), config, config_.limits);
  grid.parameters = pack_arguments(grid.program->kernel(), args);
  grid.grid = config.grid;
  grid.block = config.block;
  grid.dynamic_shared_bytes = config.shared_bytes;
  grid.grid_id = grids_++;
  ++totals_.launches;
  if (fault_) return;
  try {
    const isa::LaunchTotals done = emulator_.run(grid);
    totals_.warp_instructions += done.warp_instructions;
    totals_.thread_instructions += done.thread_instructions;
  } catch (const base::ProgramFault&) {
    fault_ = std::current_exception();
  }
}

std::uint64_t FunctionalDevice::memory_signature() {
  MemorySignature signature;
  for (const std::uint64_t begin : allocator_.host_blocks()) {
    const std::uint64_t bytes = allocator_.map().find(begin)->bytes();
    signature.begin(bytes);
    signature.add(memory_.host(begin), bytes);
  }
  return signature.value();
}

void FunctionalDevice::print(std::string_view text) { (config_.output != nullptr ? *config_.output : std::cout) << text; }

std::uint64_t FunctionalDevice::heap_allocate(std::uint64_t bytes) {
  if (bytes == 0 || bytes > config_.heap_bytes - heap_in_use_) return 0;
  const std::uint64_t at = allocator_.place(bytes, 16, fmt::format("device malloc of {} bytes", bytes), true);
  if (at == 0) return 0;
  memory_.clear(at, bytes);
  heap_blocks_.insert(at);
  heap_in_use_ += bytes;
  return at;
}

bool FunctionalDevice::heap_free(std::uint64_t at) {
  if (heap_blocks_.erase(at) == 0) return false;
  heap_in_use_ -= allocator_.map().find(at)->bytes();
  return allocator_.remove(at);
}

}  // namespace syncline::platform
