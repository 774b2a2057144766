#include "isa/exec/decode/register_allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <queue>

#include "isa/exec/decode/liveness.h"
#include "isa/exec/decode/register_access.h"

namespace syncline::isa {
namespace {

/// Life of one register in half instructions: an instruction reads at 2*i and writes at 2*i + 1.
struct Interval {
  std::uint32_t reg = 0;
  std::uint32_t begin = no_index, end = 0;
  bool used() const { return begin != no_index; }
  void extend(std::uint32_t position) {
    begin = std::min(begin, position);
    end = std::max(end, position);
  }
};

/// Storage class_count: predicates (a mask), then 2, 4, 8 and 16 bytes per lane.
constexpr unsigned class_count = 5;
constexpr std::array<unsigned, class_count> class_bytes{0, 2, 4, 8, 16};
constexpr std::uint32_t most_live = 0xFFFF;  // as many as have a number (RegisterPlace::id)
/// 32-bit registers of the hardware that a value of the class takes; predicates have a file of their own.
constexpr std::array<unsigned, class_count> class_cost{0, 1, 1, 2, 4};

unsigned class_of(Type type) {
  switch (type_bytes(type)) {
    case 0:
      return 0;
    case 1:
    case 2:
      return 1;
    case 4:
      return 2;
    case 8:
      return 3;
    default:
      return 4;
  }
}

unsigned class_of(const Function& function, std::uint32_t reg) {
  return reg == carry_register(function) ? 0 : class_of(function.registers[reg].type);
}

/// A result may take the storage of an operand that dies in the same instruction only when the instruction reads all
/// operands of a lane before it writes that lane's one result. Everything else keeps its operands to the end.
bool may_overwrite_operands(const Instruction& instruction, const RegisterAccess& access) {
  if (access.writes.size() != 1) return false;
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldu:
    case Opcode::atom:
    case Opcode::call:
    case Opcode::shfl:
    case Opcode::vote:
    case Opcode::match:
    case Opcode::redux:
    case Opcode::elect:
    case Opcode::bar:
    case Opcode::barrier:
    case Opcode::cvt:
    case Opcode::alloca_:
      return false;
    case Opcode::mov:
      return instruction.operands[0].kind == OperandKind::reg && instruction.operands[1].kind != OperandKind::vector;
    default:
      return true;
  }
}

std::vector<Interval> live_intervals(const Function& function, const ControlFlowGraph& graph,
                                     const base::SourceLocation& where) {
  std::vector<Interval> intervals(function.registers.size() + 1);
  for (std::uint32_t r = 0; r < intervals.size(); ++r) intervals[r].reg = r;
  const auto last_position = static_cast<std::uint32_t>(2 * function.instructions.size() + 1);

  const std::vector<NeededIn> needed = needed_registers(function, graph, where);
  for (std::uint32_t r = 0; r < intervals.size(); ++r) {
    for (const std::uint32_t b : {needed[r].first_begin, needed[r].last_begin})
      if (b != no_index) intervals[r].extend(2 * graph.blocks()[b].first);
    for (const std::uint32_t b : {needed[r].first_end, needed[r].last_end})
      if (b != no_index) intervals[r].extend(2 * graph.blocks()[b].last - 1);
  }
  RegisterAccess access;
  for (std::size_t b = 0; b < graph.size(); ++b) {
    const BasicBlock& block = graph.blocks()[b];
    for (std::uint32_t i = block.first; i < block.last; ++i) {
      register_access(function, function.instructions[i], access);
      const std::uint32_t read = 2 * i + (may_overwrite_operands(function.instructions[i], access) ? 0 : 1);
      for (const std::uint32_t r : access.reads) {
        intervals[r].extend(2 * i);
        intervals[r].extend(read);
      }
      for (const std::uint32_t r : access.writes) intervals[r].extend(2 * i + 1);
    }
  }
  // Parameters in registers are written before the first instruction, results are read behind the last.
  for (const Variable& v : function.params)
    for (unsigned e = 0; v.reg != no_index && e < v.vector; ++e) intervals[v.reg + e].extend(0);
  for (const Variable& v : function.returns)
    for (unsigned e = 0; v.reg != no_index && e < v.vector; ++e) {
      intervals[v.reg + e].extend(0);
      intervals[v.reg + e].extend(last_position);
    }
  // Registers of the module live longer than any function, elsewhere.
  for (std::uint32_t r = 0; r < function.registers.size(); ++r)
    if (function.registers[r].shared != no_index) intervals[r].begin = no_index;
  return intervals;
}

unsigned highest_pressure(const Function& function, const std::vector<Interval>& intervals) {
  std::vector<int> change(2 * function.instructions.size() + 3);
  for (const Interval& interval : intervals)
    if (interval.used()) {
      const int cost = static_cast<int>(class_cost[class_of(function, interval.reg)]);
      change[interval.begin] += cost;
      change[interval.end + 1] -= cost;
    }
  int now = 0, most = 0;
  for (const int c : change) most = std::max(most, now += c);
  return static_cast<unsigned>(most);
}

/// Gives every interval a slot of its class; returns the number of slots per class.
std::array<std::uint32_t, class_count> assign_slots(const Function& function, std::vector<Interval> intervals,
                                                    Allocation allocation, std::vector<std::uint32_t>& slot) {
  std::sort(intervals.begin(), intervals.end(), [](const Interval& a, const Interval& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.reg < b.reg;
  });
  struct Later {
    bool operator()(const std::pair<std::uint32_t, std::uint32_t>& a,
                    const std::pair<std::uint32_t, std::uint32_t>& b) {
      return a > b;
    }
  };
  using Ends = std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                                   std::vector<std::pair<std::uint32_t, std::uint32_t>>, Later>;
  using Free = std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>>;
  std::array<Ends, class_count> running;  // (end, slot)
  std::array<Free, class_count> free;
  std::array<std::uint32_t, class_count> slots{};
  for (const Interval& interval : intervals) {
    if (!interval.used()) continue;
    const unsigned c = class_of(function, interval.reg);
    if (allocation == Allocation::linear_scan)
      while (!running[c].empty() && running[c].top().first < interval.begin) {
        free[c].push(running[c].top().second);
        running[c].pop();
      }
    std::uint32_t chosen = slots[c];
    if (free[c].empty()) {
      ++slots[c];
    } else {
      chosen = free[c].top();
      free[c].pop();
    }
    slot[interval.reg] = chosen;
    running[c].push({interval.end, chosen});
  }
  return slots;
}

}  // namespace

