#include "models/clock/side_by_side.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/block/block.h"
#include "models/clock/scheduler.h"

namespace syncline::models {
namespace {

constexpr std::uint64_t never_ps = ~std::uint64_t{0};

/// Fewer turns than these are done sooner by this thread than handed over.
constexpr std::int64_t worth_a_thread = 2;

/// Null: of the sequential part.
Tile* tile_of(const Ticked& unit) {
  const auto* const block = dynamic_cast<const Block*>(&unit);
  return block == nullptr || block->tile().is_sequential() ? nullptr : &block->tile();
}

}  // namespace

SideBySide::SideBySide(const Scheduler& scheduler, unsigned lanes) : scheduler_(scheduler) {
  // Neighbours share a lane. Tiles of different kinds are divided apart from each other; the first lane, whose thread
  // has the sequential part too, has none more than others.
  LaneOf lane_of;
  std::vector<std::vector<Tile*>> kinds(tick_ranks);
  for (const auto& domain : scheduler.domains()) {
    for (const ClockDomain::Entry& entry : domain->entries_) {
      Tile* const tile = tile_of(*entry.unit);
      if (tile != nullptr && lane_of.emplace(tile, 0).second)
        kinds[static_cast<std::size_t>(entry.rank)].push_back(tile);
    }
  }
  std::size_t most = 1;
  for (const std::vector<Tile*>& kind : kinds) most = std::max(most, kind.size());
  lanes = static_cast<unsigned>(std::min<std::size_t>(lanes, most));
  for (unsigned i = 0; i < lanes; ++i) lanes_.push_back(std::make_unique<Lane>(scheduler, i));
  for (const std::vector<Tile*>& kind : kinds) {
    for (std::size_t i = 0; i < kind.size(); ++i) {
      const std::size_t lane = lanes - 1 - (kind.size() - 1 - i) * lanes / kind.size();
      lane_of[kind[i]] = lane;
      kind[i]->count_near_ends(lanes_[lane]->near_ends);
      kind[i]->messages().belong_to(*lanes_[lane]);
    }
  }
  for (const auto& domain : scheduler.domains()) divide(*domain, lane_of);
  team_ = std::make_unique<LaneTeam>(lanes_);
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
    for (; first != end; ++first) {
      const Tile* const tile = tile_of(*first->unit);
      const std::size_t lane = tile == nullptr ? 0 : lane_of.at(tile);
      TurnQueue*& queue = tile == nullptr ? of_none : of_lanes[lane];
      if (queue == nullptr && tile != nullptr) queue = &lanes_[lane]->add_queue(domain, key);
      if (queue == nullptr) {
        sequential_.push_back(std::make_unique<TurnQueue>(domain, key, nullptr));
        queue = sequential_.back().get();
      }
      queue->add(*first->unit, first->due);
    }
    if (of_none != nullptr && (rank == TickRank::crossbar || rank == TickRank::work_distributor))
      woken_.push_back({&domain, key, rank == TickRank::work_distributor});
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

Moment SideBySide::first_answer(Moment at) const {
  const bool ends = std::any_of(lanes_.begin(), lanes_.end(), [](const auto& lane) { return lane->near_ends != 0; });
  Moment first;
  for (const Woken& woken : woken_) {
    base::Cycle cycle = woken.domain->cycle_at_or_after_ps(at.ps);
    if (woken.key <= at.key && woken.domain->ps_of(cycle) == at.ps) ++cycle;
    if (woken.by_ends && !ends) cycle += Tile::near_cycles - 1;
    first = std::min(first, Moment{woken.domain->ps_of(cycle), woken.key});
  }
  return first;
}

Moment SideBySide::next_outside() {
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  const std::uint64_t until = sc_core::sc_time_to_pending_activity().value();
  if (until == 0) return {now + 1, 0};  // whoever is pending now sees the machine when this instant is over
  return {until > never_ps - now ? never_ps : now + until, 0};
}

void SideBySide::run() {
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  for (;;) {
    TurnQueue* const queue = first_of(sequential_);
    const Moment sequential = next_of(queue), tiles = next_of_lanes();
    if (!(tiles < sequential)) {
      if (sequential.ps > now) return;
      const TurnScope scope(scheduler_, {now, sequential.key}, nullptr);
      queue->run();
      continue;
    }
    if (scheduler_.order_is_held()) {
      if (tiles.ps > now) return;
      for (const auto& lane : lanes_) lane->run_at(tiles);
      continue;
    }
    const Moment end = std::min({sequential, first_answer(tiles), next_outside()});
    if (!(tiles < end)) return;
    run_window(end);
  }
}

void SideBySide::run_window(Moment end) {
  // As much as in the windows before.
  std::int64_t of_others = 0;
  for (std::size_t lane = 1; lane < lanes_.size(); ++lane) of_others += static_cast<std::int64_t>(lanes_[lane]->work());
  expected_ += (64 * of_others - expected_) / 4;
  if (expected_ >= 64 * worth_a_thread)
    team_->run(end);
  else
    for (const auto& lane : lanes_) lane->run(end);
  for (const auto& lane : lanes_) lane->catch_up();
  const Lane* failed = nullptr;
  for (const auto& lane : lanes_) {
    if (lane->failure() != nullptr && (failed == nullptr || lane->failed_at() < failed->failed_at()))
      failed = lane.get();
  }
  if (failed != nullptr) std::rethrow_exception(failed->failure());
}

}  // namespace syncline::models
