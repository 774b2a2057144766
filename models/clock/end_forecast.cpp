#include "models/clock/end_forecast.h"

#include <algorithm>

namespace syncline::models {
namespace {

/// When so few turns are left it is worth asking when they come.
constexpr Tile::Turns few_turns = 16;

std::uint64_t after(std::uint64_t ps, std::uint64_t more) {
  return more > EndForecast::never_ps - ps ? EndForecast::never_ps : ps + more;
}

}  // namespace

EndForecast::EndForecast(std::size_t lanes, std::size_t most_tiles) : turns_(lanes) {
  for (Turns& turns : turns_) turns.reserve(most_tiles);
}

Tile::Turns& EndForecast::follow(const Tile& tile, std::size_t lane) {
  Tile::Turns& turns = turns_[lane].emplace_back(Tile::no_end);
  places_[&tile] = tiles_.size();
  tiles_.push_back({&turns, {}});
  return turns;
}

void EndForecast::add(const Tile& tile, const Ticked& unit) {
  tiles_[places_.at(&tile)].units.push_back(&unit);
  if (tile.kind() != TileKind::joins) return;
  const base::Cycle cycles = unit.wakes_tiles_in();
  if (cycles != base::never)
    woken_in_ps_ = std::min<std::uint64_t>(woken_in_ps_, unit.clock()->length_of(cycles).value());
}

/// Of one tile. It has a turn in a cycle at most.
std::uint64_t EndForecast::first_ps(const Followed& tile, std::uint64_t from_ps, const ClockDomain& clock) const {
  std::uint64_t due_ps = after(from_ps, woken_in_ps_);
  for (const Ticked* const unit : tile.units) {
    due_ps = std::min(due_ps, unit->due_ps());
    if (woken_in_ps_ != never_ps && unit->waits_for_link()) due_ps = from_ps;
  }
  const base::Cycle cycle = clock.cycle_at_or_after_ps(std::max(from_ps, due_ps));
  if (cycle == base::never) return never_ps;
  return clock.ps_of(cycle + std::max<Tile::Turns>(*tile.turns, 1) - 1);
}

std::uint64_t EndForecast::first_ps(WakingEnds ends, std::uint64_t from_ps, const ClockDomain& clock) {
  Tile::Turns soonest = Tile::no_end, latest = 0;
  for (const Turns& of_lane : turns_) {
    for (const Tile::Turns turns : of_lane) {
      soonest = std::min(soonest, turns);
      latest = std::max(latest, turns == Tile::no_end ? Tile::Turns{0} : turns);
    }
  }
  const bool any = ends == WakingEnds::any;
  const Tile::Turns turns = any ? soonest : latest;
  if (turns >= few_turns) return clock.ps_of(clock.cycle_at_or_after_ps(from_ps) + turns - 1);
  // The first of all, or, where only the last one counts, any that is late enough.
  const std::uint64_t soon_ps = clock.ps_of(clock.cycle_at_or_after_ps(from_ps) + 1);
  const std::uint64_t late_ps =
      after(from_ps, std::min<std::uint64_t>(woken_in_ps_, clock.length_of(few_turns).value()));
  std::uint64_t found_ps = any ? never_ps : from_ps;
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const std::size_t place = (sooner_ + i) % tiles_.size();
    const Followed& tile = tiles_[place];
    if (*tile.turns == Tile::no_end || (any && *tile.turns >= few_turns)) continue;
    const std::uint64_t ps = first_ps(tile, from_ps, clock);
    found_ps = any ? std::min(found_ps, ps) : std::max(found_ps, ps);
    if (any ? found_ps > soon_ps : found_ps < late_ps) continue;
    sooner_ = place;
    break;
  }
  return any ? std::min(found_ps, clock.ps_of(clock.cycle_at_or_after_ps(from_ps) + few_turns - 1)) : found_ps;
}

}  // namespace syncline::models
