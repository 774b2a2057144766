#include "isa/exec/emulator/emulator.h"

#include <algorithm>
#include <deque>
#include <limits>

#include "isa/exec/emulator/cta.h"

namespace syncline::isa {

Emulator::Emulator(FlatMemory& memory, const MemoryMap& map, SystemServices& services, EmulatorConfig config)
    : memory_(memory), map_(map), services_(services), config_(std::move(config)) {}

Emulator::~Emulator() = default;

std::unique_ptr<EmulatedCta> Emulator::take_cta() {
  if (idle_.empty()) return std::make_unique<EmulatedCta>(*this);
  std::unique_ptr<EmulatedCta> cta = std::move(idle_.back());
  idle_.pop_back();
  return cta;
}

/// CTAs start in order; one that does not end within its slice stays resident, and the next one starts beside it. So
/// CTAs that wait for each other make progress, and a grid of independent ones keeps a single CTA's memory warm.
LaunchTotals Emulator::run(const GridContext& grid) {
  totals_ = {};
  if (sink_ != nullptr) sink_->begins(grid);
  limit_ = clock_ + std::min(config_.instruction_limit, std::numeric_limits<std::uint64_t>::max() - clock_);
  std::deque<std::unique_ptr<EmulatedCta>> resident;
  const std::uint64_t count = grid.grid.count();
  std::uint64_t started = 0;
  bool looks = false;
  effect_at_ = clock_;
  while (started < count || !resident.empty()) {
    if (started < count && resident.size() < config_.resident_ctas) {
      std::unique_ptr<EmulatedCta> cta = take_cta();
      base::Dim3 index;
      index.x = static_cast<std::uint32_t>(started % grid.grid.x);
      index.y = static_cast<std::uint32_t>(started / grid.grid.x % grid.grid.y);
      index.z = static_cast<std::uint32_t>(started / (std::uint64_t{grid.grid.x} * grid.grid.y));
      cta->start(grid, index);
      ++started;
      ++effects_;
      resident.push_front(std::move(cta));
    }
    std::unique_ptr<EmulatedCta> cta = std::move(resident.front());
    resident.pop_front();
    if (cta->run(config_.cta_slice, looks))
      idle_.push_back(std::move(cta));
    else
      resident.push_back(std::move(cta));
    looks = nothing_happens();
    // Once every CTA has had a turn in which nothing happened, and all of them only wait, nothing ever will.
    if (looks && std::all_of(resident.begin(), resident.end(), [](const auto& c) { return c->only_waits(); }))
      for (const auto& c : resident) c->require_no_spin();
    if (watcher_) watcher_({totals_.warp_instructions, started - resident.size(), count});
  }
  if (sink_ != nullptr) sink_->ended();
  return totals_;
}

bool Emulator::nothing_happens() {
  if (effects_ != effects_seen_) {
    effects_seen_ = effects_;
    effect_at_ = clock_;
  }
  return clock_ - effect_at_ >= config_.spin_window;
}

}  // namespace syncline::isa
