#include "models/clock/side_by_side.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/round_up.h"
#include "models/block/block.h"

namespace syncline::models {
namespace {

/// Fewer turns than these are done sooner by this thread than handed over.
constexpr std::int64_t worth_a_thread = 2;

/// Whose turn it is when `unit` has its; null: of somebody who is no block.
Tile* tile_of(const Ticked& unit) {
  const auto* const block = dynamic_cast<const Block*>(&unit);
  return block == nullptr ? nullptr : &block->tile();
}

/// Of `count` in a row the one with that number. The first lane, whose thread has the sequential part too, has none
/// more than others.
std::size_t lane_of_part(std::size_t number, std::size_t count, std::size_t lanes) {
  return lanes - 1 - (count - 1 - number) * lanes / count;
}

/// The same of tiles that meet in the sequential part at every step: the first lane has half as many again as others,
/// for what that part has told its tiles is at hand for its thread, and the others have to fetch it.
std::size_t lane_of_tile(std::size_t number, std::size_t count, std::size_t lanes) {
  constexpr std::size_t of_first = 3, of_another = 2;
  const std::size_t place = (2 * number + 1) * (of_another * (lanes - 1) + of_first) / (2 * count);
  return place < of_first ? 0 : std::min(lanes - 1, 1 + (place - of_first) / of_another);
}

/// Tiles of a kind, in the order of their turns. Those that are of the sequential part are none of them.
using Kinds = std::vector<std::vector<Tile*>>;

struct ModulesOfTiles {
  unsigned count = 0;       ///< 0: there are tiles that are in none
  unsigned of_network = 1;  ///< the most that something joins, as a GPU's network does its modules
};

ModulesOfTiles modules_of(const Kinds& kinds) {
  ModulesOfTiles modules;
  bool all = true;
  for (const std::vector<Tile*>& kind : kinds) {
    for (const Tile* const tile : kind) {
      if (tile->kind() == TileKind::far) continue;
      const TilePlace place = tile->place();
      modules.count = std::max(modules.count, place.last);
      modules.of_network = std::max(modules.of_network, place.last - place.first);
      all = all && place.last != 0;
    }
  }
  if (!all) modules.count = 0;
  return modules;
}

}  // namespace

SideBySide::SideBySide(Scheduler& scheduler, unsigned threads) : scheduler_(scheduler) {
  Kinds kinds(tick_ranks);
  std::unordered_set<const Tile*> known;
  for (const auto& domain : scheduler.domains()) {
    for (const ClockDomain::Entry& entry : domain->entries_) {
      Tile* const tile = tile_of(*entry.unit);
      if (tile != nullptr && !tile->is_sequential() && known.insert(tile).second)
        kinds[static_cast<std::size_t>(entry.rank)].push_back(tile);
    }
  }
  // Neighbours share a lane, and so do the tiles of modules, if there are enough. Else tiles of different kinds are
  // divided apart from each other.
  const ModulesOfTiles modules = modules_of(kinds);
  const bool by_modules = threads <= modules.count;
  std::size_t most = 1;
  for (const std::vector<Tile*>& kind : kinds) most = std::max(most, kind.size());
  threads_ = static_cast<unsigned>(std::min<std::size_t>(threads, most));
  // Of fewer threads than GPUs one that has less to do takes a lane over from another one.
  const unsigned gpus = modules.count / modules.of_network;
  const unsigned lanes = by_modules && threads_ < gpus ? std::min(gpus, max_lanes) : threads_;
  for (unsigned i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(scheduler, i));
  ends_ = std::make_unique<EndForecast>(lanes, known.size());
  LaneOf lane_of;
  std::size_t next_far = 0;
  for (const std::vector<Tile*>& kind : kinds) {
    for (std::size_t i = 0; i < kind.size(); ++i) {
      Tile& tile = *kind[i];
      std::size_t lane = 0;
      if (!by_modules) {
        if (tile.kind() != TileKind::beside) continue;
        lane = lane_of_tile(i, kind.size(), lanes);
      } else if (tile.kind() == TileKind::far) {
        lane = next_far++ % lanes;
      } else {
        lane = lane_of_part(tile.place().first, modules.count, lanes);
        if (lane != lane_of_part(tile.place().last - 1, modules.count, lanes)) continue;
      }
      lane_of[&tile] = lane;
      tile.run_in(*lanes_[lane], ends_->follow(tile, lane));
    }
  }
  for (const auto& domain : scheduler.domains()) divide(*domain, lane_of);
  team_ = std::make_unique<LaneTeam>(lanes_, threads_);
}

SideBySide::~SideBySide() = default;

void SideBySide::divide(ClockDomain& domain, const LaneOf& lane_of) {
  const auto& entries = domain.entries_;
  for (auto first = entries.begin(); first != entries.end();) {
    const TickRank rank = first->rank;
    const auto end = std::find_if(first, entries.end(), [&](const auto& entry) { return entry.rank != rank; });
    const auto key = static_cast<std::uint32_t>(domain.index_) * tick_ranks + static_cast<std::uint32_t>(rank);
    std::vector<TurnQueue*> of_lanes(lanes_.size());
    TurnQueue* of_none = nullptr;
    std::vector<const Ticked*> sequential;
    for (; first != end; ++first) {
      const Tile* const tile = tile_of(*first->unit);
      const auto lane = lane_of.find(tile);
      TurnQueue*& queue = lane == lane_of.end() ? of_none : of_lanes[lane->second];
      if (queue == nullptr && lane != lane_of.end()) queue = &lanes_[lane->second]->add_queue(domain, key);
      if (lane == lane_of.end()) {
        sequential.push_back(first->unit);
      } else {
        ends_->add(*tile, *first->unit);
        lanes_meet_in_ps_ = std::min(lanes_meet_in_ps_, first->unit->tells_lanes_in_ps());
      }
      if (queue == nullptr) {
        sequential_.push_back(std::make_unique<TurnQueue>(domain, key, nullptr));
        queue = sequential_.back().get();
      }
      queue->add(*first->unit, first->due, static_cast<std::size_t>(first - entries.begin()));
    }
    if (of_none != nullptr && rank != TickRank::observer) woken_.push_back({&domain, key, std::move(sequential)});
  }
}

std::uint64_t SideBySide::next_ps() const {
  return std::min(next_of(first_of(sequential_)), next_of_lanes()).ps;
}

Moment SideBySide::next_of_lanes() const {
  Moment first;
  for (const auto& lane : lanes_) first = std::min(first, lane->next());
  return first;
}

Moment SideBySide::first_answer(Moment at) {
  Moment first;
  for (const Woken& woken : woken_) {
    const auto turn_in = [&](std::uint64_t ps, base::Cycle in, base::Cycle every) {
      const base::Cycle cycle = woken.domain->cycle_at_or_after_ps(ps);
      const bool is_over = woken.key <= at.key && woken.domain->ps_of(cycle) == at.ps;
      const base::Cycle turn = base::round_up(cycle + in + (is_over ? 1 : 0), every);
      return Moment{woken.domain->ps_of(turn), woken.key};
    };
    for (const Ticked* const unit : woken.units) {
      const base::Cycle in = unit->woken_by_tiles_in(), every = unit->looks_every();
      if (in != base::never) first = std::min(first, turn_in(at.ps, in, every));
      const WakingEnds ends = unit->woken_by_ends();
      if (ends == WakingEnds::none) continue;
      const std::uint64_t end_ps = ends_->first_ps(ends, at.ps, *woken.domain);
      if (end_ps != never_ps) first = std::min(first, turn_in(end_ps, 0, every));
    }
  }
  return first;
}

Moment SideBySide::next_outside() {
  // Whoever is pending now sees the machine when this instant is over.
  return {std::max<std::uint64_t>(Scheduler::next_of_others_ps(), sc_core::sc_time_stamp().value() + 1), 0};
}

void SideBySide::run() {
  for (;;) {
    TurnQueue* const queue = first_of(sequential_);
    const Moment sequential = next_of(queue), tiles = next_of_lanes();
    if (!(tiles < sequential)) {
      if (!scheduler_.go_on_to(sequential.ps)) return;
      const TurnScope scope(scheduler_, {scheduler_.now_ps_, sequential.key}, nullptr);
      counts_.between += queue->run();
      continue;
    }
    if (scheduler_.order_is_held()) {
      if (!scheduler_.go_on_to(tiles.ps)) return;
      run_in_order(tiles);
      continue;
    }
    const Moment met = {later_ps(tiles.ps, lanes_meet_in_ps_), 0};
    const Moment end = std::min({sequential, first_answer(tiles), next_outside(), met});
    if (!(tiles < end)) return;
    run_window(end);
  }
}

void SideBySide::count() {
  std::uint64_t turns = 0, longest = 0;
  for (const auto& lane : lanes_) {
    turns += lane->work();
    longest = std::max(longest, lane->work());
  }
  longest = std::max(longest, (turns + threads_ - 1) / threads_);
  expected_ += (64 * static_cast<std::int64_t>(turns - lanes_.front()->work()) - expected_) / 4;
  counts_.turns += turns;
  counts_.longest += longest;
  ++counts_.windows;
}

void SideBySide::run_in_order(Moment at) {
  const TurnScope scope(scheduler_, at, nullptr);
  due_.clear();
  for (const auto& lane : lanes_) {
    if (TurnQueue* const queue = lane->due_at(at); queue != nullptr) due_.push_back(queue);
  }
  TurnQueue::run_together(due_);
  for (const auto& lane : lanes_) lane->look_again();
}

void SideBySide::run_window(Moment end) {
  // As much as in the windows before.
  if (expected_ >= 64 * worth_a_thread)
    team_->run(end);
  else
    for (const auto& lane : lanes_) lane->run(end);
  count();
  Lane::catch_up_in_turn(lanes_);
  for (const auto& lane : lanes_) lane->catch_up();
  const Lane* failed = nullptr;
  for (const auto& lane : lanes_) {
    if (lane->failure() != nullptr && (failed == nullptr || lane->failed_before(*failed))) failed = lane.get();
  }
  if (failed == nullptr) return;
  // A lane that has waited in the window may fail before.
  if (std::all_of(lanes_.begin(), lanes_.end(),
                  [failed](const auto& lane) { return lane->has_reached_failure_of(*failed); }))
    std::rethrow_exception(failed->failure());
}

}  // namespace syncline::models
