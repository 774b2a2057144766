#include "platform/timed/timed_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "platform/spec/limits.h"

namespace syncline::platform {
namespace {

DeviceConfig config_of(const Gpu& gpu) {
  DeviceConfig config = device_config(gpu.spec());
  config.gpus = gpu.devices();
  config.linked = config.linked || config.gpus == 1;
  config.modules.placed = [&gpu](unsigned device) { return gpu.guest_pages(device); };
  return config;
}

Streams::Order order_of(const Gpu& gpu) {
  return conduct_of(gpu.spec()).launches_in_order ? Streams::Order::launches : Streams::Order::streams;
}

constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 16;

}  // namespace

TimedDevice::TimedDevice(Gpu& gpu, HostProcess& host)
    : DeviceBase(config_of(gpu)),
      host_(host),
      gpu_(gpu),
      timed_machine_(*this),
      streams_(order_of(gpu)),
      changed_((std::string(gpu.basename()) + "_work_ended").c_str()) {
  gpu.serve(*this, map());
}

TimedDevice::TimedDevice(TimedDevice& machine, const DeviceShare& share)
    : DeviceBase(machine, share),
      host_(machine.host_),
      gpu_(machine.gpu_),
      timed_machine_(machine),
      sms_(gpu_.sms_of_device(share.number)),
      streams_(order_of(gpu_), first_handle()) {}

std::unique_ptr<DeviceBase> TimedDevice::make_device(const DeviceShare& share) {
  DeviceShare its = share;
  its.took_pages = [this, number = share.number](std::uint64_t begin, std::uint64_t end) {
    gpu_.give_pages(begin, end, number);
  };
  return std::unique_ptr<DeviceBase>(new TimedDevice(*this, its));
}

void TimedDevice::check_stream(StreamHandle stream) const {
  if (stream != StreamHandle::default_stream) index_of(stream, "stream", streams_.count());
}

void TimedDevice::push(StreamHandle stream, Streams::Start start) {
  const base::Cycle now = gpu_.core_clock().now();
  busy_.begin(now);
  if (!is_machine()) timed_machine_.busy_.begin(now);
  streams_.push(stream, std::move(start));
}

void TimedDevice::ended(Streams::Ticket ticket) {
  const base::Cycle now = gpu_.core_clock().now();
  busy_.end(now);
  if (!is_machine()) timed_machine_.busy_.end(now);
  streams_.ended(ticket);
  timed_machine_.changed_.notify(models::lead_of_turn());
}

void TimedDevice::launch_kernel(KernelHandle kernel, const LaunchConfig& config, const std::vector<Argument>& args) {
  check_stream(config.stream);
  auto& grids = timed_machine_.grids_;
  const base::GridId id(static_cast<std::uint32_t>(grids.size()));
  const auto grid = models::make_grid_launch(id, prepare_launch(kernel, config, args), sms_);
  for (const std::string& said : prepare_grid(gpu_.spec(), *grid)) {
    if (timed_machine_.said_.insert(said).second && timed_machine_.notes_ != nullptr)
      timed_machine_.notes_->push_back(said);
  }
  grids.push_back(grid);
  ++launches_;
  if (!is_machine()) ++timed_machine_.launches_;
  timed_machine_.ctas_launched_ += config.grid.count();
  push(config.stream, [this, id](Streams::Ticket ticket) {
    timed_machine_.grid_began(id);
    gpu_.grids().launch(timed_machine_.grids_[id.value()], [this, ticket](base::GridId over) {
      timed_machine_.grid_ended(over);
      ended(ticket);
    });
  });
}

void TimedDevice::grid_began(base::GridId grid) {
  for (LaunchListener* const listener : launch_listeners_) listener->launch_began(*grids_[grid.value()]);
}

void TimedDevice::grid_ended(base::GridId grid) {
  for (LaunchListener* const listener : launch_listeners_) listener->launch_ended(*grids_[grid.value()]);
  grids_[grid.value()].reset();
}

void TimedDevice::memcpy_peer_async(DevicePointer to, DevicePointer from, std::uint64_t bytes, StreamHandle stream) {
  if (is_machine()) return memcpy_dtod(to, from, bytes, stream);
  check_stream(stream);
  check_range(from, bytes, "memcpy_peer");
  check_range(to, bytes, "memcpy_peer");
  push(stream, [this, to, from, bytes, way = &way_between(to, from)](Streams::Ticket ticket) {
    way->copy({address(to), address(from), bytes, [this, ticket] { ended(ticket); }});
  });
}

/// The copy engine reaches what SMs of this device reach.
models::CopySink& TimedDevice::way_between(DevicePointer to, DevicePointer from) {
  const auto is_own = [this](DevicePointer at) {
    const isa::MemoryMap::Region* const region = map().find(address(at));
    return region != nullptr && region->device == number();
  };
  const bool over_host = !gpu_.spec().modules.linked() && !(is_own(to) && is_own(from));
  return over_host ? gpu_.host_copies(number()) : gpu_.copy_engine(number());
}

void TimedDevice::event_record(EventHandle event, StreamHandle stream) {
  check_stream(stream);
  push(stream, [this, mark = events().record(event, number())](Streams::Ticket ticket) {
    mark->pass();
    ended(ticket);
  });
}

void TimedDevice::stream_wait_event(StreamHandle stream, EventHandle event) {
  check_stream(stream);
  if (events().mark(event)->passed()) return;
  push(stream, [this, mark = events().mark(event)](Streams::Ticket ticket) {
    mark->when_passed([this, ticket] { ended(ticket); });
  });
}

void TimedDevice::event_synchronize(EventHandle event) {
  const auto mark = events().mark(event);
  host_.wait_until([&] { return mark->passed(); }, timed_machine_.changed_);
}

void TimedDevice::stream_synchronize(StreamHandle stream) {
  check_stream(stream);
  host_.wait_until([&] { return streams_.idle(stream); }, timed_machine_.changed_);
}

void TimedDevice::synchronize() {
  host_.wait_until([&] { return !busy(); }, timed_machine_.changed_);
}

void TimedDevice::wait_for_copy(StreamHandle stream, std::uint64_t bytes) {
  stream_synchronize(stream);
  host_.wait_for(copy_time(bytes));
}

sc_core::sc_time TimedDevice::copy_time(std::uint64_t bytes) const {
  return {gpu_.spec().host.copy_seconds(bytes), sc_core::SC_SEC};
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
  const base::Cycle running = busy() ? gpu_.core_clock().now() - busy_.since : 0;
  const models::InstructionCounts instructions = gpu_.instructions(sms_);
  return {busy_.cycles + running, instructions.warps, instructions.threads, launches_};
}

}  // namespace syncline::platform
