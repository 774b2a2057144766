#include "platform/timed/timed_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/spec/limits.h"

namespace syncline::platform {
namespace {

DeviceConfig device_config(const PlatformSpec& spec) {
  DeviceConfig config;
  config.limits = limits_of(spec);
  config.memory_bytes = spec.host.memory;
  config.heap_bytes = spec.host.heap;
  return config;
}

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 16;

}  // namespace

TimedDevice::TimedDevice(Gpu& gpu, HostProcess& host)
    : DeviceBase(device_config(gpu.spec())),
      host_(host),
      gpu_(gpu),
      streams_([this](base::GridId grid) { start(grid); },
               conduct_of(gpu.spec()).launches_in_order ? Streams::Order::launches : Streams::Order::streams),
      changed_((std::string(gpu.basename()) + "_grid_ended").c_str()) {
  gpu.serve(*this, map());
}

void TimedDevice::launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) {
  streams_.check(config.stream);
  const base::GridId id(static_cast<std::uint32_t>(grids_.size()));
  grids_.push_back(models::make_grid_launch(id, prepare_launch(kernel, config, args)));
  ++launches_;
  ctas_launched_ += config.grid.count();
  if (!busy()) busy_since_ = gpu_.core_clock().now();
  streams_.push(config.stream, id);
}

void TimedDevice::start(base::GridId grid) {
  for (LaunchListener* const listener : launch_listeners_) listener->launch_began(*grids_[grid.value()]);
  gpu_.grids().launch(grids_[grid.value()], [this](base::GridId id) { ended(id); });
}

void TimedDevice::ended(base::GridId grid) {
  for (LaunchListener* const listener : launch_listeners_) listener->launch_ended(*grids_[grid.value()]);
  grids_[grid.value()].reset();
  streams_.ended(grid);
  if (!busy()) busy_cycles_ += gpu_.core_clock().now() - busy_since_;
  changed_.notify(sc_core::SC_ZERO_TIME);
}

void TimedDevice::stream_synchronize(StreamHandle stream) {
  streams_.check(stream);
  host_.wait_until([&] { return streams_.idle(stream); }, changed_);
}

void TimedDevice::synchronize() {
  host_.wait_until([&] { return streams_.all_idle(); }, changed_);
}

void TimedDevice::wait_for_copy(StreamHandle stream, std::uint64_t bytes) {
  stream_synchronize(stream);
  host_.wait_for(copy_time(bytes));
}

sc_core::sc_time TimedDevice::copy_time(std::uint64_t bytes) const {
  const HostSpec& host = gpu_.spec().host;
  return {host.copy_latency + static_cast<double>(bytes) / host.copy_bandwidth, sc_core::SC_SEC};
}

void TimedDevice::memcpy_htod(DevicePointer to, const void* from, std::uint64_t bytes, StreamHandle stream) {
  check_range(to, bytes, "memcpy_htod");
  wait_for_copy(stream, bytes);
  write_bytes(address(to), from, bytes);
}

void TimedDevice::memcpy_dtoh(void* to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_range(from, bytes, "memcpy_dtoh");
  wait_for_copy(stream, bytes);
  read_bytes(address(from), to, bytes);
}

void TimedDevice::memcpy_dtod(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  check_range(from, bytes, "memcpy_dtod");
  check_range(to, bytes, "memcpy_dtod");
  wait_for_copy(stream, bytes);
  std::vector<std::uint8_t> values(bytes);
  read_bytes(address(from), values.data(), bytes);
  write_bytes(address(to), values.data(), bytes);
}

void TimedDevice::memset_d8(DevicePointer to, std::uint8_t value, std::uint64_t bytes, StreamHandle stream) {
  check_range(to, bytes, "memset_d8");
  wait_for_copy(stream, 0);
  const std::vector<std::uint8_t> piece(std::min(bytes, piece_bytes), value);
  for (std::uint64_t done = 0; done < bytes; done += piece.size())
    write_bytes(address(to) + done, piece.data(), std::min<std::uint64_t>(piece.size(), bytes - done));
}

void TimedDevice::clear_bytes(std::uint64_t at, std::uint64_t bytes) {
  if (bytes == 0) return;
  // Memory that was never written reads as zero and costs no host memory: only what somebody has used is overwritten.
  std::vector<std::uint8_t> old(std::min(bytes, piece_bytes));
  const std::vector<std::uint8_t> zeros(old.size(), 0);
  for (std::uint64_t done = 0; done < bytes; done += old.size()) {
    const std::uint64_t part = std::min<std::uint64_t>(old.size(), bytes - done);
    read_bytes(at + done, old.data(), part);
    if (std::any_of(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(part),
                    [](std::uint8_t b) { return b != 0; }))
      write_bytes(at + done, zeros.data(), part);
  }
}

DeviceTotals TimedDevice::totals() const {
  const base::Cycle running = busy() ? gpu_.core_clock().now() - busy_since_ : 0;
  return {busy_cycles_ + running, gpu_.warp_instructions(), gpu_.thread_instructions(), launches_};
}

}  // namespace syncline::platform