unsigned storage_bytes(Type type) {
  return class_bytes[class_of(type)];
}

unsigned storage_cost(Type type) {
  return class_cost[class_of(type)];
}

RegisterLayout allocate_registers(const Function& function, const ControlFlowGraph& graph, Allocation allocation,
                                  const std::vector<RegisterPlace>& shared, std::uint16_t shared_ids,
                                  const base::SourceLocation& where) {
  const std::vector<Interval> intervals = live_intervals(function, graph, where);
  std::vector<std::uint32_t> slot(intervals.size(), no_index);
  const std::array<std::uint32_t, class_count> slots = assign_slots(function, intervals, allocation, slot);

  RegisterLayout layout;
  layout.pressure = highest_pressure(function, intervals);
  std::array<std::uint32_t, class_count> base{}, first_id{};
  std::uint32_t ids = shared_ids;
  for (unsigned c = 0; c < class_count; ++c) {
    base[c] = layout.bytes;
    if (slots[c] != 0) layout.blocks.push_back({layout.bytes, slots[c], static_cast<std::uint8_t>(class_bytes[c])});
    first_id[c] = ids;
    const std::uint32_t bytes = slots[c] * (c == 0 ? 4 : class_bytes[c] * kernel_lanes);
    layout.bytes += (bytes + 63) / 64 * 64;
    ids += slots[c];
  }
  if (ids > most_live)
    throw base::UserError(
        where, fmt::format("`{}` keeps {} registers at once; {} are possible", function.name, ids, most_live));
  layout.places.resize(intervals.size());
  for (std::uint32_t r = 0; r < intervals.size(); ++r) {
    if (slot[r] == no_index) continue;
    const unsigned c = class_of(function, r);
    layout.places[r].bytes = static_cast<std::uint8_t>(class_bytes[c]);
    layout.places[r].offset = base[c] + slot[r] * (c == 0 ? 4 : class_bytes[c] * kernel_lanes);
    layout.places[r].id = static_cast<std::uint16_t>(first_id[c] + slot[r]);
  }
  for (std::uint32_t r = 0; r < function.registers.size(); ++r)
    if (const std::uint32_t s = function.registers[r].shared; s != no_index) layout.places[r] = shared[s];
  return layout;
}

}  // namespace syncline::isa
