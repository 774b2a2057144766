#include "models/work_distributor/work_distributor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/round_up.h"

namespace syncline::models {
namespace {

/// Modulo the number of SMs, which is known when they are bound.
unsigned first_sm(const PerturbationSpec& perturbation, std::uint64_t seed, const std::string& distributor) {
  return perturbation.slot_history ? perturbation.random(seed, distributor + ".slot_history").below(1U << 20) : 0;
}

}  // namespace

WorkDistributor::WorkDistributor(const sc_core::sc_module_name& module_name, const DistributorSite& site)
    : Block(module_name, site.context),
      sms("sms"),
      done("done"),
      spec_(site.spec),
      dealer_(site.dealer),
      ends_grids_(site.ends_grids) {
  if (dealer_ == nullptr)
    dealer_ = std::make_shared<InOrderDealer>(spec_.placement, first_sm(site.perturbation, site.context.seed, name()));
  dealer_->attach(*this);
  done.bind(*this);
  site.clock.add(*this, TickRank::work_distributor, name());
  statistic("grids", "grids", "kernels completed", grids_);
  statistic("ctas", "CTAs", "CTAs placed", ctas_);
  statistic("grid_cycles", "cycles", "from launch to completion of a kernel", grid_cycles_);
  gauge("grids_in_flight", "grids", "grids launched and not completed, now",
        [this] { return static_cast<double>(running_.size() + waiting_.size()); });
  const TracedAs by_turns{Changes::with_block};
  traced(
      "work_distributor", "grids_in_flight", 16, [this] { return running_.size() + waiting_.size(); }, by_turns);
  traced(
      "work_distributor", "ctas_placed", 32, [this] { return ctas_.value(); }, by_turns);
  const auto kernel = [this] {
    const auto first =
        std::find_if(running_.begin(), running_.end(), [](const Grid& grid) { return grid.placed != 0; });
    return first == running_.end() ? 0 : std::uint64_t{first->launch->id.value()} + 1;
  };
  traced("kernels", "kernel", 32, kernel, {Changes::with_block, nullptr, true});
}

void WorkDistributor::launch(std::shared_ptr<const GridLaunch> grid, Completion completed) {
  const std::string& kernel = grid->context.program->kernel().name;
  if (grid->context.grid.count() == 0 || grid->context.block.count() == 0)
    throw base::UserError("kernel `" + kernel + "` is launched with an empty grid or CTA");
  require_fit(sms[0]->resources(), grid->demand, kernel);
  const base::Cycle now = clock()->now();
  if (grid->context.program->kernel().system_calls) context().scheduler.hold_order();
  waiting_.push_back({std::move(grid), std::move(completed), now + spec_.launch_overhead, now});
  wake(now);
}

bool WorkDistributor::end_all() {
  for (int sm = 0; sm < sms.size(); ++sm) {
    if (!sms[sm]->end_all()) return false;
  }
  for (Grid& grid : waiting_) running_.push_back(std::move(grid));  // they take no room
  waiting_.clear();
  for (Grid& grid : running_) grid.cut = true;
  wake(clock()->now());
  return true;
}

base::Cycle WorkDistributor::tick(base::Cycle now) {
  retire(now);
  admit();
  base::Cycle next = base::never;
  for (std::uint32_t i = 0; i < spec_.ctas_per_cycle; ++i) {
    next = deal_one_each(now);
    if (next != now + 1) break;
  }
  return next;
}

/// Those that wait go on in their order, as far as their SMs have places for grids.
void WorkDistributor::admit() {
  taken_.clear();
  for (auto grid = waiting_.begin(); grid != waiting_.end();) {
    const SmRange its_sms = grid->launch->sms;
    const auto there = std::count_if(running_.begin(), running_.end(),
                                     [&](const Grid& other) { return other.launch->sms.overlaps(its_sms); });
    if (is_taken(its_sms) || there >= spec_.concurrent_grids) {
      taken_.push_back(its_sms);
      ++grid;
      continue;
    }
    running_.push_back(std::move(*grid));
    grid = waiting_.erase(grid);
  }
}

base::Cycle WorkDistributor::deal_one_each(base::Cycle now) {
  taken_.clear();
  base::Cycle next = base::never;  // a grid without room waits until a CTA ends
  bool placed = false;
  for (Grid& grid : running_) {
    if (grid.placed == grid.total() || is_taken(grid.launch->sms)) continue;
    taken_.push_back(grid.launch->sms);
    if (grid.ready_at > now)
      next = std::min(next, grid.ready_at);
    else if (place_one(grid))
      placed = true;
  }
  return placed && has_to_place() ? now + 1 : next;
}

bool WorkDistributor::is_taken(const SmRange& range) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](const SmRange& other) { return other.overlaps(range); });
}

