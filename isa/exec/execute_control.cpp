// Branch tables, calls, returns and exits.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "isa/exec/execute.h"

namespace syncline::isa {
namespace {

constexpr std::uint64_t most_frame_bytes = std::uint64_t{128} << 20;  // of the registers of all frames of half a warp

}  // namespace

/// Local addresses have a window, which neither calls nor alloca may leave.
void WarpExecutor::require_local(const Warp& w, const Op& op, std::uint64_t bytes) {
  if (bytes > AddressWindows::local_bytes)
    throw base::ProgramFault(
        fmt::format("{}: call stack overflow: {} bytes of local memory are wanted, a thread can "
                    "address {}",
                    w.program_->where(op), bytes, AddressWindows::local_bytes));
}

void WarpExecutor::exit(Warp& w, base::LaneMask lanes) {
  if (w.in_region()) w.forget(lanes);
  if (lanes != w.cursor_.lanes) {
    if (lanes != 0) w.reconvergence_->exit(w.cursor_, lanes);
    advance(w);
    return;
  }
  w.reconvergence_->exit(w.cursor_, lanes);
  w.follow();
}

void WarpExecutor::branch_table(Warp& w, const Op& op, base::LaneMask lanes) {
  const std::vector<std::uint32_t>& table = w.program_->branch_table(op);
  std::array<BranchSide, base::max_lanes> sides;
  std::size_t count = 0;
  const auto add = [&](std::uint32_t pc, base::LaneMask mask) {
    for (std::size_t n = 0; n < count; ++n)
      if (sides[n].pc == pc) {
        sides[n].lanes |= mask;
        return;
      }
    sides[count++] = {pc, mask};
  };
  if (lanes != w.cursor_.lanes) add(w.cursor_.pc + 1, w.cursor_.lanes & ~lanes);
  base::for_each_lane(lanes, [&](unsigned lane) {
    const std::uint64_t index = read_register(w, lane, op.src[0], 4);
    if (index >= table.size())
      throw base::ProgramFault(fmt::format("{}: lane {} takes entry {} of a branch table with {}",
                                           w.program_->where(op), lane, index, table.size()));
    add(table[index], base::lane_bit(lane));
  });
  if (count != 1) {
    w.reconvergence_->diverge(w.cursor_, sides.data(), count, op.reconverge);
    w.follow();
  } else if (w.cursor_.jumps) {
    leap(w, sides[0].pc);
  } else {
    jump(w, sides[0].pc);
  }
}

/// Where paths take turns, others may have frames behind the caller's: the first number above the caller's, and the
/// first gap between registers, that nobody has.
void WarpExecutor::free_frame(const Warp& w, std::uint32_t bytes, std::uint32_t& index, std::uint32_t& registers) {
  std::vector<WaitingPath> paths;
  w.reconvergence_->waiting(paths);
  std::vector<bool> is_live(w.frames_.size(), false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
  const auto mark = [&](std::uint32_t f) {
    for (; !is_live[f]; f = w.frames_[f].parent) {
      is_live[f] = true;
      taken.emplace_back(w.frames_[f].registers, w.frames_[f].registers + w.frames_[f].code->frame_bytes);
    }
  };
  mark(w.cursor_.frame);
  for (const WaitingPath& path : paths) mark(path.frame);
  while (index < is_live.size() && is_live[index]) ++index;
  std::sort(taken.begin(), taken.end());
  registers = 0;
  for (const auto& [begin, end] : taken) {
    if (begin >= registers + bytes) break;
    registers = std::max(registers, end);
  }
}

std::uint8_t* WarpExecutor::in_frame(const Warp& w, const Frame& frame, unsigned half, OperandRef ref) {
  if (ref.bank() != static_cast<unsigned>(Bank::registers)) return at(w, half, ref);
  return w.registers_ + half * w.half_bytes_ + frame.registers + ref.offset();
}

std::uint8_t* WarpExecutor::param_area(const Warp& w, const Frame& frame, unsigned lane) {
  return w.registers_ + (lane / kernel_lanes) * w.half_bytes_ + frame.registers + frame.code->param_area +
         (lane % kernel_lanes) * frame.code->param_stride;
}

void WarpExecutor::copy_value(Warp& w, const Frame& from_frame, const CallValue& from, const Frame& to_frame,
                              const CallValue& to, base::LaneMask lanes) {
  if (to.sink || from.sink) return;
  base::for_each_lane(lanes, [&](unsigned lane) {
    const unsigned half = lane / kernel_lanes, column = lane % kernel_lanes;
    if (from.in_register && from.register_bytes == 0) {  // a predicate goes to a predicate
      std::uint32_t bits = 0, all = 0;
      std::uint8_t* const place = in_frame(w, to_frame, half, to.reg);
      std::memcpy(&bits, in_frame(w, from_frame, half, from.reg), sizeof bits);
      std::memcpy(&all, place, sizeof all);
      all = (all & ~(1u << column)) | (bits & (1u << column));
      std::memcpy(place, &all, sizeof all);
      return;
    }
    const std::uint8_t* const source = from.in_register
                                           ? in_frame(w, from_frame, half, from.reg) + column * from.register_bytes
                                           : param_area(w, from_frame, lane) + from.param;
    const std::size_t have = from.in_register ? from.register_bytes : from.bytes;
    std::uint8_t* const place = to.in_register ? in_frame(w, to_frame, half, to.reg) + column * to.register_bytes
                                               : param_area(w, to_frame, lane) + to.param;
    const std::size_t room = to.in_register ? to.register_bytes : to.bytes;
    std::memcpy(place, source, std::min(have, room));
    if (room > have) std::memset(place + have, 0, room - have);
  });
}

/// An indirect call goes by its prototype, of which the function that it comes to knows nothing.
void WarpExecutor::require_match(const Program& program, const Op& op, unsigned lane, const CallSite& site,
                                 const FunctionCode& callee) {
  const Function& function = program.module().functions[callee.function];
  if (callee.parameters.size() != site.arguments.size() || callee.returns.size() != site.results.size())
    throw base::ProgramFault(fmt::format(
        "{}: lane {} calls `{}` with {} arguments for {} results; it takes {} and returns {}", program.where(op), lane,
        function.name, site.arguments.size(), site.results.size(), callee.parameters.size(), callee.returns.size()));
  const auto require = [&](const char* what, std::size_t n, std::uint32_t have, std::uint32_t want) {
    if (have != want)
      throw base::ProgramFault(fmt::format("{}: lane {} calls `{}`, whose {} {} has {} bytes, not {} as this call says",
                                           program.where(op), lane, function.name, what, n + 1, want, have));
  };
  const bool open = !function.params.empty() && function.params.back().unsized;
  for (std::size_t n = 0; n + (open ? 1 : 0) < site.arguments.size(); ++n)
    require("argument", n, site.arguments[n].bytes, callee.parameters[n].bytes);
  for (std::size_t n = 0; n < site.results.size(); ++n)
    require("result", n, site.results[n].bytes, callee.returns[n].bytes);
}

void WarpExecutor::call(Warp& w, const Op& op, base::LaneMask lanes) {
  const Program& program = *w.program_;
  const CallSite& site = program.call(op);
  if (lanes == 0) {
    advance(w);
    return;
  }
  const FunctionCode* callee = nullptr;
  base::LaneMask group = lanes;
  std::uint32_t rest_pc = w.cursor_.pc + 1;
  if (op.kind == OpKind::call) {
    callee = &program.functions()[site.code];
  } else {
    // Lanes that call different functions take turns, the target of the lowest lane first.
    const unsigned leader = base::first_lane(lanes);
    const std::uint64_t address = read_register(w, leader, site.target, site.target_bytes);
    callee = program.code_of(function_at(address, program.module().functions.size()));
    if (callee == nullptr)
      throw base::ProgramFault(
          fmt::format("{}: lane {} calls address {:#x}, where no function begins", program.where(op), leader, address));
    require_match(program, op, leader, site, *callee);
    group = 0;
    base::for_each_lane(lanes, [&](unsigned lane) {
      if (read_register(w, lane, site.target, site.target_bytes) == address) group |= base::lane_bit(lane);
    });
    if (group != lanes) rest_pc = w.cursor_.pc;
  }

  const std::uint32_t caller = w.cursor_.frame;
  const unsigned depth = w.frames_[caller].depth + 1;
  if (depth > w.call_limit_)
    throw base::ProgramFault(fmt::format("{}: call stack overflow: {} calls are nested, the limit is {}",
                                         program.where(op), depth, w.call_limit_));
  std::uint32_t index = caller + 1, registers = w.frames_[caller].registers + w.frames_[caller].code->frame_bytes;
  if (w.takes_turns_) free_frame(w, callee->frame_bytes, index, registers);
  if (index >= w.frames_.size()) w.frames_.resize(index + 1);
  Frame& frame = w.frames_[index];
  frame = Frame{};
  frame.code = callee;
  frame.registers = registers;
  frame.return_pc = w.cursor_.pc + 1;
  frame.parent = caller;
  frame.depth = depth;
  frame.local_base = w.frames_[caller].local_top;
  frame.local_top = frame.local_base + callee->local_bytes;
  frame.site = &site;
  const std::uint64_t needed = std::uint64_t{frame.registers} + callee->frame_bytes;
  if (needed > most_frame_bytes)
    throw base::ProgramFault(
        fmt::format("{}: call stack overflow: the registers of {} nested calls take {} bytes a "
                    "thread, the limit is {}",
                    program.where(op), depth, needed / kernel_lanes, most_frame_bytes / kernel_lanes));
  require_local(w, op, frame.local_top);
  if (needed > w.half_bytes_)
    w.reserve_registers(static_cast<std::uint32_t>(std::max<std::uint64_t>(needed, 2ULL * w.half_bytes_)));
  w.enter_frame(caller);
  for (unsigned half = 0; half < w.halves_; ++half) std::memset(registers_of(w, index, half), 0, callee->frame_bytes);
  for (std::size_t n = 0; n < site.arguments.size() && n < callee->parameters.size(); ++n)
    copy_value(w, w.frames_[caller], site.arguments[n], frame, callee->parameters[n], group);
  w.reconvergence_->call(w.cursor_, group, callee->entry, index, frame.return_pc, rest_pc);
  w.enter_frame(w.cursor_.frame);
}

void WarpExecutor::ret(Warp& w) {
  const Frame& frame = w.frames_[w.cursor_.frame];
  const Frame& caller = w.frames_[frame.parent];
  for (std::size_t n = 0; n < frame.site->results.size() && n < frame.code->returns.size(); ++n)
    copy_value(w, frame, frame.code->returns[n], caller, frame.site->results[n], w.cursor_.lanes);
  w.reconvergence_->ret(w.cursor_, frame.return_pc, frame.parent);
  w.follow();
}

}  // namespace syncline::isa
