// Transactions as programs mark them, and what control flow proves of their use before a kernel runs.
//
// A transaction begins at `tx.begin` and ends at `tx.commit`, which are no PTX, or at calls of functions without a body
// (or with nothing in it but `ret`) of the names `__tbegin` and `__tcommit`, by which programs for simulators of
// transactional memories mark them. Nested ones are one: a thread counts how deep it is, and the outermost mark counts.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "isa/cfg/control_flow_graph.h"

namespace syncline::isa {

/// What an instruction marks.
TransactionMark transaction_mark(const Module& module, const Instruction& instruction);

/// Why an instruction cannot be inside a transaction; empty: it can.
std::string_view not_in_transactions(const Module& module, const Instruction& instruction);

/// Checks a kernel, the first of `functions` (indices into Module::functions), and all others that it can call. Throws
/// base::UserError with the place for what is certain whichever way a thread takes: a commit that no begin of its
/// function reaches; a function that ends inside a transaction that began in it; and an instruction that cannot be in
/// a transaction, where every way to it is inside one, those of its callers too. What depends on the way shows when it
/// happens (isa/exec/transactions.h).
void verify_transactions(const Module& module, const std::vector<std::uint32_t>& functions,
                         const std::vector<ControlFlowGraph>& graphs);

}  // namespace syncline::isa
