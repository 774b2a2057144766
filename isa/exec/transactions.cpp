// Lanes that enter transactions and come to their ends. Whether they commit is a policy's business (Warp::commit).
#include "isa/cfg/transactions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "isa/exec/execute.h"
#include "isa/exec/memory_fault.h"

namespace syncline::isa {
namespace {

[[noreturn]] void fail(const Warp& warp, const Op& op, base::LaneMask lanes, std::string_view what) {
  throw base::ProgramFault(fmt::format("{}: {} ({} in kernel `{}`)", warp.program().where(op), what,
                                       thread_name(warp, base::first_lane(lanes)), warp.program().kernel().name));
}

}  // namespace

/// Whoever begins again begins behind this instruction, so that it is executed once.
void WarpExecutor::transaction_begin(Warp& w, const Op& op, Step& step) {
  const base::LaneMask nested = step.lanes & w.transactional_;
  if (nested != 0 && nested != step.lanes)
    throw base::ModelError(w.program_->where(op) + ": lanes in transactions and others are on one path");
  if (op.opcode == Opcode::call) answer_mark(w, op, step.lanes);
  if (nested != 0) {
    base::for_each_lane(nested, [&](unsigned lane) { ++w.nesting_[lane]; });
    return advance(w);
  }
  step.kind = StepKind::transaction_begin;
  base::for_each_lane(step.lanes, [&](unsigned lane) { w.nesting_[lane] = 1; });
  w.transactional_ |= step.lanes;
  ++w.cursor_.pc;
  w.checkpoint();
}

void WarpExecutor::transaction_commit(Warp& w, const Op& op, Step& step) {
  if (const base::LaneMask none = step.lanes & ~w.transactional_; none != 0)
    fail(w, op, none, "a commit outside of transactions");
  if (op.opcode == Opcode::call) answer_mark(w, op, step.lanes);
  base::LaneMask ends = 0;
  base::for_each_lane(step.lanes, [&](unsigned lane) {
    if (--w.nesting_[lane] == 0) ends |= base::lane_bit(lane);
  });
  if (ends == 0) return advance(w);
  for (const Warp::SavedRegisters& saved : w.saved_)
    if ((saved.lanes & ends) != 0 && saved.frame != w.cursor_.frame)
      fail(w, op, saved.lanes & ends, "the transaction began in a caller of this function, which has to commit it");
  step.kind = StepKind::transaction_commit;
  step.lanes = ends;
  ++w.cursor_.pc;
  const bool all = ends == w.cursor_.lanes;
  w.reconvergence_->arrive(w.cursor_, ends);
  if (!all && w.cursor_.pc == w.cursor_.watch) return meet(w);
  w.follow();
}

/// Calls that mark transactions return 0.
void WarpExecutor::answer_mark(Warp& w, const Op& op, base::LaneMask lanes) {
  w.host_frame_ = w.cursor_.frame;
  base::for_each_lane(lanes, [&](unsigned lane) { w.set_result(op, lane, 0); });
}

void WarpExecutor::throw_inside(const Warp& w, const Op& op, base::LaneMask lanes) {
  const Instruction* const instruction = w.program_->instruction(op);
  std::string_view why;
  if (instruction != nullptr) why = not_in_transactions(w.program_->module(), *instruction);
  if (why.empty()) why = "a thread that ends cannot commit it";
  fail(w, op, lanes, fmt::format("inside a transaction: {}", why));
}

/// The frame to which lanes could be brought back is about to go.
void WarpExecutor::require_ended(const Warp& w, const Op& op) {
  for (const Warp::SavedRegisters& saved : w.saved_)
    if (const base::LaneMask lanes = saved.lanes & w.cursor_.lanes & w.transactional_;
        lanes != 0 && saved.frame == w.cursor_.frame)
      fail(w, op, lanes, "the function ends inside a transaction that began in it");
}

}  // namespace syncline::isa
