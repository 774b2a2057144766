// The host API of one timed GPU.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/seams/sm_host.h"
#include "platform/gpu/gpu.h"
#include "platform/host/device_base.h"
#include "platform/spec/platform_spec.h"
#include "platform/timed/host_process.h"
#include "platform/timed/launch_listener.h"
#include "platform/timed/streams.h"

namespace syncline::platform {

/// A machine of several GPUs (`modules.gpus`) makes a device of each for who asks: their launches go to their SMs, and
/// copies between them to the copy engine of the one whose stream they are in, or over the host where no links join
/// GPUs.
///
/// Copies wait for the earlier work of their stream and then take latency + bytes / bandwidth of the host link;
/// launches return at once. Where a policy asks for it (Conduct) all streams are one, and no copy meets a grid that
/// runs. All calls come from the host program's process.
class TimedDevice final : public DeviceBase, private models::SmHost {
 public:
  /// The device that drives `gpu`, which outlives it, for the program of `host`.
  TimedDevice(Gpu& gpu, HostProcess& host);

  Gpu& gpu() { return gpu_; }
  const Gpu& gpu() const { return gpu_; }

  void memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) override;
  StreamHandle stream_create() override { return streams_.create(); }
  void event_record(EventHandle event, StreamHandle stream) override;
  void stream_wait_event(StreamHandle stream, EventHandle event) override;
  void event_synchronize(EventHandle event) override;
  void memcpy_peer_async(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) override;
  void stream_synchronize(StreamHandle stream) override;
  void launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) override;
  void synchronize() override;
  std::uint32_t warp_size() const override { return gpu_.spec().sm.warp_size; }
  std::uint32_t sm_count() const override { return is_machine() ? gpu_.sms() : sms_.count; }
  DeviceTotals totals() const override;

  /// `listener` outlives the run. Before the program runs.
  void watch_launches(LaunchListener& listener) { launch_listeners_.push_back(&listener); }
  /// Where what policies have to say of launches goes, each thing once. It outlives the device.
  void note_in(std::vector<std::string>& notes) { notes_ = &notes; }
  /// What a copy of so many bytes takes, once it has begun.
  sc_core::sc_time copy_time(std::uint64_t bytes) const;

  /// Work is under way in a stream: a grid, or a copy between devices.
  bool busy() const { return busy_.works != 0; }
  std::uint64_t ctas_launched() const { return ctas_launched_; }
  /// Null when it has ended.
  const models::GridLaunch* grid(base::GridId id) const { return grids_.at(id.value()).get(); }

 private:
  /// How long there has been work.
  struct Busy {
    std::uint64_t works = 0;  ///< in streams
    base::Cycle since = 0, cycles = 0;
    void begin(base::Cycle now) {
      if (works++ == 0) since = now;
    }
    void end(base::Cycle now) {
      if (--works == 0) cycles += now - since;
    }
  };
  TimedDevice(TimedDevice& machine, const DeviceShare& share);
  std::unique_ptr<DeviceBase> make_device(const DeviceShare& share) override;
  void check_stream(StreamHandle stream) const;
  /// Puts work into a stream. It tells `ended` of its ticket.
  void push(StreamHandle stream, Streams::Start start);
  void ended(Streams::Ticket ticket);
  /// What `machine` makes known of a grid.
  void grid_began(base::GridId grid);
  void grid_ended(base::GridId grid);
  models::CopySink& way_between(DevicePointer to, DevicePointer from);
  void wait_for_copy(StreamHandle stream, std::uint64_t bytes);

  void read_bytes(std::uint64_t at, void* to, std::uint64_t bytes) override {
    if (bytes != 0) gpu_.debug_read(at, to, bytes);
  }
  void write_bytes(std::uint64_t at, const void* from, std::uint64_t bytes) override {
    if (bytes != 0) gpu_.debug_write(at, from, bytes);
  }
  void clear_bytes(std::uint64_t at, std::uint64_t bytes) override;

  void debug_read(std::uint64_t at, void* to, std::uint64_t bytes) override { gpu_.debug_read(at, to, bytes); }
  void print(std::string_view text) override { print_text(text); }
  std::uint64_t heap_allocate(std::uint64_t bytes) override { return allocate_on_heap(bytes); }
  bool heap_free(std::uint64_t at) override { return free_on_heap(at); }

  HostProcess& host_;
  Gpu& gpu_;
  TimedDevice& timed_machine_;  ///< itself, where it is not one of several devices
  const models::SmRange sms_;
  Streams streams_;
  std::uint64_t launches_ = 0;
  Busy busy_;  ///< of the SM clock; of a machine, with work of any device
  // Of the machine:
  sc_core::sc_event changed_;                                     ///< work ended
  std::vector<std::shared_ptr<const models::GridLaunch>> grids_;  ///< by GridId; null when it has ended
  std::vector<LaunchListener*> launch_listeners_;
  std::vector<std::string>* notes_ = nullptr;
  std::set<std::string> said_;
  std::uint64_t ctas_launched_ = 0;
};

}  // namespace syncline::platform
