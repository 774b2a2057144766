#include "isa/exec/decode/liveness.h"

#include <vector>

#include "isa/exec/decode/register_access.h"

namespace syncline::isa {
namespace {

/// Blocks, in the order of the text, that read what a register held before them, that surely give it a new value, and
/// that return with it.
struct Uses {
  std::vector<std::uint32_t> read, written, returned;
  bool is_written_in(std::uint32_t block) const { return !written.empty() && written.back() == block; }
  void read_in(std::uint32_t block) {
    if (!is_written_in(block) && (read.empty() || read.back() != block)) read.push_back(block);
  }
  void write_in(std::uint32_t block) {
    if (!is_written_in(block)) written.push_back(block);
  }
};

std::vector<Uses> uses_of_registers(const Function& function, const ControlFlowGraph& graph) {
  std::vector<Uses> uses(function.registers.size() + 1);
  RegisterAccess access;
  for (std::uint32_t b = 0; b < graph.size(); ++b) {
    const BasicBlock& block = graph.blocks()[b];
    for (std::uint32_t i = block.first; i < block.last; ++i) {
      register_access(function, function.instructions[i], access);
      for (const std::uint32_t r : access.reads) uses[r].read_in(b);
      if (!access.partial_write)
        for (const std::uint32_t r : access.writes) uses[r].write_in(b);
    }
    // Registers in which a function keeps its results are read when it returns.
    if (block.returns)
      for (const Variable& v : function.returns)
        if (v.reg != no_index) {
          uses[v.reg].read_in(b);
          uses[v.reg].returned.push_back(b);
        }
  }
  return uses;
}

}  // namespace

void visit_liveness(const Function& function, const ControlFlowGraph& graph, const RegisterInBlock& alive_at_begin,
                    const RegisterInBlock& alive_at_end) {
  const std::vector<Uses> uses = uses_of_registers(function, graph);
  // Each holds the last register for which it was so.
  std::vector<std::uint32_t> begins(graph.size(), no_index), ends(graph.size(), no_index),
      writes(graph.size(), no_index);
  std::vector<std::uint32_t> rest;
  for (std::uint32_t r = 0; r < uses.size(); ++r) {
    for (const std::uint32_t b : uses[r].written) writes[b] = r;
    const auto ends_alive = [&](std::uint32_t b) {
      if (ends[b] == r) return;
      ends[b] = r;
      alive_at_end(r, b);
    };
    const auto begins_alive = [&](std::uint32_t b) {
      if (begins[b] == r) return;
      begins[b] = r;
      alive_at_begin(r, b);
      rest.push_back(b);
    };
    for (const std::uint32_t b : uses[r].returned) ends_alive(b);
    for (const std::uint32_t b : uses[r].read) begins_alive(b);
    while (!rest.empty()) {
      const std::uint32_t block = rest.back();
      rest.pop_back();
      for (const std::uint32_t before : graph.blocks()[block].predecessors) {
        ends_alive(before);
        if (writes[before] != r) begins_alive(before);
      }
    }
  }
}

}  // namespace syncline::isa
