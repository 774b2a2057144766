// A GPU without time: the emulator behind the host API.
#pragma once

#include <exception>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/exec/emulator/emulator.h"
#include "platform/host/device.h"
#include "platform/host/device_allocator.h"
#include "platform/host/launch_check.h"
#include "platform/host/module_image.h"

namespace syncline::platform {

/// Everything happens when it is asked for, so streams are trivially in order. A fault of a kernel is kept and thrown
/// by every synchronising call from then on; later launches do nothing.
class FunctionalDevice final : public Device, private isa::SystemServices {
 public:
  struct Config {
    isa::EmulatorConfig emulator;
    DeviceLimits limits;
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;
    std::uint64_t heap_bytes = 8 << 20;   ///< for malloc in kernels
    std::ostream* output = nullptr;       ///< of printf in kernels; null: std::cout
  };
  FunctionalDevice() : FunctionalDevice(Config()) {}
  explicit FunctionalDevice(Config config);
  ~FunctionalDevice() override;

  ModuleHandle module_load(const std::string& path) override;
  ModuleHandle module_load_text(std::string_view ptx, const std::string& name) override;
  KernelHandle module_get_function(ModuleHandle module, std::string_view kernel) override;
  GlobalSymbol module_get_global(ModuleHandle module, std::string_view variable) override;
  DevicePointer mem_alloc(std::uint64_t bytes) override;
  void mem_free(DevicePointer pointer) override;
  void memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) override;
  StreamHandle stream_create() override;
  void stream_synchronize(StreamHandle stream) override;
  void launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) override;
  void synchronize() override;
  DeviceTotals totals() const override { return totals_; }
  std::uint64_t memory_signature() override;

  /// Observes every instruction of later launches; null ends it.
  void trace(isa::TraceSink* sink) { emulator_.subscribe(sink); }

 private:
  ModuleHandle add(std::shared_ptr<const isa::Module> module);
  const ModuleImage& image(ModuleHandle module) const;
  void check_stream(StreamHandle stream) const;
  void rethrow() const;

  void print(std::string_view text) override;
  std::uint64_t heap_allocate(std::uint64_t bytes) override;
  bool heap_free(std::uint64_t address) override;

  Config config_;
  DeviceAllocator allocator_;
  isa::FlatMemory memory_;
  isa::Emulator emulator_;
  std::vector<std::unique_ptr<ModuleImage>> modules_;
  std::vector<std::shared_ptr<const isa::Program>> kernels_;
  std::uint32_t streams_ = 1;
  std::uint64_t grids_ = 0, heap_in_use_ = 0;
  std::set<std::uint64_t> heap_blocks_;
  DeviceTotals totals_;
  std::exception_ptr fault_;
};

}  // namespace syncline::platform
