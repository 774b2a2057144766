#include "platform/host/device_base.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "isa/ptx/parser.h"
#include "platform/host/memory_signature.h"

namespace syncline::platform {
namespace {

/// What a block takes of the heap: whole units, and one that says how long it is. So the number of blocks is bounded
/// too.
constexpr std::uint64_t heap_share(std::uint64_t bytes) {
  constexpr std::uint64_t unit = 16;
  return (bytes + unit - 1) / unit * unit + unit;
}

}  // namespace

ModuleHandle DeviceBase::add(std::shared_ptr<const isa::Module> module) {
  modules_.push_back(std::make_unique<ModuleImage>(std::move(module), allocator_));
  for (const InitialBytes& piece : modules_.back()->initial())
    write_bytes(piece.address, piece.bytes.data(), piece.bytes.size());
  return ModuleHandle{first_handle() + static_cast<std::uint32_t>(modules_.size() - 1)};
}

ModuleHandle DeviceBase::module_load(const std::string& path) {
  return add(isa::load_module_file(path, config_.warp_sz));
}

ModuleHandle DeviceBase::module_load_text(std::string_view ptx, const std::string& name) {
  return add(isa::parse_module(ptx, name, config_.warp_sz));
}

const ModuleImage& DeviceBase::image(ModuleHandle module) const {
  return *modules_[index_of(module, "module", modules_.size())];
}

KernelHandle DeviceBase::module_get_function(ModuleHandle module, std::string_view kernel) {
  kernels_.push_back(image(module).kernel(kernel));
  return KernelHandle{first_handle() + static_cast<std::uint32_t>(kernels_.size() - 1)};
}

GlobalSymbol DeviceBase::module_get_global(ModuleHandle module, std::string_view variable) {
  return image(module).variable(variable);
}

DevicePointer DeviceBase::mem_alloc(std::uint64_t bytes) {
  const DevicePointer pointer = allocator_.allocate(bytes);
  clear_bytes(address(pointer), allocator_.reused());
  return pointer;
}

void DeviceBase::mem_free(DevicePointer pointer) {
  allocator_.free(pointer);
}

const std::shared_ptr<const isa::Program>& DeviceBase::program(KernelHandle kernel) const {
  return kernels_[index_of(kernel, "kernel", kernels_.size())];
}

std::size_t DeviceBase::index_of(std::uint32_t handle, const char* what, std::size_t count) const {
  const std::uint32_t maker = handle >> handle_bits, index = handle & ((1U << handle_bits) - 1);
  if (maker != first_handle() >> handle_bits)
    throw base::UserError(
        fmt::format("{} handle {} is of {}, and not of this one", what, index,
                    maker == 0 ? std::string("the device that is all GPUs") : fmt::format("device {}", maker - 1)));
  if (index >= count)
    throw base::UserError(
        fmt::format("{} handle {} is not one of the {} {}s of this device", what, index, count, what));
  return index;
}

Device& DeviceBase::device(unsigned number) {
  if (!is_machine()) return machine_.device(number);
  require_device("device", number);
  if (device_count() == 1) return *this;
  if (devices_[number] == nullptr)
    devices_[number] = make_device(
        {static_cast<isa::DeviceNumber>(number), config_.memory_bytes / device_count(), config_.page_bytes, nullptr});
  return *devices_[number];
}

bool DeviceBase::can_access_peer(unsigned peer) const {
  require_device("can_access_peer", peer);
  return !is_machine() && peer != number() && config_.linked;
}

void DeviceBase::enable_peer_access(unsigned peer) {
  if (is_machine() && device_count() == 1) return Device::enable_peer_access(peer);
  require_device("enable_peer_access", peer);
  const auto refuse = [&](const std::string& message) {
    throw base::UserError(fmt::format("enable_peer_access({}): {}", peer, message));
  };
  if (is_machine()) refuse("asked of all GPUs together, which reach all memory; ask a device of `device`");
  if (peer == number()) refuse("a device has access to its own memory");
  if (!config_.linked)
    refuse(
        fmt::format("no link leads from device {} to device {} (`modules.topology` is `none`), as can_access_peer "
                    "says; memcpy_peer copies over the host",
                    number(), peer));
  const std::uint64_t bit = std::uint64_t{1} << peer;
  if ((reach_.peers & bit) != 0) refuse(fmt::format("device {} has it already", number()));
  reach_.peers |= bit;
}

isa::GridContext DeviceBase::prepare_launch(KernelHandle kernel, const LaunchConfig& config,
                                            const std::vector<Argument>& args) {
  isa::GridContext grid;
  grid.program = program(kernel);
  if (is_machine() && device_count() > 1 && !config_.linked)
    throw base::UserError(
        fmt::format("launch of kernel `{}` on {} GPUs as one device: no links join them (`modules.topology` is "
                    "`none`), so a launch has to be on one of them, of Device::device or, in a script, of `device`",
                    grid.program->kernel().name, device_count()));
  check_launch(grid.program->kernel(), config, config_.limits);
  grid.parameters = pack_arguments(grid.program->kernel(), args);
  grid.grid = config.grid;
  grid.block = config.block;
  grid.dynamic_shared_bytes = config.shared_bytes;
  grid.grid_id = grids_++;
  grid.reach = reach_;
  grid.reach.linked = config_.linked;
  return grid;
}

std::uint64_t DeviceBase::memory_signature() {
  MemorySignature signature;
  std::vector<std::uint8_t> piece(std::size_t{1} << 16);
  for (const std::uint64_t begin : allocator_.host_blocks()) {
    const isa::MemoryMap::Region& region = *allocator_.map().find(begin);
    if (number() != isa::all_devices && region.device != number()) continue;
    const std::uint64_t bytes = region.bytes();
    signature.begin(bytes);
    for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
      const std::uint64_t part = std::min<std::uint64_t>(piece.size(), bytes - done);
      read_bytes(begin + done, piece.data(), part);
      signature.add(piece.data(), part);
    }
  }
  return signature.value();
}

void DeviceBase::print_text(std::string_view text) {
  (config_.output != nullptr ? *config_.output : std::cout) << text;
}

std::uint64_t DeviceBase::allocate_on_heap(std::uint64_t bytes) {
  if (bytes == 0 || bytes > config_.heap_bytes || heap_share(bytes) > config_.heap_bytes - heap_in_use_) return 0;
  const std::uint64_t at = allocator_.place(bytes, 16, fmt::format("device malloc of {} bytes", bytes), true);
  if (at == 0) return 0;
  clear_bytes(at, allocator_.reused());
  heap_blocks_.insert(at);
  heap_in_use_ += heap_share(bytes);
  return at;
}

bool DeviceBase::free_on_heap(std::uint64_t at) {
  if (heap_blocks_.erase(at) == 0) return false;
  heap_in_use_ -= heap_share(allocator_.map().find(at)->bytes());
  return allocator_.remove(at);
}

}  // namespace syncline::platform
