// Basic blocks of one PTX function and the edges between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Instructions [first, last) that run one after another. Blocks are numbered in the order of the text.
struct BasicBlock {
  std::uint32_t first = 0, last = 0;
  std::vector<std::uint32_t> successors, predecessors;  ///< without repetition, ascending
  bool returns = false;                                 ///< ends in ret, or falls off the end of the body
  bool kills = false;  ///< ends in an unguarded exit or trap: threads that come here end
};

class ControlFlowGraph {
 public:
  explicit ControlFlowGraph(const Function& function);

  const std::vector<BasicBlock>& blocks() const { return blocks_; }
  std::uint32_t block_of(std::uint32_t instruction) const { return block_of_[instruction]; }
  std::size_t size() const { return blocks_.size(); }

 private:
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
};

/// Per block the block in which the threads that part at its end meet again, or no_index when there is none.
///
/// This is the immediate post-dominator over the ways that come back: a thread that ends (exit, trap, and in a kernel
/// every ret but one) has nobody to meet, so ways that can only end do not count.
std::vector<std::uint32_t> immediate_post_dominators(const ControlFlowGraph& graph, const Function& function);

/// All blocks in an order in which a block comes behind those that lead to it, but for branches back; the blocks of a
/// loop lie together, its entry first, before what comes behind the loop. Else the order of the text. (Priorities of
/// thread frontiers; Diamos et al., MICRO 2011, section 4.1.)
std::vector<std::uint32_t> block_order(const ControlFlowGraph& graph);

/// The graph in Graphviz' language: blocks with their instructions, dashed edges to the immediate post-dominators.
std::string to_dot(const Module& module, const Function& function);

}  // namespace syncline::isa
