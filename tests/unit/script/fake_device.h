// A device whose kernels are C++ functions, for tests of what the host side does.
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "platform/host/device.h"

namespace syncline::platform::test {

class FakeDevice : public Device {
 public:
  using Kernel = std::function<void(FakeDevice&, const LaunchConfig&, const std::vector<Argument>&)>;

  std::map<std::string, Kernel> kernels;
  std::map<std::string, std::uint64_t> variables;  ///< name and size, allocated when the module is loaded
  std::string loaded;

  std::uint8_t* at(std::uint64_t address) { return memory_.data() + address; }
  template <class T>
  T value(const Argument& argument) const {
    T result{};
    std::memcpy(&result, argument.data.data(), sizeof result);
    return result;
  }
  GlobalSymbol symbol(const std::string& name) { return module_get_global({}, name); }

  ModuleHandle module_load(const std::string& path) override {
    loaded = path;
    for (const auto& [name, bytes] : variables) symbols_[name] = {mem_alloc(bytes), bytes};
    return {};
  }
  ModuleHandle module_load_text(std::string_view, const std::string& name) override { return module_load(name); }
  KernelHandle module_get_function(ModuleHandle, std::string_view kernel) override {
    std::uint32_t index = 0;
    for (const auto& entry : kernels) {
      if (entry.first == kernel) return KernelHandle{index};
      ++index;
    }
    throw base::UserError("no kernel `" + std::string(kernel) + "`");
  }
  GlobalSymbol module_get_global(ModuleHandle, std::string_view variable) override {
    const auto found = symbols_.find(std::string(variable));
    if (found == symbols_.end()) throw base::UserError("no variable `" + std::string(variable) + "`");
    return found->second;
  }
  DevicePointer mem_alloc(std::uint64_t bytes) override {
    if (bytes > 1 << 20) throw base::UserError("out of memory");
    const std::uint64_t start = (memory_.size() + 255) / 256 * 256 + 256;
    memory_.resize(start + bytes);
    return DevicePointer{start};
  }
  void mem_free(DevicePointer) override {}
  void memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle) override {
    std::memcpy(at(address(to)), from, bytes);
  }
  void memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle) override {
    std::memcpy(to, at(address(from)), bytes);
  }
  void memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle) override {
    std::memmove(at(address(to)), at(address(from)), bytes);
  }
  void memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle) override {
    std::memset(at(address(to)), value, bytes);
  }
  StreamHandle stream_create() override { return StreamHandle::default_stream; }
  EventHandle event_create() override { return {}; }
  void event_record(EventHandle, StreamHandle) override {}
  void stream_wait_event(StreamHandle, EventHandle) override {}
  void event_synchronize(EventHandle) override {}
  void stream_synchronize(StreamHandle) override {}
  void launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) override {
    ++totals_.launches;
    std::next(kernels.begin(), static_cast<std::ptrdiff_t>(kernel))->second(*this, config, args);
  }
  void synchronize() override {}
  std::uint32_t warp_size() const override { return 32; }
  std::uint32_t sm_count() const override { return 1; }
  DeviceTotals totals() const override { return totals_; }
  std::uint64_t memory_signature() override { return 0; }

 private:
  std::vector<std::uint8_t> memory_;
  std::map<std::string, GlobalSymbol> symbols_;
  DeviceTotals totals_;
};

}  // namespace syncline::platform::test
