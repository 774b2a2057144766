// A device with memory that executes nothing: for tests of the host sides.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "platform/host/device.h"

namespace syncline::workloads {

class FakeDevice final : public platform::Device {
 public:
  using Pointer = platform::DevicePointer;
  using Stream = platform::StreamHandle;

  struct LaunchRecord {
    std::string kernel;
    platform::LaunchConfig config;
    std::vector<platform::Argument> arguments;
  };
  std::vector<LaunchRecord> launches;
  std::uint32_t lanes = 32;              ///< of a warp
  bool downloads = true;                 ///< false: the first one after a launch is a ProgramFault
  std::uint64_t symbol_bytes = 1 << 16;  ///< size that every module variable pretends to have

  const std::vector<std::uint8_t>& memory() const { return memory_; }

  platform::ModuleHandle module_load(const std::string&) override { return {}; }
  platform::ModuleHandle module_load_text(std::string_view, const std::string&) override { return {}; }
  platform::KernelHandle module_get_function(platform::ModuleHandle, std::string_view kernel) override {
    kernels_.emplace_back(kernel);
    return platform::KernelHandle(static_cast<std::uint32_t>(kernels_.size() - 1));
  }
  platform::GlobalSymbol module_get_global(platform::ModuleHandle, std::string_view) override {
    return {mem_alloc(symbol_bytes), symbol_bytes};
  }

  Pointer mem_alloc(std::uint64_t bytes) override {
    const Pointer pointer{0x1000 + memory_.size()};
    memory_.resize(memory_.size() + (bytes + 255) / 256 * 256);
    return pointer;
  }
  void mem_free(Pointer) override {}
  void memcpy_htod(Pointer to, const void* from, std::uint64_t bytes, Stream) override {
    std::memcpy(at(to, bytes), from, bytes);
  }
  void memcpy_dtoh(void* to, Pointer from, std::uint64_t bytes, Stream) override {
    if (!downloads && !launches.empty()) throw base::ProgramFault("a download");
    std::memcpy(to, at(from, bytes), bytes);
  }
  void memcpy_dtod(Pointer to, Pointer from, std::uint64_t bytes, Stream) override {
    std::memcpy(at(to, bytes), at(from, bytes), bytes);
  }
  void memset_d8(Pointer to, std::uint8_t value, std::uint64_t bytes, Stream) override {
    std::memset(at(to, bytes), value, bytes);
  }

  Stream stream_create() override { return {}; }
  platform::EventHandle event_create() override { return {}; }
  void event_record(platform::EventHandle, platform::StreamHandle) override {}
  void stream_wait_event(platform::StreamHandle, platform::EventHandle) override {}
  void event_synchronize(platform::EventHandle) override {}
  void stream_synchronize(Stream) override {}
  void launch_kernel(platform::KernelHandle kernel, const platform::LaunchConfig& config,
                     const std::vector<platform::Argument>& args) override {
    launches.push_back({kernels_.at(static_cast<std::size_t>(kernel)), config, args});
  }
  void synchronize() override {}
  std::uint32_t warp_size() const override { return lanes; }
  std::uint32_t sm_count() const override { return 4; }
  platform::DeviceTotals totals() const override { return {}; }
  std::uint64_t memory_signature() override { return 0; }

 private:
  void* at(Pointer pointer, std::uint64_t bytes) {
    const std::uint64_t offset = address(pointer) - 0x1000;
    if (offset + bytes > memory_.size()) throw base::UserError("access outside the allocations");
    return memory_.data() + offset;
  }
  std::vector<std::uint8_t> memory_;
  std::vector<std::string> kernels_;
};

}  // namespace syncline::workloads
