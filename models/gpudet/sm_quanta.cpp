#include "models/gpudet/sm_quanta.h"

#include <algorithm>

#include "base/error.h"
#include "models/gpudet/quantum_controller.h"

namespace syncline::models {
namespace {

using protocols::gpudet::EndReason;
using protocols::gpudet::OpClass;
using protocols::gpudet::QuantumMachine;

/// Beside the reasons for which a warp's quantum ends.
constexpr IssueGate::Verdict not_begun = 6, order = 7;
constexpr EndReason end_reasons[] = {EndReason::instruction_count, EndReason::atomic, EndReason::fence,
                                     EndReason::barrier,           EndReason::exit,   EndReason::log_full};
static_assert(std::size(end_reasons) == not_begun);

/// Of an access.
bool may_be_in(isa::Space space, const isa::Op& op) {
  return op.memory->space == space || op.memory->space == isa::Space::generic;
}

/// A generic access may turn out to be one to shared memory; the quantum ends all the same.
OpClass class_of(const isa::Op& op) {
  switch (op.kind) {
    case isa::OpKind::store:
      return may_be_in(isa::Space::global, op) ? OpClass::store : OpClass::plain;
    case isa::OpKind::atomic:
      return may_be_in(isa::Space::global, op) ? OpClass::atomic : OpClass::plain;
    case isa::OpKind::fence:
      return OpClass::fence;
    case isa::OpKind::system_call:  // they share the heap and the output
      return OpClass::atomic;
    default:
      return OpClass::plain;
  }
}

/// Nobody but the warp, and through shared memory its CTA, hears of it.
bool may_go_ahead(const isa::Op& op) {
  switch (op.kind) {
    case isa::OpKind::exit:
    case isa::OpKind::trap:
    case isa::OpKind::breakpoint:
    case isa::OpKind::barrier:
      return false;
    default:
      return class_of(op) == OpClass::plain;
  }
}

bool may_read_global(const isa::Op& op) {
  const bool reads = op.kind == isa::OpKind::load || op.kind == isa::OpKind::prefetch;
  return reads && may_be_in(isa::Space::global, op);
}

bool may_be_shared(const isa::Op& op) {
  const bool accesses = op.kind == isa::OpKind::load || op.kind == isa::OpKind::store || op.kind == isa::OpKind::atomic;
  return accesses && may_be_in(isa::Space::shared, op);
}

/// What releases by a word of shared memory, which others see at once: the quantum has to end before, as at a fence.
/// A release to global memory is seen when the stores before it are, and an atomic there comes behind the commits.
bool releases_at_once(const isa::Op& op) {
  if (!may_be_shared(op)) return false;
  const isa::Semantics semantics = op.memory->semantics;
  return semantics == isa::Semantics::release || semantics == isa::Semantics::acq_rel ||
         semantics == isa::Semantics::sc;
}

}  // namespace

SmQuanta::SmQuanta(QuantumController& controller, const SmQuantaSpec& spec)
    : controller_(controller),
      first_(spec.sm.value() * spec.warps),
      granule_(spec.granule),
      store_buffer_(std::make_shared<StoreBuffer>(controller.spec(), spec.sm, spec.region, spec.warps, spec.line,
                                                  static_cast<StoreBuffer::Owner&>(*this))),
      places_(spec.warps),
      ctas_(spec.ctas),
      checkpoints_(spec.warps),
      races_(spec.ctas) {}

std::vector<std::string_view> SmQuanta::reasons() const {
  std::vector<std::string_view> names;
  for (const EndReason reason : end_reasons) names.emplace_back(protocols::gpudet::name(reason));
  names.emplace_back("quantum_begin");
  names.emplace_back("order");
  return names;
}

IssueGate::Verdict SmQuanta::check(const IssueQuery& query) {
  const QuantumMachine& machine = controller_.machine();
  const Place place = places_[query.slot];
  // What a barrier orders is what is in the logs when its warps arrive.
  if (query.op->kind == isa::OpKind::barrier && query.accesses_in_flight != 0) return order;
  const isa::Op& op = *query.op;
  const bool room = store_buffer_->logs().has_room(place - first_), shared = may_be_shared(op);
  if (controller_.may_issue(place,
                            {class_of(op), room, shared, releases_at_once(op), may_go_ahead(op), may_read_global(op)}))
    return open;
  if (machine.running(place)) {
    if (!shared || !controller_.in_parallel_mode()) return not_begun;
    if (std::find(waiting_.begin(), waiting_.end(), place) == waiting_.end()) waiting_.push_back(place);
    return order;
  }
  pass_turn(machine.cta_of(place));
  return static_cast<Verdict>(machine.reason(place));
}

void SmQuanta::end_quantum() {
  store_buffer_->clear();
  for (auto& list : checkpoints_) list.clear();
}

void SmQuanta::reopen() {
  control_->reopen(all_warps(static_cast<unsigned>(places_.size())));
}

void SmQuanta::begin_commit(const Chunks& later) {
  const QuantumMachine& machine = controller_.machine();
  std::vector<unsigned> logs;
  for (unsigned log = 0; log < places_.size(); ++log) {
    if (machine.present(first_ + log)) logs.push_back(log);
  }
  store_buffer_->commit().begin(
      logs, [this](unsigned log, std::uint32_t epoch) { return controller_.depth(first_ + log, epoch); }, later);
}

void SmQuanta::left(std::vector<Left>& to) const {
  for (const auto& [epoch, log] : store_buffer_->commit().left()) to.push_back({epoch, first_ + log});
}

void SmQuanta::give_turn(Place place) {
  for (unsigned slot = 0; slot < places_.size(); ++slot) {
    if (places_[slot] == place) control_->reopen(warp_bit(slot));
  }
}

void SmQuanta::cta_launched(base::SmId, base::CtaSlot slot, base::GridId, base::Dim3, unsigned) {
  ctas_[slot.value()] = controller_.starting();
  races_[slot.value()].clear();
}

void SmQuanta::warp_started(const WarpIdentity& warp) {
  places_[warp.slot] = controller_.machine().warps_of(ctas_[warp.cta_slot.value()])[warp.index];
}

void SmQuanta::cta_ended(base::SmId, base::CtaSlot slot, base::GridId, base::Dim3) {
  const CtaPlace cta = ctas_[slot.value()];
  for (const Place place : controller_.machine().warps_of(cta)) note(place);
  controller_.cta_freed(cta);
}

void SmQuanta::issued(const WarpIdentity& warp, const isa::Op& op, base::LaneMask) {
  const Place place = places_[warp.slot];
  controller_.issued(place, class_of(op));
  pass_turn(controller_.machine().cta_of(place));
  if (class_of(op) == OpClass::store && op.memory->element_bytes < granule_ &&
      controller_.spec().byte_stores == ByteStores::parallel)
    controller_.not_guaranteed(
        "a store of less than a word, of which another warp may store the rest in the same "
        "quantum (`z_unit.granule` = 1 has depths for bytes)",
        controller_.line_of(op));
  if (op.kind == isa::OpKind::system_call) controller_.performed(places_[warp.slot]);
}

void SmQuanta::at_barrier(const WarpIdentity& warp, unsigned barrier, bool waits) {
  const Place place = places_[warp.slot];
  note(place);
  controller_.arrived(place, barrier, waits);
  pass_turn(controller_.machine().cta_of(place));
}

void SmQuanta::barrier_opened(const WarpIdentity& warp, unsigned barrier) {
  controller_.opened(places_[warp.slot], barrier);
  races_[warp.cta_slot.value()].barrier();
}

void SmQuanta::memory_started(const WarpIdentity& warp, const isa::Op& op, std::size_t lines, std::uint64_t) {
  if (class_of(op) == OpClass::store) store_buffer_->reserve(places_[warp.slot] - first_, lines);
}

void SmQuanta::memory_performed(const WarpIdentity& warp, const isa::Op& op) {
  if (op.kind == isa::OpKind::atomic && class_of(op) == OpClass::atomic) controller_.performed(places_[warp.slot]);
  if (memory_idle()) controller_.memory_is_idle();
}

void SmQuanta::exited(const WarpIdentity& warp) {
  const Place place = places_[warp.slot];
  controller_.exited(place);
  pass_turn(controller_.machine().cta_of(place));
}

void SmQuanta::shared_access(const WarpIdentity& warp, const isa::Op& op, const isa::MemoryAccess& access) {
  if (controller_.spec().quanta.shared_order != protocols::gpudet::SharedOrder::free) return;
  if (races_[warp.cta_slot.value()].access(warp.index, access))
    controller_.not_guaranteed(
        "a data race in shared memory, which has an order with "
        "`determinism.gpudet.shared_order` = instructions only",
        controller_.line_of(op));
}

void SmQuanta::pass_turn(CtaPlace cta) {
  if (waiting_.empty()) return;
  const auto first = controller_.machine().first_at_shared(cta);
  if (!first) return;
  const auto found = std::find(waiting_.begin(), waiting_.end(), *first);
  if (found == waiting_.end()) return;
  waiting_.erase(found);
  give_turn(*first);
}

std::uint32_t SmQuanta::epoch(unsigned log) const {
  const QuantumMachine& machine = controller_.machine();
  return static_cast<std::uint32_t>(machine.rank(first_ + log).round - machine.round());
}

void SmQuanta::views(unsigned log, std::vector<LogView>& to) const {
  const QuantumMachine& machine = controller_.machine();
  const Place place = first_ + log;
  to.push_back({log, store_buffer_->logs()[log].cells});
  if (!machine.sees_others(place)) return;
  for (const Place mate : machine.warps_of(machine.cta_of(place))) {
    const std::uint32_t stores = mate != place ? machine.seen(place, mate) : 0;
    if (stores != 0) to.push_back({mate - first_, cells_at(mate - first_, stores)});
  }
}

void SmQuanta::note(Place place) {
  const unsigned log = place - first_;
  checkpoints_[log].push_back({controller_.machine().seen(place, place), store_buffer_->logs()[log].cells});
}

std::uint32_t SmQuanta::cells_at(unsigned log, std::uint32_t stores) const {
  const auto& list = checkpoints_[log];
  const auto before = [](const Checkpoint& one, std::uint32_t n) { return one.stores < n; };
  const auto found = std::lower_bound(list.begin(), list.end(), stores, before);
  if (found == list.end() || found->stores != stores)
    throw base::ModelError("gpudet: a warp sees stores of another that no barrier has counted");
  return found->cells;
}

void SmQuanta::log_committed(unsigned log) {
  controller_.committed(first_ + log);
}
void SmQuanta::left_written() {
  controller_.left_written();
}
void SmQuanta::depths_cleared() {
  controller_.sm_finished();
}
void SmQuanta::invalidated() {
  controller_.sm_finished();
}

}  // namespace syncline::models
