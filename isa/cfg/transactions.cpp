#include "isa/cfg/transactions.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>

#include "base/error.h"
#include "isa/ptx/printer.h"

namespace syncline::isa {
namespace {

/// Depths of nesting that threads may have when they come to a place: bit n stands for n, the highest also for more.
using Depths = std::uint64_t;
constexpr Depths outside = 1, deepest = Depths{1} << 63;

/// Behind a mark. A thread that commits nothing has ended with a fault.
Depths behind(Depths depths, TransactionMark mark) {
  if (mark == TransactionMark::begin) return depths << 1 | (depths & deepest);
  if (mark == TransactionMark::commit) return depths >> 1 | (depths & deepest);
  return depths;
}

bool does_nothing(const Function& function) {
  return std::all_of(function.instructions.begin(), function.instructions.end(),
                     [](const Instruction& i) { return i.opcode == Opcode::ret; });
}

const Function* called(const Module& module, const Instruction& instruction) {
  if (instruction.opcode != Opcode::call || instruction.operands[1].kind != OperandKind::symbol) return nullptr;
  return &module.functions[instruction.operands[1].symbol.index];
}

/// What is known of one function.
class FunctionDepths {
 public:
  FunctionDepths(const Module& module, const Function& function, const ControlFlowGraph& graph)
      : module_(module), function_(function), graph_(graph), at_begin_(graph.size(), 0) {
    if (graph.size() == 0) return;
    std::deque<std::uint32_t> open{0};
    at_begin_[0] = outside;
    while (!open.empty()) {
      const BasicBlock& block = graph.blocks()[open.front()];
      Depths depths = at_begin_[open.front()];
      open.pop_front();
      for (std::uint32_t i = block.first; i < block.last; ++i) depths = behind(depths, mark(i));
      for (const std::uint32_t next : block.successors) {
        if ((depths & ~at_begin_[next]) == 0) continue;
        at_begin_[next] |= depths;
        open.push_back(next);
      }
    }
  }

  /// `visit(instruction, depths)` for all that can be reached, in the order of the text.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::uint32_t b = 0; b < graph_.size(); ++b) {
      Depths depths = at_begin_[b];
      const BasicBlock& block = graph_.blocks()[b];
      for (std::uint32_t i = block.first; i < block.last && depths != 0; ++i) {
        visit(i, depths);
        depths = behind(depths, mark(i));
      }
    }
  }

  /// Instructions behind which threads come to the end of the body, inside a transaction whichever way they took.
  std::vector<std::uint32_t> ends_inside() const {
    std::vector<std::uint32_t> ends;
    for (std::uint32_t b = 0; b < graph_.size(); ++b) {
      const BasicBlock& block = graph_.blocks()[b];
      if (!block.returns || function_.instructions[block.last - 1].opcode == Opcode::ret) continue;
      Depths depths = at_begin_[b];
      for (std::uint32_t i = block.first; i < block.last; ++i) depths = behind(depths, mark(i));
      if (depths != 0 && (depths & outside) == 0) ends.push_back(block.last - 1);
    }
    return ends;
  }

  /// Line of the nearest mark at which a transaction begins on a way to behind `instruction`.
  std::uint32_t begins(std::uint32_t instruction) const {
    std::vector<bool> seen(graph_.size(), false);
    std::deque<std::pair<std::uint32_t, std::uint32_t>> open;  // block, and the end of the part of it to look at
    open.emplace_back(graph_.block_of(instruction), instruction + 1);
    while (!open.empty()) {
      const auto [b, end] = open.front();
      open.pop_front();
      const BasicBlock& block = graph_.blocks()[b];
      for (std::uint32_t i = end; i-- > block.first;)
        if (mark(i) == TransactionMark::begin) return function_.instructions[i].line;
      for (const std::uint32_t from : block.predecessors) {
        if (!seen[from]) open.emplace_back(from, graph_.blocks()[from].last);
        seen[from] = true;
      }
    }
    return 0;
  }

  TransactionMark mark(std::uint32_t i) const { return transaction_mark(module_, function_.instructions[i]); }
  const Function& function() const { return function_; }

 private:
  const Module& module_;
  const Function& function_;
  const ControlFlowGraph& graph_;
  std::vector<Depths> at_begin_;  ///< of each block
};

class TransactionVerifier {
 public:
  TransactionVerifier(const Module& module, const std::vector<std::uint32_t>& functions,
                      const std::vector<ControlFlowGraph>& graphs)
      : module_(module), callers_(functions.size()) {
    for (std::size_t n = 0; n < functions.size(); ++n) {
      index_.emplace(functions[n], n);
      depths_.emplace_back(module, module.functions[functions[n]], graphs[n]);
    }
  }

  void verify() {
    for (const FunctionDepths& of : depths_) check_alone(of);
    find_callers();
    for (std::size_t n = 1; n < depths_.size(); ++n)
      if (!callers_[n].from_outside && callers_[n].line != 0) check_called_inside(n);
  }

 private:
  /// From where a function is called.
  struct Callers {
    bool from_outside = false;  ///< perhaps
    std::uint32_t line = 0;     ///< of a call that is certainly inside a transaction; 0: there is none
  };

  [[noreturn]] void fail(const Instruction& at, const std::string& message) const {
    throw base::UserError({module_.source_name, at.line, at.column}, message);
  }

