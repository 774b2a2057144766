#include "isa/exec/loop_slice.h"

#include <algorithm>

namespace syncline::isa {
namespace {

/// Gives its results from its sources, and does nothing else.
bool only_computes(OpKind kind) {
  switch (kind) {
    case OpKind::lanes:
    case OpKind::adapted:
    case OpKind::pack:
    case OpKind::unpack:
    case OpKind::vector_move:
      return true;
    default:
      return false;
  }
}

/// Of these the decoder does not say which registers they use.
bool uses_any_register(const Op& op) {
  return op.drains || op.kind == OpKind::call || op.kind == OpKind::call_indirect || op.kind == OpKind::system_call;
}

}  // namespace

void LoopSlice::clear() {
  frames_.clear();
  known_.clear();
  found_ = false;
}

void LoopSlice::executed(std::uint32_t frame, std::uint32_t pc, const Op& op) {
  if (!known_.insert(std::uint64_t{frame} << 32 | pc).second) return;
  found_ = false;
  FrameSlice& slice = frames_[frame];
  if (uses_any_register(op))
    slice.whole = true;
  else
    slice.ops.push_back(&op);
}

/// Registers of the module are those of all frames: they always decide.
void LoopSlice::find(FrameSlice& slice, std::size_t module_registers) {
  std::size_t most = module_registers;
  for (const Op* const op : slice.ops)
    for (unsigned n = 0; n < unsigned{op->registers.reads} + op->registers.writes; ++n)
      most = std::max<std::size_t>(most, op->registers.ids[n] + 1U);
  slice.deciding.assign(most, false);
  std::fill_n(slice.deciding.begin(), module_registers, true);
  for (bool more = true; more;) {
    more = false;
    for (const Op* const op : slice.ops) {
      const RegisterUse& use = op->registers;
      const auto* const writes = use.ids.begin() + use.reads;
      const bool matters = !only_computes(op->kind) || std::any_of(writes, writes + use.writes, [&](std::uint16_t id) {
        return slice.deciding[id];
      });
      if (!matters) continue;
      for (unsigned n = 0; n < use.reads; ++n) {
        more = more || !slice.deciding[use.ids[n]];
        slice.deciding[use.ids[n]] = true;
      }
    }
  }
}

bool LoopSlice::decides(std::uint32_t frame, std::uint32_t id, const Program& program) {
  if (!found_)
    for (auto& [number, slice] : frames_) find(slice, program.module_registers().size());
  found_ = true;
  const auto slice = frames_.find(frame);
  if (slice == frames_.end()) return true;  // waits, and its registers with it
  return slice->second.whole || (id < slice->second.deciding.size() && slice->second.deciding[id]);
}

}  // namespace syncline::isa
