// An SM with lane stages (seams/lane_stage.h): what it does for their instructions, and for who aborts lanes.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/exec/memory_fault.h"
#include "models/sm/sm.h"

namespace syncline::models {

void Sm::staged(MemoryInstruction& instruction) {
  instruction.parts.clear();
  begin_access(instruction);
  instruction.staged = true;
}

void Sm::lanes_held(unsigned slot, bool held) {
  if (held) {
    ++warps_[slot].blocking;
    return;
  }
  --warps_[slot].blocking;
  evaluate(slot);
}

void Sm::lanes_passed(MemoryInstruction& instruction, base::Cycle occupied, bool again) {
  const FunctionalUnits::Timing& timing = units_.timing(instruction.access.op->unit);
  if (again) extra_occupancy_ = 0;
  if (instruction.access.lanes != 0) {
    go_to_memory(instruction);
  } else {
    values_at(instruction, now_ + timing.latency);
  }
  extra_occupancy_ += occupied;
  if (again) units_.occupy(Pipe::ldst, now_, timing.occupied + extra_occupancy_);
}

std::string Sm::describe(const MemoryInstruction& instruction) const {
  const isa::Warp& warp = warps_[instruction.slot].warp;
  return fmt::format("{}, {}", warp.program().where(*instruction.access.op), place_of(instruction.slot));
}

void Sm::do_transaction(unsigned slot, const isa::Step& step) {
  WarpContext& w = warps_[slot];
  ++tile().effects;
  w.next_at = now_ + units_.timing(step.op->unit).latency;
  if (step.kind == isa::StepKind::transaction_begin) {
    for (const auto& listener : seams_.listeners) listener->transaction_begun(identity(slot), step.lanes);
  } else if (const base::LaneMask arrived = w.warp.arrived(); arrived != 0) {
    tell_arrived(slot, arrived);
  }
}

void Sm::tell_arrived(unsigned slot, base::LaneMask lanes) {
  for (const auto& listener : seams_.listeners) listener->transaction_arrived(identity(slot), lanes);
}

void Sm::abort(unsigned slot, base::LaneMask lanes) {
  touched();
  path_.for_each_under_way([&](MemoryInstruction& instruction) {
    if (instruction.slot == slot) instruction.results &= ~lanes;
  });
  if (lane_path_ != nullptr) lane_path_->abort(slot, lanes);
  isa::Warp& warp = warps_[slot].warp;
  if (!warp.in_region()) return;
  const base::LaneMask before = warp.arrived();
  warp.abort(lanes);
  path_changed(slot);
  // Lanes at the end of their transactions may have waited for these.
  if (const base::LaneMask arrived = warp.arrived() & ~before; arrived != 0) tell_arrived(slot, arrived);
}

void Sm::checkpoint(unsigned slot) {
  touched();
  const auto require_loaded = [&](const MemoryInstruction& instruction) {
    if (instruction.slot != slot || !brings_value(instruction.access.kind)) return;
    if ((instruction.results & warps_[slot].warp.active()) == 0) return;
    throw base::ModelError(fmt::format("{}: lanes enter a region before they have what they have loaded: {}", name(),
                                       describe(instruction)));
  };
  path_.for_each_under_way(require_loaded);
  if (lane_path_ != nullptr) lane_path_->for_each_offered(require_loaded);
  warps_[slot].warp.checkpoint();
}

void Sm::restore(unsigned slot) {
  touched();
  warps_[slot].warp.restore();
  path_changed(slot);
}

void Sm::commit(unsigned slot, base::LaneMask lanes) {
  touched();
  warps_[slot].warp.commit(lanes);
  path_changed(slot);
}

bool Sm::read_memory(std::uint64_t address, void* to, unsigned bytes) {
  if (seams_.host == nullptr) return false;
  const TileTurn turn(context().tiles.sequential(), Leak::spin_check);
  seams_.host->debug_read(address, to, bytes);
  return true;
}

/// Whether a stage takes back what has led lanes to a bad address.
bool Sm::excuse(unsigned slot, const base::ProgramFault& fault) {
  if (dynamic_cast<const isa::AddressFault*>(&fault) == nullptr) return false;
  const base::LaneMask lanes = path_.next_entry().access.lanes;
  return std::any_of(seams_.lane_stages.begin(), seams_.lane_stages.end(),
                     [&](const auto& stage) { return stage->excuses(slot, lanes); });
}

std::string Sm::where(unsigned slot) const {
  const isa::Warp& warp = warps_[slot].warp;
  return fmt::format("{}, {}", warp.program().where(*warp.next()), place_of(slot));
}

/// Other lanes of the warp run next than before, or none, until somebody restores them.
void Sm::path_changed(unsigned slot) {
  if (!warps_[slot].live) return;
  if (warps_[slot].warp.blocked()) return block(slot);
  if (states_.of(slot) == WarpState::barrier) states_.set(slot, WarpState::latency);
  warps_[slot].opens_at = base::never;
  if (looks_) spins_[slot].restart();
  reopened_ |= warp_bit(slot);
  wake(0);
}

}  // namespace syncline::models
