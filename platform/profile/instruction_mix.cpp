#include "platform/profile/instruction_mix.h"

namespace syncline::platform {
namespace {

using isa::AccessKind;
using isa::FunctionalUnit;
using isa::OpKind;
using isa::Space;

InstructionKind memory_kind(AccessKind kind, Space space) {
  if (kind == AccessKind::prefetch) return InstructionKind::prefetch;
  switch (space) {
    case Space::shared:
      return kind == AccessKind::load    ? InstructionKind::shared_load
             : kind == AccessKind::store ? InstructionKind::shared_store
                                         : InstructionKind::shared_atomic;
    case Space::local:
      return InstructionKind::local_access;
    case Space::const_:
      return InstructionKind::constant_load;
    case Space::param:
      return InstructionKind::parameter;
    default:
      return kind == AccessKind::load     ? InstructionKind::global_load
             : kind == AccessKind::store  ? InstructionKind::global_store
             : kind == AccessKind::atomic ? InstructionKind::global_atomic
                                          : InstructionKind::global_reduction;
  }
}

InstructionKind memory_kind(const isa::TraceEvent& event) {
  const isa::MemoryForm& form = *event.op->memory;
  if (event.access != nullptr) return memory_kind(event.access->kind, event.access->space);
  // Without lanes nobody knows where a generic address leads; the warp read its parameters where it has some.
  if (form.space == Space::generic) return memory_kind(form.kind, event.guarded == 0 ? Space::global : Space::param);
  return memory_kind(form.kind, form.space);
}

InstructionKind arithmetic_kind(FunctionalUnit unit) {
  switch (unit) {
    case FunctionalUnit::integer:
      return InstructionKind::integer;
    case FunctionalUnit::integer_mul:
      return InstructionKind::integer_mul;
    case FunctionalUnit::integer_div:
      return InstructionKind::integer_div;
    case FunctionalUnit::single:
      return InstructionKind::single;
    case FunctionalUnit::float_div:
      return InstructionKind::float_div;
    case FunctionalUnit::double_:
      return InstructionKind::double_;
    case FunctionalUnit::double_div:
      return InstructionKind::double_div;
    case FunctionalUnit::special:
      return InstructionKind::special;
    default:
      return InstructionKind::other;
  }
}

}  // namespace

std::string_view name(InstructionKind kind) {
  static constexpr std::array<std::string_view, instruction_kinds> names{
      "global_load",   "global_store", "global_atomic", "global_reduction", "shared_load", "shared_store",
      "shared_atomic", "local_access", "constant_load", "parameter",        "prefetch",    "fence",
      "barrier",       "warp_barrier", "cross_lane",    "branch",           "call",        "integer",
      "integer_mul",   "integer_div",  "single",        "float_div",        "double",      "double_div",
      "special",       "other"};
  return names[static_cast<std::size_t>(kind)];
}

InstructionKind kind_of(const isa::TraceEvent& event) {
  switch (event.op->kind) {
    case OpKind::load:
    case OpKind::store:
    case OpKind::atomic:
    case OpKind::prefetch:
      return memory_kind(event);
    case OpKind::kernel_param:
    case OpKind::param_load:
    case OpKind::param_store:
      return InstructionKind::parameter;
    case OpKind::fence:
      return InstructionKind::fence;
    case OpKind::barrier:
      return InstructionKind::barrier;
    case OpKind::warp_barrier:
      return InstructionKind::warp_barrier;
    case OpKind::shuffle:
    case OpKind::vote:
    case OpKind::match:
    case OpKind::activemask:
    case OpKind::redux:
    case OpKind::elect:
      return InstructionKind::cross_lane;
    case OpKind::branch:
    case OpKind::branch_table:
      return InstructionKind::branch;
    case OpKind::call:
    case OpKind::call_indirect:
    case OpKind::ret:
    case OpKind::exit:
      return InstructionKind::call;
    case OpKind::trap:
    case OpKind::breakpoint:
    case OpKind::nanosleep:
    case OpKind::system_call:
    case OpKind::transaction_begin:
    case OpKind::transaction_commit:
    case OpKind::nop:
      return InstructionKind::other;
    case OpKind::lanes:
    case OpKind::adapted:
    case OpKind::special:
    case OpKind::pack:
    case OpKind::unpack:
    case OpKind::vector_move:
    case OpKind::local_address:
    case OpKind::stack_alloc:
      break;
  }
  return arithmetic_kind(event.op->unit);
}

void InstructionMix::add(const isa::TraceEvent& event) {
  const isa::Op& op = *event.op;
  InstructionCount& count = counts_[static_cast<std::size_t>(kind_of(event))];
  count.thread += base::lane_count(event.guarded);
  if (event.access != nullptr && event.access->space == Space::global) add_memory(*event.access);
  if (event.continued) return;
  ++count.warp;
  if (event.guarded == 0) ++without_lanes_;
  if (op.kind == OpKind::branch_table || (op.kind == OpKind::branch && op.guarded)) ++conditional_;
  if (event.parted) ++(kind_of(event) == InstructionKind::branch ? divergent_ : divergent_calls_);
  if (op.kind == OpKind::fence && event.guarded != 0) {
    const isa::Instruction* const instruction = event.program->instruction(op);
    ++fences_[static_cast<std::size_t>(instruction->mods.scope)];
  }
}

void InstructionMix::add_memory(const isa::MemoryAccess& access) {
  if (access.kind == AccessKind::prefetch) return;
  const bool is_atomic = access.atomic != isa::AtomicOp::none;
  isa::Semantics semantics = access.semantics;
  if (semantics == isa::Semantics::none)  // what the ISA takes for it
    semantics = is_atomic ? isa::Semantics::relaxed : isa::Semantics::weak;
  ++(is_atomic ? atomics_ : accesses_)[static_cast<std::size_t>(semantics)];
  if (access.non_coherent) ++non_coherent_;
}

InstructionMix& InstructionMix::operator+=(const InstructionMix& other) {
  for (std::size_t n = 0; n < counts_.size(); ++n) counts_[n] += other.counts_[n];
  for (std::size_t n = 0; n < fences_.size(); ++n) fences_[n] += other.fences_[n];
  for (std::size_t n = 0; n < accesses_.size(); ++n) {
    accesses_[n] += other.accesses_[n];
    atomics_[n] += other.atomics_[n];
  }
  without_lanes_ += other.without_lanes_;
  conditional_ += other.conditional_;
  divergent_ += other.divergent_;
  divergent_calls_ += other.divergent_calls_;
  non_coherent_ += other.non_coherent_;
  return *this;
}

InstructionCount InstructionMix::total() const {
  InstructionCount sum;
  for (const InstructionCount& count : counts_) sum += count;
  return sum;
}

}  // namespace syncline::platform
