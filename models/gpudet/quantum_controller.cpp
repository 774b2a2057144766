#include "models/gpudet/quantum_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpudet/time_registers.h"

namespace syncline::models {

using protocols::gpudet::EndReason;
using protocols::gpudet::Mode;

QuantumController::QuantumController(const sc_core::sc_module_name& module_name, PlatformContext& context,
                                     ClockDomain& clock, const GpudetSpec& spec, unsigned sms, unsigned warps_per_sm,
                                     PlacementPolicy placement)
    : Block(module_name, context),
      spec_(spec),
      warps_per_sm_(warps_per_sm),
      placement_policy_(placement),
      depths_(spec.depth_bits, sms * warps_per_sm),
      machine_(spec.quanta, sms, warps_per_sm, depths_.rounds()),
      sms_(sms),
      dealer_(std::make_shared<Dealer>(*this)),
      ahead_(spec.quanta.overlap != protocols::gpudet::Overlap::none),
      written_(static_cast<unsigned>(spec.overlap_bloom)),
      watches_shared_(spec.quanta.shared_order == protocols::gpudet::SharedOrder::free) {
  clock.add(*this, TickRank::policy, this->name());
  add_statistics();
}

QuantumController::~QuantumController() = default;

void QuantumController::add(base::SmId number, SmQuanta& sm) {
  sms_.at(number.value()) = &sm;
  const std::string block = fmt::format("{}.sm{}", name(), number.value());
  const auto counter = [&](const char* what, const char* unit, const char* description, const auto& value) {
    context().statistics.add(block, what, unit, description, value);
  };
  const StoreBuffer& buffer = *sm.store_buffer();
  counter("log_chunks", "chunks", "that stores appended to the logs", buffer.chunks());
  counter("log_partial_words", "chunks", "of these those that hold some bytes of a word and not all",
          buffer.partial_words());
  counter("log_lines_written", "lines", "of logs that went to the L1, whole or in part",
          sm.store_buffer()->port().lines_written());
  counter("log_bytes", "bytes", "of the logs that data fields took", buffer.data_bytes());
  counter("log_unused_bytes", "bytes", "of these those that held nothing: of chunks, or of lines that were too short",
          buffer.unused_bytes());
  counter("filtered_loads", "accesses", "line accesses of loads that asked the Bloom filters", buffer.loads().loads);
  counter("searches", "accesses", "of these those for which a log was searched", buffer.loads().searches);
  counter("false_positives", "accesses", "searches that found nothing", buffer.loads().false_positives);
  counter("search_header_lines", "lines", "of headers that searches read", buffer.loads().header_lines);
  counter("search_chunks", "lines", "of data that searches read", buffer.loads().chunks);
  counter("search_cycles", "cycles", "from the begin of a search until its load is answered", buffer.loads().cycles);
  counter("commit_header_lines", "lines", "of headers that commits read", buffer.commits().header_lines);
  counter("commit_data_lines", "lines", "of data that commits read", buffer.commits().data_lines);
  counter("ahead_passed", "accesses", "line accesses of loads ahead of their quantum that no commit may have changed",
          buffer.loads_ahead().statistics().passed);
  counter("ahead_held", "accesses", "line accesses of loads ahead of their quantum that waited for the commit",
          buffer.loads_ahead().statistics().held);
  counter("left_chunks", "chunks", "that were committed one after the other, for bytes in them have no depth",
          buffer.commits().left);
  counter("committed_chunks", "chunks", "that were written or lost against others", buffer.commits().chunks);
}

const char* QuantumController::phase_name(Phase phase) {
  static constexpr const char* names[] = {"distribution", "parallel",   "drain",  "clear",
                                          "commit",       "invalidate", "serial", "bytes"};
  static_assert(std::size(names) == phases);
  return names[static_cast<std::size_t>(phase)];
}

bool QuantumController::may_issue(Place place, const Ask& ask) {
  const bool runs = begun_ && (phase_ == Phase::parallel || phase_ == Phase::serial);
  if (!runs && !(ahead_ && ask.ahead)) return false;
  if (machine_.may_issue(place, ask)) return true;
  if (runs) wake(clock()->now());
  return false;
}

void QuantumController::issued(Place place, OpClass op) {
  machine_.issued(place, op);
  const bool has_turn = op == OpClass::atomic || op == OpClass::call;
  if (phase_ != Phase::parallel && !has_turn) ahead_instructions_.add();
  if (phase_ == Phase::serial) reopen_turn();
}

void QuantumController::arrived(Place place, unsigned barrier, bool waits) {
  machine_.arrived(place, barrier, waits);
  wake(clock()->now());
}

void QuantumController::opened(CtaPlace cta, unsigned barrier) {
  machine_.opened(cta, barrier);
}

void QuantumController::exited(Place place) {
  machine_.exited(place);
  wake(clock()->now());
}

void QuantumController::faulted(Place place, std::exception_ptr fault) {
  const Place first = machine_.warps_of(machine_.cta_of(place)).front();
  faults_.emplace(std::pair(first, place), std::move(fault));
  machine_.faulted(place);
  wake(clock()->now());
}

void QuantumController::performed(Place place) {
  machine_.performed(place);
  if (machine_.mode() == Mode::serial) return reopen_turn();
  wake(clock()->now());
}

void QuantumController::reopen_turn() {
  if (const auto place = machine_.turn()) sms_[*place / warps_per_sm_]->give_turn(*place);
}

void QuantumController::cta_freed(CtaPlace cta) {
  if (!machine_.may_replenish(cta)) return;
  if (const auto number = partitions_.take(cta)) {
    const Place first = machine_.warps_of(cta).front();
    machine_.replenish(cta);
    replacements_.push_back({cta, {*number, first / warps_per_sm_}});
    deal_control_->deal();
  } else {
    machine_.no_more(cta);
    wake(clock()->now());
  }
}

std::optional<CtaDealer::Deal> QuantumController::deal(const GridLaunch& grid, const SmList& sms) {
  if (!replacements_.empty()) {
    const auto [cta, next] = replacements_.front();
    replacements_.pop_front();
    starting_ = cta;
    return next;
  }
  if (phase_ != Phase::distribution || !begun_) return std::nullopt;
  if (!grid_) {
    grid_ = grid.id;
    program_ = grid.context.program;
    if (const isa::Op* const op = first_read_of_time(*program_))
      not_guaranteed("a special register that depends on time", line_of(*op));
    shared_use_ = models::shared_use(*program_);
    partitions_.add(0, grid.context.grid.count());
    placement_ = make_placement(placement_policy_);
    dealt_ = false;
  }
  if (*grid_ != grid.id || dealt_) return std::nullopt;
  const std::uint64_t number = partitions_.first();
  const auto sm = placement_->choose(grid, number, sms);
  const unsigned warps = occupancy(sms.resources(), grid.demand).warps_per_cta;
  const auto cta = sm ? machine_.launch(*sm, warps) : std::nullopt;
  dealt_ = !cta;
  if (cta) {
    partitions_.take_first();
    starting_ = *cta;
  }
  wake(clock()->now());
  return cta ? std::optional<CtaDealer::Deal>({number, *sm}) : std::nullopt;
}

bool QuantumController::may_complete(const GridLaunch& grid) {
  if (phase_ != Phase::distribution || !begun_ || grid_ != grid.id) return false;
  grid_.reset();
  return true;
}

void QuantumController::committed(Place place) {
  machine_.committed(place);
  wake(clock()->now());
}

void QuantumController::not_guaranteed(const std::string& kind, const std::string& where) {
  if (noted_.insert(kind).second)
    context().notes.push_back(fmt::format("{}: {}; that every run has the same result is not guaranteed", where, kind));
}

void QuantumController::shared_race(const std::string& where) {
  watches_shared_ = false;
  not_guaranteed(
      "a data race in shared memory, which has an order with `determinism.gpudet.shared_order` = instructions only",
      where);
}

void QuantumController::sm_finished() {
  --waiting_for_;
  wake(clock()->now());
}

void QuantumController::left_written() {
  turns_.pop_back();
  if (turns_.empty()) return wake(clock()->now());
  write_left();
}

void QuantumController::write_left() {
  sms_[turns_.back().place / warps_per_sm_]->write_left(turns_.back());
}

base::Cycle QuantumController::tick(base::Cycle now) {
  for (;;) {
    if (!begun_) {
      if (now < begins_at_) return begins_at_;
      begun_ = true;
      begin(now);
    }
    machine_.advance();
    if (!is_over()) return base::never;
    leave(now);
  }
}

void QuantumController::enter(Phase phase, base::Cycle now, bool synchronise) {
  phase_cycles_[static_cast<std::size_t>(phase_)].add(now - phase_since_);
  phase_since_ = now;
  phase_ = phase;
  begun_ = false;
  begins_at_ = now + (synchronise ? spec_.sync_latency : 0);
}

bool QuantumController::is_over() const {
  switch (phase_) {
    case Phase::distribution:
      return machine_.anybody_runs() && (dealt_ || partitions_.empty());
    case Phase::parallel:
      return machine_.mode() != Mode::parallel;
    case Phase::drain:
      return std::all_of(sms_.begin(), sms_.end(), [](const SmQuanta* sm) { return sm->memory_idle(); });
    case Phase::clear:
    case Phase::invalidate:
      return waiting_for_ == 0;
    case Phase::commit:
      return machine_.mode() != Mode::commit;
    case Phase::serial:
      return machine_.mode() != Mode::serial;
    case Phase::bytes:
      return turns_.empty();
  }
  return false;
}

void QuantumController::leave(base::Cycle now) {
  switch (phase_) {
    case Phase::distribution:
      machine_.distributed();
      return enter(Phase::parallel, now, false);
    case Phase::parallel:
      // Of several faults the first in an order that time does not change.
      if (!faults_.empty()) std::rethrow_exception(faults_.begin()->second);
      count_ends();
      return enter(Phase::drain, now, false);
    case Phase::drain:
      return enter(depths_.fits(machine_.last_round()) ? Phase::commit : Phase::clear, now, true);
    case Phase::clear:
      depths_.restart(machine_.round());
      return enter(Phase::commit, now, false);
    case Phase::commit:
      collect_left();
      return turns_.empty() ? enter(Phase::invalidate, now, false) : enter(Phase::bytes, now, true);
    case Phase::bytes:
      return enter(Phase::invalidate, now, false);
    case Phase::invalidate:
      return enter(machine_.mode() == Mode::serial ? Phase::serial : Phase::distribution, now, true);
    case Phase::serial:
      return enter(Phase::distribution, now, true);
  }
}

void QuantumController::begin(base::Cycle now) {
  switch (phase_) {
    case Phase::distribution:
      quanta_.add();
      quantum_cycles_.sample(now - quantum_since_);
      partitions_.collect();
      for (SmQuanta* const sm : sms_) sm->end_quantum();
      let_go_ahead();
      dealt_ = false;
      deal_control_->deal();
      break;
    case Phase::parallel:
      begin_parallel(now);
      break;
    case Phase::drain:
      break;
    case Phase::clear:
      depth_clears_.add();
      waiting_for_ = static_cast<unsigned>(sms_.size());
      for (SmQuanta* const sm : sms_) sm->store_buffer()->commit().path().clear();
      break;
    case Phase::commit:
      begin_commit();
      break;
    case Phase::bytes:
      write_left();
      break;
    case Phase::invalidate:
      waiting_for_ = static_cast<unsigned>(sms_.size());
      for (SmQuanta* const sm : sms_) sm->store_buffer()->invalidate();
      break;
    case Phase::serial:
      reopen_turn();
      break;
  }
}

void QuantumController::begin_parallel(base::Cycle now) {
  quantum_since_ = now;
  partitions_.deal(places_in_turn());
  ahead_ = false;
  for (SmQuanta* const sm : sms_) sm->reopen();
}

/// The SMs take turns, so that CTAs that are too few for every place are spread over them (GPUDet, section 6.1: evenly,
/// where a distributor that takes the first free slot gives the last ones to one SM).
std::vector<QuantumController::CtaPlace> QuantumController::places_in_turn() const {
  std::vector<CtaPlace> places;
  std::map<std::pair<unsigned, unsigned>, CtaPlace> in_turn;  // by how many of the SM come before it, and the SM
  unsigned sm = 0, before = 0;
  for (Place place = 0; place < machine_.places(); ++place) {
    if (place / warps_per_sm_ != sm) {
      sm = place / warps_per_sm_;
      before = 0;
    }
    if (machine_.present(place) && machine_.warps_of(machine_.cta_of(place)).front() == place)
      in_turn.emplace(std::pair(before++, sm), machine_.cta_of(place));
  }
  places.reserve(in_turn.size());
  for (const auto& [turn, cta] : in_turn) places.push_back(cta);
  return places;
}

/// A chunk to which any warp stores less than a word is left by all of them, so that each byte of it has one order.
void QuantumController::begin_commit() {
  later_.clear();
  if (spec_.byte_stores == ByteStores::serial) {
    for (const SmQuanta* const sm : sms_) {
      const Chunks& partial = sm->partial_chunks();
      later_.insert(partial.begin(), partial.end());
    }
  }
  for (SmQuanta* const sm : sms_) sm->begin_commit(later_);
  let_go_ahead();
}

/// What warps may issue ahead of their quantum has changed.
void QuantumController::let_go_ahead() {
  if (spec_.quanta.overlap == protocols::gpudet::Overlap::none) return;
  if (phase_ == Phase::commit) {
    written_.clear();
    for (SmQuanta* const sm : sms_) written_.merge(sm->store_buffer()->loads_ahead().written());
    for (SmQuanta* const sm : sms_) sm->store_buffer()->loads_ahead().begin(written_);
  }
  ahead_ = true;
  for (SmQuanta* const sm : sms_) sm->reopen();
}

/// What is written last stays: that of a later epoch, and within one that of the lower warp.
void QuantumController::collect_left() {
  for (const SmQuanta* const sm : sms_) sm->left(turns_);
  std::sort(turns_.begin(), turns_.end(), [](const SmQuanta::Left& a, const SmQuanta::Left& b) {
    return a.epoch != b.epoch ? a.epoch > b.epoch : a.place < b.place;
  });
}

void QuantumController::count_ends() {
  for (Place place = 0; place < machine_.places(); ++place) {
    if (!machine_.present(place)) continue;
    ends_[static_cast<std::size_t>(machine_.reason(place))].add();
    quantum_instructions_.sample(machine_.instructions(place));
  }
}

void QuantumController::add_statistics() {
  statistic("quanta", "quanta", "quanta that are over", quanta_);
  statistic("ahead_instructions", "instructions", "that warps issued before the parallel mode of their quantum",
            ahead_instructions_);
  statistic("depth_clears", "quanta", "that began their commits by clearing all depths", depth_clears_);
  for (std::size_t p = 0; p < phases; ++p) {
    const std::string phase = phase_name(static_cast<Phase>(p));
    statistic("cycles_" + phase, "cycles", "in the phase " + phase + ", its barrier over all SMs included",
              phase_cycles_[p]);
  }
  for (std::size_t r = 0; r < end_reasons; ++r) {
    const std::string reason = protocols::gpudet::name(static_cast<EndReason>(r));
    statistic("ends_" + reason, "warps", "whose part in a quantum ended by " + reason, ends_[r]);
  }
  statistic("quantum_instructions", "instructions", "that a warp issued in a quantum", quantum_instructions_);
  statistic("quantum_cycles", "cycles", "of a quantum, without the dealing of CTAs", quantum_cycles_);
  gauge("phase", "number",
        "0 distribution, 1 parallel, 2 drain, 3 clear, 4 commit, 5 invalidate, 6 serial, 7 bytes, now",
        [this] { return static_cast<double>(phase_); });
  traced("determinism", "phase", 3, [this] { return static_cast<std::uint64_t>(phase_); });
  traced("determinism", "quantum", 32, [this] { return machine_.quantum(); });
}

std::vector<std::string> QuantumController::check_end_of_run() const {
  std::vector<std::string> lines;
  if (phase_ != Phase::distribution || grid_)
    lines.push_back(fmt::format("{}: quantum {} is in its phase {}", name(), machine_.quantum(), phase_name(phase_)));
  return lines;
}

std::vector<std::string> QuantumController::describe_waiting() const {
  std::vector<std::string> lines = check_end_of_run();
  for (Place place = 0; place < machine_.places() && phase_ == Phase::parallel; ++place) {
    if (machine_.running(place)) lines.push_back(fmt::format("{}: warp place {} runs", name(), place));
  }
  return lines;
}

}  // namespace syncline::models
