// A GPU without time: the emulator behind the host API.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "isa/exec/emulator/emulator.h"
#include "platform/host/device_base.h"

namespace syncline::platform {

/// Everything happens when it is asked for, so streams are trivially in order. A fault of a kernel is kept and thrown
/// by every synchronising call from then on; later launches do nothing.
class FunctionalDevice final : public DeviceBase, private isa::SystemServices {
 public:
  struct Config : DeviceConfig {
    isa::EmulatorConfig emulator;
  };
  FunctionalDevice() : FunctionalDevice(Config()) {}
  explicit FunctionalDevice(const Config& config);
  ~FunctionalDevice() override;

  void memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_peer_async(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  StreamHandle stream_create() override;
  void stream_synchronize(StreamHandle stream) override;
  void event_record(EventHandle event, StreamHandle stream) override;
  void stream_wait_event(StreamHandle stream, EventHandle event) override;
  void event_synchronize(EventHandle event) override;
  void launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) override;
  void synchronize() override;
  std::uint32_t warp_size() const override { return shared_->emulator.config().warp_lanes; }
  std::uint32_t sm_count() const override {
    return shared_->emulator.config().sms / (is_machine() ? 1 : device_count());
  }
  DeviceTotals totals() const override { return is_machine() ? shared_->totals : totals_; }

  /// Is told from time to time, while kernels run, what all launches have done so far.
  void watch(std::function<void(const isa::LaunchProgress&)> watcher);
  /// Observes every instruction of later launches; null ends it.
  void trace(isa::TraceSink* sink) { shared_->emulator.subscribe(sink); }

 private:
  /// What all devices of a machine share.
  struct Machine {
    Machine(const Config& config, const isa::MemoryMap& map, isa::SystemServices& services);
    isa::FlatMemory memory;
    isa::Emulator emulator;
    DeviceTotals totals;
    std::uint64_t ctas_ended = 0;  ///< of the launches that have ended
    std::exception_ptr fault;
  };
  FunctionalDevice(FunctionalDevice& machine, const DeviceShare& share);
  std::unique_ptr<DeviceBase> make_device(const DeviceShare& share) override;
  void move(const char* call, DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream);
  void check_stream(StreamHandle stream) const;
  void rethrow() const;

  void read_bytes(std::uint64_t at, void* to, std::uint64_t bytes) override;
  void write_bytes(std::uint64_t at, const void* from, std::uint64_t bytes) override;
  void clear_bytes(std::uint64_t at, std::uint64_t bytes) override { shared_->memory.clear(at, bytes); }

  void print(std::string_view text) override { print_text(text); }
  std::uint64_t heap_allocate(std::uint64_t bytes) override { return allocate_on_heap(bytes); }
  bool heap_free(std::uint64_t at) override { return free_on_heap(at); }

  std::shared_ptr<Machine> shared_;
  std::uint32_t streams_ = 1;
  DeviceTotals totals_;  ///< of its own launches
};

}  // namespace syncline::platform
