#include "models/copy_engine/host_copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace syncline::models {

HostCopies::HostCopies(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock,
                       Seconds seconds, Memory memory)
    : Block(module_name, context), seconds_(std::move(seconds)), memory_(std::move(memory)) {
  clock.add(*this, TickRank::host, name());
  statistic("copies", "copies", "copies completed", copies_);
  statistic("bytes", "bytes", "bytes that they moved", bytes_);
}

void HostCopies::copy(Copy copy) {
  touched();
  const base::Cycle now = clock()->now();
  waiting_.push_back(std::move(copy));
  if (waiting_.size() == 1) begin(now);
  wake(read_at_);
}

void HostCopies::begin(base::Cycle now) {
  const double seconds = seconds_(waiting_.front().bytes);
  const auto cycles = static_cast<base::Cycle>(std::ceil(seconds * static_cast<double>(clock()->frequency_hz())));
  read_ = false;
  read_at_ = now + std::max<base::Cycle>(1, cycles);
  written_at_ = read_at_ + std::max<base::Cycle>(1, cycles);
  // It may take longer than a machine may be without progress.
  tile().asleep_until = std::max(tile().asleep_until, written_at_);
}

base::Cycle HostCopies::tick(base::Cycle now) {
  if (waiting_.empty()) return base::never;
  if (!read_ && now >= read_at_) {
    const Copy& copy = waiting_.front();
    bytes_on_host_.resize(copy.bytes);
    memory_.read(copy.from, bytes_on_host_.data(), copy.bytes);
    read_ = true;
    ++tile().progress;
  }
  if (read_ && now >= written_at_) end(now);
  if (waiting_.empty()) return base::never;
  return read_ ? written_at_ : read_at_;
}

void HostCopies::end(base::Cycle now) {
  const Copy over = std::move(waiting_.front());
  waiting_.pop_front();
  memory_.write(over.to, bytes_on_host_.data(), over.bytes);
  copies_.add();
  bytes_.add(over.bytes);
  ++tile().progress;
  ++tile().effects;  // a warp may have waited for these bytes
  if (!waiting_.empty()) begin(now);
  over.done();
}

std::vector<std::string> HostCopies::describe_waiting() const {
  if (waiting_.empty()) return {};
  const Copy& copy = waiting_.front();
  return {fmt::format("copies {} bytes from {:#x} to {:#x} over the host, which {} them; {} copies wait behind",
                      copy.bytes, copy.from, copy.to, read_ ? "has" : "waits for", waiting_.size() - 1)};
}

}  // namespace syncline::models