  void check_alone(const FunctionDepths& of) const {
    const Function& function = of.function();
    of.for_each([&](std::uint32_t i, Depths depths) {
      const Instruction& instruction = function.instructions[i];
      const TransactionMark mark = of.mark(i);
      if (mark != TransactionMark::none && instruction.guard)
        fail(instruction, fmt::format("`{}` has a guard; branch around it instead", text(function, instruction)));
      if (mark == TransactionMark::commit && depths == outside)
        fail(instruction, fmt::format("`{}` ends no transaction: none that begins in `{}` reaches it",
                                      text(function, instruction), function.name));
      if ((depths & outside) != 0) return;
      std::string_view why = not_in_transactions(module_, instruction);
      if (instruction.opcode == Opcode::ret) why = "it ends in the function in which it began, and is not committed";
      if (!why.empty())
        fail(instruction, fmt::format("`{}` inside the transaction that begins in line {}: {}",
                                      text(function, instruction), of.begins(i), why));
    });
    for (const std::uint32_t i : of.ends_inside())
      fail(function.instructions[i],
           fmt::format("`{}` ends behind `{}` inside the transaction that begins in line {}", function.name,
                       text(function, function.instructions[i]), of.begins(i)));
  }

  void find_callers() {
    callers_[0].from_outside = true;
    std::deque<std::size_t> open{0};
    std::vector<bool> waits(depths_.size(), false);
    const auto call = [&](std::size_t to, bool maybe_outside, std::uint32_t line) {
      Callers& of = callers_[to];
      const bool news = (maybe_outside && !of.from_outside) || (of.line == 0 && !of.from_outside);
      of.from_outside = of.from_outside || maybe_outside;
      if (of.line == 0 && !maybe_outside) of.line = line;
      if (!news || waits[to]) return;
      waits[to] = true;
      open.push_back(to);
    };
    while (!open.empty()) {
      const std::size_t n = open.front();
      open.pop_front();
      waits[n] = false;
      const FunctionDepths& of = depths_[n];
      of.for_each([&](std::uint32_t i, Depths depths) {
        const Instruction& instruction = of.function().instructions[i];
        if (instruction.opcode != Opcode::call) return;
        const bool inside = (depths & outside) == 0;
        const bool maybe_outside = !inside && callers_[n].from_outside;
        const std::uint32_t line = inside ? instruction.line : callers_[n].line;
        if (instruction.operands[1].kind == OperandKind::reg) {
          for (std::size_t to = 1; to < depths_.size(); ++to) call(to, maybe_outside, line);
        } else if (const auto to = index_.find(instruction.operands[1].symbol.index); to != index_.end()) {
          call(to->second, maybe_outside, line);
        }
      });
    }
  }

  void check_called_inside(std::size_t n) const {
    const Function& function = depths_[n].function();
    depths_[n].for_each([&](std::uint32_t i, Depths) {
      const Instruction& instruction = function.instructions[i];
      const std::string_view why = not_in_transactions(module_, instruction);
      if (!why.empty())
        fail(instruction, fmt::format("`{}` inside a transaction: `{}` is called in one only (line {}), and {}",
                                      text(function, instruction), function.name, callers_[n].line, why));
    });
  }

  std::string text(const Function& function, const Instruction& instruction) const {
    return to_string(module_, function, instruction);
  }

  const Module& module_;
  std::unordered_map<std::uint32_t, std::size_t> index_;  ///< Module::functions -> depths_
  std::vector<FunctionDepths> depths_;
  std::vector<Callers> callers_;
};

}  // namespace

TransactionMark transaction_mark(const Module& module, const Instruction& instruction) {
  if (instruction.opcode == Opcode::tx) return instruction.mods.transaction;
  const Function* const function = called(module, instruction);
  if (function == nullptr) return TransactionMark::none;
  if (function->name != "__tbegin" && function->name != "__tcommit") return TransactionMark::none;
  if (!does_nothing(*function)) return TransactionMark::none;
  return function->name == "__tbegin" ? TransactionMark::begin : TransactionMark::commit;
}

std::string_view not_in_transactions(const Module& module, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::bar:
    case Opcode::barrier:
      if (instruction.mods.barrier != BarrierMode::warp_sync)
        return "threads of a CTA cannot meet while their transactions may begin again";
      break;
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
      if (!instruction.mods.sync) return {};
      break;
    case Opcode::exit_:
    case Opcode::trap:
      return "a thread that ends cannot commit it";
    case Opcode::alloca_:
      return "the stack would grow whenever it begins again";
    case Opcode::call: {
      const Function* const function = called(module, instruction);
      if (function == nullptr || function->has_body || transaction_mark(module, instruction) != TransactionMark::none)
        return {};
      return "what the system does for it cannot be undone";
    }
    default:
      return {};
  }
  return "lanes of a warp cannot wait for each other while each may begin again by itself";
}

void verify_transactions(const Module& module, const std::vector<std::uint32_t>& functions,
                         const std::vector<ControlFlowGraph>& graphs) {
  const bool any = std::any_of(functions.begin(), functions.end(), [&](std::uint32_t f) {
    const std::vector<Instruction>& all = module.functions[f].instructions;
    return std::any_of(all.begin(), all.end(), [&](const Instruction& instruction) {
      return transaction_mark(module, instruction) != TransactionMark::none;
    });
  });
  if (any) TransactionVerifier(module, functions, graphs).verify();
}

}  // namespace syncline::isa
