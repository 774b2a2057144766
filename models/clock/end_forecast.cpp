#include "models/clock/end_forecast.h"

#include <algorithm>

namespace syncline::models {
namespace {

/// When so few turns are left it is worth asking when they come.
constexpr Tile::Turns few_turns = 16;

/// Of so many turns that come from `ps` on, one a cycle at most, the last one; of none the first one.
std::uint64_t turn_ps(const ClockDomain& clock, std::uint64_t ps, Tile::Turns turns) {
  const base::Cycle cycle = clock.cycle_at_or_after_ps(ps);
  return cycle == base::never ? never_ps : clock.ps_of(cycle + std::max<Tile::Turns>(turns, 1) - 1);
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

std::uint64_t EndForecast::first_ps(const Followed& tile, std::uint64_t from_ps, const ClockDomain& clock) const {
  std::uint64_t due_ps = later_ps(from_ps, woken_in_ps_);
  for (const Ticked* const unit : tile.units) {
    due_ps = std::min(due_ps, unit->due_ps());
    if (woken_in_ps_ != never_ps && unit->waits_for_link()) due_ps = from_ps;
  }
  return turn_ps(clock, std::max(from_ps, due_ps), *tile.turns);
}

std::uint64_t EndForecast::first_ps(WakingEnds ends, std::uint64_t from_ps, const ClockDomain& clock) {
  return ends == WakingEnds::any ? any_ps(from_ps, clock) : last_ps(from_ps, clock);
}

std::uint64_t EndForecast::any_ps(std::uint64_t from_ps, const ClockDomain& clock) {
  Tile::Turns soonest = Tile::no_end;
  for (const Turns& of_lane : turns_)
    for (const Tile::Turns turns : of_lane) soonest = std::min(soonest, turns);
  if (soonest >= few_turns) return turn_ps(clock, from_ps, soonest);
  const std::uint64_t soon_ps = turn_ps(clock, from_ps, 2);
  std::uint64_t found_ps = turn_ps(clock, from_ps, few_turns);
  ask_each([&](const Followed& tile) {
    if (*tile.turns < few_turns) found_ps = std::min(found_ps, first_ps(tile, from_ps, clock));
    return found_ps > soon_ps;
  });
  return found_ps;
}

/// Who is not over before it is late enough will do.
std::uint64_t EndForecast::last_ps(std::uint64_t from_ps, const ClockDomain& clock) {
  Tile::Turns latest = 0;
  for (const Turns& of_lane : turns_)
    for (const Tile::Turns turns : of_lane) latest = std::max(latest, turns == Tile::no_end ? Tile::Turns{0} : turns);
  if (latest >= few_turns) return turn_ps(clock, from_ps, latest);
  const std::uint64_t late_ps =
      later_ps(from_ps, std::min<std::uint64_t>(woken_in_ps_, clock.length_of(few_turns).value()));
  std::uint64_t found_ps = from_ps;
  ask_each([&](const Followed& tile) {
    if (*tile.turns != Tile::no_end) found_ps = std::max(found_ps, first_ps(tile, from_ps, clock));
    return found_ps < late_ps;
  });
  return found_ps;
}

template <class Ask>
void EndForecast::ask_each(Ask&& ask) {
  for (std::size_t i = 0; i < tiles_.size(); ++i) {
    const std::size_t place = (asked_first_ + i) % tiles_.size();
    if (ask(tiles_[place])) continue;
    asked_first_ = place;
    return;
  }
}

}  // namespace syncline::models
