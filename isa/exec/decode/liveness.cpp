#include "isa/exec/decode/liveness.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "isa/exec/decode/register_access.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t most_pairs = std::uint64_t{1} << 33;  // a second or two

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
        for (unsigned e = 0; v.reg != no_index && e < v.vector; ++e) {
          uses[v.reg + e].read_in(b);
          uses[v.reg + e].returned.push_back(b);
        }
  }
  return uses;
}

/// A set of as many registers as are followed at once.
struct Group {
  static constexpr unsigned words = 4, size = 64 * words;
  std::array<std::uint64_t, words> bits{};
  void add(unsigned n) { bits[n / 64] |= std::uint64_t{1} << (n % 64); }
};

/// The registers of one group, at the borders of all blocks.
class Followed {
 public:
  explicit Followed(const ControlFlowGraph& graph)
      : graph_(graph), begins_(graph.size()), ends_(graph.size()), writes_(graph.size()), waits_(graph.size(), false) {}

  void clear() {
    begins_.assign(begins_.size(), {});
    ends_.assign(ends_.size(), {});
    writes_.assign(writes_.size(), {});
  }

  void add(unsigned n, const Uses& uses) {
    for (const std::uint32_t b : uses.written) writes_[b].add(n);
    for (const std::uint32_t b : uses.returned) ends_[b].add(n);
    for (const std::uint32_t b : uses.read) {
      begins_[b].add(n);
      wait(b);
    }
  }

  /// What a block needs at its beginning the blocks before it must have at their end, and, unless they write it, at
  /// their beginning.
  void follow() {
    while (!rest_.empty()) {
      const std::uint32_t block = rest_.back();
      rest_.pop_back();
      waits_[block] = false;
      for (const std::uint32_t before : graph_.blocks()[block].predecessors) {
        std::uint64_t more = 0;
        for (unsigned w = 0; w < Group::words; ++w) {
          const std::uint64_t needed = begins_[block].bits[w];
          ends_[before].bits[w] |= needed;
          const std::uint64_t passed = needed & ~writes_[before].bits[w] & ~begins_[before].bits[w];
          begins_[before].bits[w] |= passed;
          more |= passed;
        }
        if (more != 0) wait(before);
      }
    }
  }

  /// Tells what was found about the n-th register of the group to needed(n).
  template <class Needed>
  void tell(const Needed& needed) const {
    const auto count = static_cast<std::uint32_t>(begins_.size());
    first(begins_, 0, count, [&](unsigned n, std::uint32_t b) { needed(n).first_begin = b; });
    first(ends_, 0, count, [&](unsigned n, std::uint32_t b) { needed(n).first_end = b; });
    first(begins_, count, 0, [&](unsigned n, std::uint32_t b) { needed(n).last_begin = b; });
    first(ends_, count, 0, [&](unsigned n, std::uint32_t b) { needed(n).last_end = b; });
  }

 private:
  void wait(std::uint32_t block) {
    if (waits_[block]) return;
    waits_[block] = true;
    rest_.push_back(block);
  }

  /// The first block with each register on the way from `from` to `to`, upwards or downwards.
  template <class Found>
  static void first(const std::vector<Group>& blocks, std::uint32_t from, std::uint32_t to, const Found& found) {
    Group seen;
    const bool up = from < to;
    for (std::uint32_t at = from; at != to; up ? ++at : --at) {
      const std::uint32_t b = up ? at : at - 1;
      for (unsigned w = 0; w < Group::words; ++w)
        for (std::uint64_t fresh = blocks[b].bits[w] & ~seen.bits[w]; fresh != 0; fresh &= fresh - 1) {
          const unsigned n = 64 * w + static_cast<unsigned>(__builtin_ctzll(fresh));
          seen.add(n);
          found(n, b);
        }
    }
  }

  const ControlFlowGraph& graph_;
  std::vector<Group> begins_, ends_, writes_;
  std::vector<bool> waits_;  ///< is in rest_
  std::vector<std::uint32_t> rest_;
};

}  // namespace

std::vector<NeededIn> needed_registers(const Function& function, const ControlFlowGraph& graph,
                                       const base::SourceLocation& where) {
  const std::vector<Uses> uses = uses_of_registers(function, graph);
  const auto lives_within_blocks = [](const Uses& u) { return u.read.empty() && u.returned.empty(); };
  const auto across = static_cast<std::uint64_t>(uses.size()) -
                      static_cast<std::uint64_t>(std::count_if(uses.begin(), uses.end(), lives_within_blocks));
  if (across * graph.size() > most_pairs)
    throw base::UserError(where, fmt::format("`{}` is too large: {} registers keep a value from one of its {} basic "
                                             "blocks to another, and {} pairs of both can be followed",
                                             function.name, across, graph.size(), most_pairs));
  std::vector<NeededIn> needed(uses.size());
  Followed followed(graph);
  std::vector<std::uint32_t> group;
  const auto finish = [&] {
    followed.follow();
    followed.tell([&](unsigned n) -> NeededIn& { return needed[group[n]]; });
    group.clear();
    followed.clear();
  };
  for (std::uint32_t r = 0; r < uses.size(); ++r) {
    if (lives_within_blocks(uses[r])) continue;
    followed.add(static_cast<unsigned>(group.size()), uses[r]);
    group.push_back(r);
    if (group.size() == Group::size) finish();
  }
  if (!group.empty()) finish();
  return needed;
}

}  // namespace syncline::isa
