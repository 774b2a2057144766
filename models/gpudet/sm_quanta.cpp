#include "models/gpudet/sm_quanta.h"

#include <algorithm>
#include <utility>

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

}  // namespace

SmQuanta::SmQuanta(QuantumController& controller, const SmQuantaSpec& spec)
    : controller_(controller),
      first_(spec.sm.value() * spec.warps),
      granule_(spec.granule),
      store_buffer_(std::make_shared<StoreBuffer>(controller.spec(), spec.region, spec.warps, spec.line,
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
  const protocols::gpudet::Ask ask =
      ask_for(op, store_buffer_->logs().has_room(place - first_, store_parts(op)), controller_.shared_use());
  if (controller_.may_issue(place, ask)) return open;
  if (machine.running(place)) {
    if (!(ask.shared || ask.counted) || !controller_.in_parallel_mode()) return not_begun;
    if (std::find(waiting_.begin(), waiting_.end(), place) == waiting_.end()) waiting_.push_back(place);
    return order;
  }
  pass_turn(machine.cta_of(place));
  return static_cast<Verdict>(machine.reason(place));
}

bool SmQuanta::keep_fault(unsigned slot, const isa::Op& op, std::exception_ptr fault) {
  // In serial mode everything before the fault is done, and nothing behind it has begun.
  if (class_of(op) == OpClass::atomic || class_of(op) == OpClass::call) return false;
  controller_.faulted(places_[slot], std::move(fault));  // its turn passes when the SM asks for it next
  return true;
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

void SmQuanta::cta_launched(base::SmId, base::CtaSlot slot, base::GridId, base::Dim3, unsigned warps) {
  ctas_[slot.value()] = controller_.starting();
  const SharedUse& use = controller_.shared_use();
  if (controller_.watches_shared()) races_[slot.value()].start(warps, use.granule, use.parts);
}

void SmQuanta::warp_started(const WarpIdentity& warp) {
  places_[warp.slot] = controller_.machine().warps_of(ctas_[warp.cta_slot.value()])[warp.index];
}

void SmQuanta::cta_ended(base::SmId, base::CtaSlot slot, base::GridId, base::Dim3) {
  const CtaPlace cta = ctas_[slot.value()];
  for (const Place place : controller_.machine().warps_of(cta)) note(place);
  controller_.cta_freed(cta);
}

void SmQuanta::issued(const WarpIdentity& warp, const isa::Op& op, base::LaneMask lanes) {
  const Place place = places_[warp.slot];
  const OpClass op_class = class_of(op);
  controller_.issued(place, op_class);
  if (op_class == OpClass::store) store_buffer_->reserve(place - first_, base::lane_count(lanes), store_parts(op));
  pass_turn(controller_.machine().cta_of(place));
  if (op_class == OpClass::store && op.memory->element_bytes < granule_ &&
      controller_.spec().byte_stores == ByteStores::parallel)
    controller_.not_guaranteed(
        "a store of less than a word, of which another warp may store the rest in the same "
        "quantum (`z_unit.granule` = 1 has depths for bytes)",
        controller_.line_of(op));
  if (op_class == OpClass::call) controller_.performed(place);
}

void SmQuanta::at_barrier(const WarpIdentity& warp, unsigned barrier, bool waits) {
  const Place place = places_[warp.slot];
  note(place);
  controller_.arrived(place, barrier, waits);
  if (controller_.watches_shared()) races_[warp.cta_slot.value()].arrived(warp.index, barrier);
  pass_turn(controller_.machine().cta_of(place));
}

void SmQuanta::barrier_passed(base::SmId, base::CtaSlot slot, unsigned barrier, bool whole) {
  controller_.opened(ctas_[slot.value()], barrier);
  if (controller_.watches_shared()) races_[slot.value()].passed(barrier, whole);
}

void SmQuanta::barrier_opened(const WarpIdentity& warp, unsigned barrier) {
  if (controller_.watches_shared()) races_[warp.cta_slot.value()].opened(warp.index, barrier);
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
  if (controller_.watches_shared() && races_[warp.cta_slot.value()].access(warp.index, access))
    controller_.shared_race(controller_.line_of(op));
}

void SmQuanta::pass_turn(CtaPlace cta) {
  if (waiting_.empty()) return;
  const auto first = controller_.machine().first_in_order(cta);
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