bool WorkDistributor::place_one(Grid& grid) {
  const auto deal = dealer_->next(*grid.launch, grid.placed, *this);
  if (!deal) return false;
  const base::Dim3& extent = grid.launch->context.grid;
  const std::uint64_t n = deal->cta;
  ++grid.placed;
  const base::Dim3 cta{static_cast<std::uint32_t>(n % extent.x), static_cast<std::uint32_t>(n / extent.x % extent.y),
                       static_cast<std::uint32_t>(n / extent.x / extent.y)};
  ctas_.add();
  ++tile().progress;
  ++tile().effects;
  sms[static_cast<int>(deal->sm)]->take(*grid.launch, cta);
  return true;
}

void WorkDistributor::cta_ended(base::SmId sm, const GridLaunch& launch, base::Dim3) {
  touched();
  const auto grid =
      std::find_if(running_.begin(), running_.end(), [&](const Grid& g) { return g.launch->id == launch.id; });
  if (grid == running_.end())
    throw base::ModelError(
        fmt::format("{}: SM {} ended a CTA of grid {}, which does not run", name(), sm.value(), launch.id.value()));
  ++grid->ended;
  ++ctas_ended_;
  ++tile().progress;
  // The SM is in the middle of its cycle: placing and completing is the next tick's.
  note_end(*grid);
  if (has_to_place()) wake(look_behind(clock()->now()));
  if (grid->ended == grid->total()) wake(look_behind(grid->last_end));
}

/// Ends of a window, of CTAs and of what SMs do behind the last one, are told of in any order, and a window goes on
/// beyond the look behind each but the last one in time.
void WorkDistributor::note_end(Grid& grid) const {
  grid.last_end = std::max(grid.last_end, clock()->now());
}

base::Cycle WorkDistributor::look_behind(base::Cycle cycle) const {
  return base::round_up(cycle + 1, spec_.allocation_period);
}

bool WorkDistributor::has_to_place() const {
  return !waiting_.empty() ||
         std::any_of(running_.begin(), running_.end(), [](const Grid& grid) { return grid.placed < grid.total(); });
}

WakingEnds WorkDistributor::woken_by_ends() const {
  if (has_to_place() || running_.size() > 1) return WakingEnds::any;
  return running_.empty() ? WakingEnds::none : WakingEnds::last;
}

void WorkDistributor::grid_ended(base::SmId, base::GridId id) {
  touched();
  for (Grid& grid : running_) {
    if (grid.launch->id != id) continue;
    note_end(grid);
    if (--grid.ending == 0) wake(look_behind(grid.last_end));
  }
}

bool WorkDistributor::is_over(Grid& grid) {
  if (grid.ended < grid.total()) return false;
  if (!grid.asked) {
    grid.asked = true;
    grid.ending = ends_grids_.size();
    for (const unsigned sm : ends_grids_) sms[static_cast<int>(sm)]->end_grid(grid.launch->id);
  }
  return grid.ending == 0 && dealer_->may_complete(*grid.launch);
}

void WorkDistributor::retire(base::Cycle now) {
  for (auto grid = running_.begin(); grid != running_.end();) {
    if (!is_over(*grid)) {
      ++grid;
      continue;
    }
    grids_.add();
    grid_cycles_.sample(now - grid->launched_at);
    const Grid over = std::move(*grid);
    grid = running_.erase(grid);
    if (over.launch->context.program->kernel().system_calls) context().scheduler.release_order();
    if (over.completed) over.completed(over.launch->id);
  }
}

std::vector<std::string> WorkDistributor::check_end_of_run() const {
  std::vector<std::string> lines;
  if (!idle())
    lines.push_back(fmt::format("{}: {} grids have not completed", name(), running_.size() + waiting_.size()));
  return lines;
}

std::vector<std::string> WorkDistributor::describe_waiting() const {
  std::vector<std::string> lines;
  for (const Grid& grid : running_) {
    lines.push_back(fmt::format("grid {} (kernel `{}`): {} CTAs, of which {} placed and {} ended",
                                grid.launch->id.value(), grid.launch->context.program->kernel().name, grid.total(),
                                grid.placed, grid.ended));
  }
  for (const Grid& grid : waiting_) {
    lines.push_back(fmt::format("grid {} (kernel `{}`) waits: {} grids are in flight", grid.launch->id.value(),
                                grid.launch->context.program->kernel().name, running_.size()));
  }
  return lines;
}

}  // namespace syncline::models
