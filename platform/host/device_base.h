// What every device does alike: modules, kernels and variables by handle, allocation, the device heap. Where the bytes
// are, and what a launch takes, is the device's own.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "isa/exec/system_call.h"
#include "platform/host/device.h"
#include "platform/host/device_allocator.h"
#include "platform/host/events.h"
#include "platform/host/launch_check.h"
#include "platform/host/module_image.h"

namespace syncline::platform {

/// Limits and places that a device is made with.
struct DeviceConfig {
  DeviceLimits limits;
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::uint64_t heap_bytes = 8 << 20;  ///< for malloc in kernels
  unsigned warp_sz = 32;               ///< WARP_SZ of the programs: 32 or 64
  unsigned gpus = 1;                   ///< devices that a program may tell apart
  bool linked = true;                  ///< links join them
  std::uint64_t page_bytes = 4096;     ///< what one of several takes of the memory at a time
  ModuleRoom modules{};                ///< in which that memory lies
  std::ostream* output = nullptr;      ///< of printf in kernels; null: std::cout
};

/// Base of all devices.
class DeviceBase : public Device {
 public:
  explicit DeviceBase(const DeviceConfig& config)
      : config_(config), machine_(*this), allocator_(config.memory_bytes, config.modules), devices_(config.gpus) {}

  ModuleHandle module_load(const std::string& path) override;
  ModuleHandle module_load_text(std::string_view ptx, const std::string& name) override;
  KernelHandle module_get_function(ModuleHandle module, std::string_view kernel) override;
  GlobalSymbol module_get_global(ModuleHandle module, std::string_view variable) override;
  DevicePointer mem_alloc(std::uint64_t bytes) override;
  void mem_free(DevicePointer pointer) override;
  EventHandle event_create() override { return machine_.events_.create(number()); }
  unsigned device_count() const override { return config_.gpus; }
  Device& device(unsigned number) override;
  bool can_access_peer(unsigned peer) const override;
  void enable_peer_access(unsigned peer) override;
  std::uint32_t ptx_warp_size() const override { return config_.warp_sz; }
  bool executes_transactions() const override {
    return config_.limits.transactions && !config_.limits.transactions_in_shared_memory;
  }
  bool executes_shared_transactions() const override { return config_.limits.transactions_in_shared_memory; }
  /// Of a machine of several GPUs: of all allocations of all devices; of one of these, of its own.
  std::uint64_t memory_signature() override;
  /// UserError, which `call` begins, unless [at, at + bytes) lies within one allocation or variable.
  void check_range(DevicePointer at, std::uint64_t bytes, const char* call) const {
    allocator_.check_range(address(at), bytes, call);
  }
  /// What is known of a kernel. UserError for a handle that is not one of this device.
  const isa::KernelInfo& kernel(KernelHandle kernel) const { return program(kernel)->kernel(); }

 protected:
  /// The bytes themselves, without time; ranges are valid.
  virtual void read_bytes(std::uint64_t address, void* to, std::uint64_t bytes) = 0;
  virtual void write_bytes(std::uint64_t address, const void* from, std::uint64_t bytes) = 0;
  /// New memory reads as zero.
  virtual void clear_bytes(std::uint64_t address, std::uint64_t bytes) = 0;

  /// Checks a launch and makes what its warps share. `grid_id` counts launches.
  isa::GridContext prepare_launch(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args);
  const isa::MemoryMap& map() const { return allocator_.map(); }
  /// One device of several of `machine`, which outlives it.
  DeviceBase(DeviceBase& machine, const DeviceShare& share)
      : config_(machine.config_), machine_(machine), allocator_(machine.allocator_, share) {
    reach_.device = number();
  }
  /// Made when it is asked for first.
  virtual std::unique_ptr<DeviceBase> make_device(const DeviceShare& share) = 0;
  bool is_machine() const { return &machine_ == this; }
  /// Of a machine's device, or `all_devices`.
  isa::DeviceNumber number() const { return allocator_.device(); }
  Events& events() { return machine_.events_; }
  /// Handles of modules, kernels and streams say which device has made them: this, and the index behind.
  std::uint32_t first_handle() const {
    return number() == isa::all_devices ? 0 : (std::uint32_t{number()} + 1) << handle_bits;
  }
  /// The index that a handle stands for. UserError for one of another device, and of nothing.
  template <class Handle>
  std::size_t index_of(Handle handle, const char* what, std::size_t count) const {
    return index_of(static_cast<std::uint32_t>(handle), what, count);
  }

  // isa::SystemServices, for devices that serve them.
  void print_text(std::string_view text);
  std::uint64_t allocate_on_heap(std::uint64_t bytes);
  bool free_on_heap(std::uint64_t at);

 private:
  static constexpr unsigned handle_bits = 24;
  std::size_t index_of(std::uint32_t handle, const char* what, std::size_t count) const;
  ModuleHandle add(std::shared_ptr<const isa::Module> module);
  const ModuleImage& image(ModuleHandle module) const;
  const std::shared_ptr<const isa::Program>& program(KernelHandle kernel) const;

  DeviceConfig config_;
  DeviceBase& machine_;
  DeviceAllocator allocator_;
  Events events_;                                     ///< of the machine
  std::vector<std::unique_ptr<DeviceBase>> devices_;  ///< of the machine; null: nobody has asked for it yet
  isa::Reach reach_;
  std::vector<std::unique_ptr<ModuleImage>> modules_;
  std::vector<std::shared_ptr<const isa::Program>> kernels_;
  std::uint64_t grids_ = 0, heap_in_use_ = 0;
  std::set<std::uint64_t> heap_blocks_;
};

}  // namespace syncline::platform
