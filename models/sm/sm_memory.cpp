// What an SM does with memory instructions, by state space.
#include <algorithm>

#include "isa/exec/memory_fault.h"
#include "models/sm/lane_values.h"
#include "models/sm/shared_memory.h"
#include "models/sm/sm.h"

namespace syncline::models {
namespace {

WarpMemory told(const MemoryInstruction& instruction) {
  return {instruction.access, instruction.pc, instruction.parts.size(), instruction.order};
}

/// Different words that the lanes read: a constant cache gives all lanes one word in a cycle.
unsigned different_addresses(const isa::MemoryAccess& access) {
  const std::uint64_t first = access.address[base::first_lane(access.lanes)];
  unsigned different = 1;
  base::for_each_lane(access.lanes & (access.lanes - 1), [&](unsigned lane) {
    if (access.address[lane] == first) return;
    bool seen = false;
    base::for_each_lane(access.lanes & (base::lane_bit(lane) - 1),
                        [&](unsigned other) { seen = seen || access.address[other] == access.address[lane]; });
    if (!seen) ++different;
  });
  return different;
}

}  // namespace

void Sm::do_memory(unsigned slot, const isa::Step& step) {
  MemoryInstruction& instruction = path_.next_entry();
  if (instruction.access.lanes == 0) {
    warps_[slot].board.write(*step.op, now_ + units_.timing(step.op->unit).latency);
    return;
  }
  instruction.pc = step.pc;
  instruction.slot = slot;
  const std::uint64_t window = prepare(instruction);
  if (lane_path_ != nullptr) return lane_path_->begin(instruction, identity(slot), window, now_);
  instruction.results = instruction.access.lanes;
  go_to_memory(instruction);
}

/// Checks the addresses, and says by which kind of access the instruction goes. Returns how many bytes its lanes see.
std::uint64_t Sm::prepare(MemoryInstruction& instruction) {
  isa::MemoryAccess& access = instruction.access;
  const unsigned slot = instruction.slot;
  std::uint64_t window = ~std::uint64_t{0};
  switch (access.space) {
    case isa::Space::shared:
      instruction.kind = L1Kind::local;  // for what waits for accesses of the warp: nobody else sees it
      window = cta_slots_[warps_[slot].cta].shared.size();
      check_window(instruction, window);
      break;
    case isa::Space::local:
      instruction.kind = L1Kind::local;
      // A thread may use what the frames of its running calls own, not all that is reserved for threads.
      window = std::min(local_.bytes_per_thread(), warps_[slot].warp.local_top(access.frame));
      check_window(instruction, window);
      break;
    case isa::Space::const_:
      instruction.kind = L1Kind::constant;
      check_addresses(slot, access);
      break;
    default:
      if (access.kind == isa::AccessKind::prefetch) {
        instruction.kind = L1Kind::prefetch;
        drop_prefetches_of_nothing(instruction.slot, access);
      } else {
        instruction.kind = L1Kind::global;
        check_addresses(slot, access);
      }
      break;
  }
  return window;
}

/// Lets memory do what the lanes of the instruction ask.
void Sm::go_to_memory(MemoryInstruction& instruction) {
  switch (instruction.access.space) {
    case isa::Space::shared:
      return serve_shared(instruction);
    case isa::Space::const_:
      return serve_constant(instruction);
    case isa::Space::local:
      return serve_local(instruction);
    default:
      return serve_global(instruction);
  }
}

/// What the instruction brings, if anything, is in its access, and in the registers at `at`.
void Sm::values_at(MemoryInstruction& instruction, base::Cycle at) {
  const isa::MemoryAccess& access = instruction.access;
  if (instruction.staged) return lane_path_->values_at(instruction, at);
  if (!brings_value(access.kind)) return;
  WarpContext& w = warps_[instruction.slot];
  w.warp.write_back(access, instruction.results, access.data.data());
  w.board.write(*access.op, at);
}

void Sm::serve_shared(MemoryInstruction& instruction) {
  isa::MemoryAccess& access = instruction.access;
  if (access.kind == isa::AccessKind::prefetch) return;
  if (perform_shared(access, cta_slots_[warps_[instruction.slot].cta].shared)) ++tile().effects;
  for (const auto& listener : seams_.listeners) listener->shared_access(identity(instruction.slot), *access.op, access);

  const bool is_atomic = access.atomic != isa::AtomicOp::none;
  const BankGeometry banks = spec_.shared.geometry();
  const unsigned passes = is_atomic ? shared_atomic_passes(access, banks)
                                    : shared_passes(access, access.lanes, instruction.range, banks, spec_.warp_size);
  extra_occupancy_ = std::uint64_t{passes - 1} * units_.timing(access.op->unit).occupied;
  counters_.shared_accesses.add();
  counters_.shared_conflict_cycles.add(extra_occupancy_);
  values_at(instruction, now_ + spec_.shared.latency + extra_occupancy_ + instruction.delay);
}

void Sm::serve_constant(MemoryInstruction& instruction) {
  isa::MemoryAccess& access = instruction.access;
  instruction.shift_per_byte = 1;
  instruction.parts.clear();
  coalesce({place_.line_bytes, CoalesceMode::warp}, place_.line_bytes, spec_.warp_size, access.lanes,
           access.address.data(), access.stride, 0, instruction.parts);
  counters_.constant_accesses.add();
  extra_occupancy_ = different_addresses(access) - 1;
  const auto is_hit = [&](const LinePart& part) {
    const base::LineData* const line = constants_.find(part.line);
    if (line != nullptr) scatter(instruction, part, *line);
    return line != nullptr;
  };
  instruction.parts.erase(std::remove_if(instruction.parts.begin(), instruction.parts.end(), is_hit),
                          instruction.parts.end());
  if (instruction.parts.empty())
    return values_at(instruction, now_ + spec_.constant.latency + extra_occupancy_ + instruction.delay);
  counters_.constant_misses.add(instruction.parts.size());
  for (LinePart& part : instruction.parts) part.mask = base::ByteMask::all(place_.line_bytes);
  start_access(instruction);
}

void Sm::serve_global(MemoryInstruction& instruction) {
  const isa::MemoryAccess& access = instruction.access;
  if (access.lanes == 0) return;  // prefetches of nothing
  instruction.shift_per_byte = 1;
  instruction.parts.clear();
  coalesce(spec_.coalescer, place_.line_bytes, spec_.warp_size, access, instruction.parts);
  switch (access.kind) {
    case isa::AccessKind::load:
      counters_.global_loads.add();
      break;
    case isa::AccessKind::store:
      counters_.global_stores.add();
      ++tile().effects;
      break;
    case isa::AccessKind::atomic:
    case isa::AccessKind::reduction:
      counters_.atomics.add();
      break;
    case isa::AccessKind::prefetch:
      break;
  }
  start_access(instruction);
}

void Sm::serve_local(MemoryInstruction& instruction) {
  const isa::MemoryAccess& access = instruction.access;
  if (access.kind == isa::AccessKind::prefetch) return;
  if (looks_ && access.kind == isa::AccessKind::store) spins_[instruction.slot].restart();
  instruction.shift_per_byte = local_.shift_per_byte();
  instruction.parts.clear();
  constexpr unsigned word = 4;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    instruction.physical[lane] = local_.physical(warps_[instruction.slot].place, lane, access.address[lane]);
  });
  std::array<std::uint64_t, base::max_lanes> address;
  for (unsigned byte = 0; byte < access.stride; byte += word) {
    base::for_each_lane(access.lanes, [&](unsigned lane) {
      address[lane] = instruction.physical[lane] + std::uint64_t{byte} * instruction.shift_per_byte;
    });
    coalesce(spec_.coalescer, place_.line_bytes, spec_.warp_size, access.lanes, address.data(),
             std::min<unsigned>(word, access.stride), byte, instruction.parts);
  }
  counters_.local_accesses.add();
  start_access(instruction);
}

/// The instruction in the path's next entry is under way: its registers and the order of memory wait for it.
void Sm::begin_access(MemoryInstruction& instruction) {
  WarpContext& w = warps_[instruction.slot];
  const isa::MemoryAccess& access = instruction.access;
  instruction.waits_for_registers = brings_value(access.kind);
  instruction.writes_memory = access.kind == isa::AccessKind::store || access.atomic != isa::AtomicOp::none;
  instruction.acquires = isa::has_acquire(access.semantics);
  ++accesses_;
  ++w.accesses;
  ++cta_slots_[w.cta].accesses;
  if (instruction.writes_memory) ++w.writes;
  if (access.atomic != isa::AtomicOp::none) ++w.atomics;
  if (instruction.acquires) ++w.blocking;
  if (instruction.waits_for_registers) w.board.wait(*access.op);
  path_.take(now_);
}

/// The parts of the instruction go their way.
void Sm::start_access(MemoryInstruction& instruction) {
  if (!instruction.under_way) begin_access(instruction);
  counters_.line_accesses.add(instruction.parts.size());
  if (instruction.kind == L1Kind::global || instruction.kind == L1Kind::local)
    counters_.lines_per_access.sample(instruction.parts.size());
  path_.start(instruction, now_);
  for (const auto& listener : seams_.listeners) listener->memory_started(identity(instruction.slot), told(instruction));
}

void Sm::performed(MemoryInstruction& instruction, base::Cycle now) {
  const unsigned slot = instruction.slot;
  WarpContext& w = warps_[slot];
  const isa::MemoryAccess& access = instruction.access;
  --accesses_;
  --w.accesses;
  CtaContext& cta = cta_slots_[w.cta];
  --cta.accesses;
  if (instruction.writes_memory) --w.writes;
  if (access.atomic != isa::AtomicOp::none) --w.atomics;
  if (instruction.acquires) --w.blocking;
  if (access.space != isa::Space::shared) counters_.memory_latency.sample(now - instruction.issued_at);
  if (!instruction.parts.empty()) {
    for (const auto& listener : seams_.listeners) listener->memory_answered(identity(slot), told(instruction));
  }
  if (looks_) look_at(instruction);
  if (instruction.waits_for_registers) {
    w.warp.write_back(access, instruction.results, access.data.data());
    w.board.arrived(*access.op,
                    instruction.staged ? lane_path_->registers_at(instruction) : now + spec_.memory.return_latency);
  }
  for (const auto& listener : seams_.listeners) listener->memory_performed(identity(slot), *access.op);
  if (instruction.handed_on && --cta.handed_on == 0)
    for_each_warp(states_.in(WarpState::fence)&cta.live, [this](unsigned other) { evaluate(other); });
  if (instruction.writes_memory && states_.in(WarpState::fence) != 0)
    for_each_warp(states_.in(WarpState::fence), [this, slot](unsigned other) {
      if (other != slot && warps_[other].drains_up_to != 0) evaluate(other);
    });
  if (!w.live) return end_cta_if_done(w.cta);
  const WarpState state = states_.of(slot);
  if (state == WarpState::memory || state == WarpState::fence || is_gated(state)) evaluate(slot);
}

bool Sm::receive(Message& message, const sc_core::sc_time& arrival, unsigned) {
  path_.reply_arrived(message, clock()->cycle_at_or_after(arrival));
  return true;
}

void Sm::check_addresses(unsigned slot, const isa::MemoryAccess& access) {
  const auto [low, high, bits] = address_range(access, access.lanes);
  const bool aligned = (bits & (access.stride - 1u)) == 0;
  const bool writes = access.kind != isa::AccessKind::load;
  const isa::MemoryMap* const map = seams_.memory;
  if (map == nullptr) {
    if (aligned) return;
  } else {
    const isa::Reach& reach = warps_[slot].warp.grid().reach;
    const auto holds = [writes, &reach](const isa::MemoryMap::Region* region, std::uint64_t first, std::uint64_t end) {
      // At the top of the address space `end` wraps around to a small number, below `first`: no region holds that.
      return region != nullptr && first >= region->begin && first < end && end <= region->end &&
             (region->writable || !writes) && reach.reaches(*region);
    };
    if (last_map_version_ != map->version()) last_region_ = nullptr;
    if (aligned && holds(last_region_, low, high + access.stride)) return;
    last_region_ = map->find(low);
    last_map_version_ = map->version();
    if (aligned && holds(last_region_, low, high + access.stride)) return;
    // The lanes may be in different allocations.
    base::for_each_lane(access.lanes, [&](unsigned lane) {
      const std::uint64_t address = access.address[lane];
      if (address % access.stride != 0 || !holds(map->find(address), address, address + access.stride))
        isa::throw_global_fault(warps_[slot].warp, {access.op, access.space, lane, address, access.stride}, *map);
    });
    return;
  }
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    if (access.address[lane] % access.stride != 0)
      isa::throw_global_fault(warps_[slot].warp, {access.op, access.space, lane, access.address[lane], access.stride},
                              {});
  });
}

/// A prefetch is a hint, so an address of nothing, or of memory that the kernel may not touch, is no fault; nobody in
/// the memory system could serve its line either.
void Sm::drop_prefetches_of_nothing(unsigned slot, isa::MemoryAccess& access) const {
  if (seams_.memory == nullptr) return;
  const isa::Reach& reach = warps_[slot].warp.grid().reach;
  base::for_each_lane(access.lanes, [&](unsigned lane) {
    const isa::MemoryMap::Region* const region = seams_.memory->find(access.address[lane]);
    if (region == nullptr || !reach.reaches(*region)) access.lanes &= ~base::lane_bit(lane);
  });
}

void Sm::check_window(MemoryInstruction& instruction, std::uint64_t limit) const {
  const isa::MemoryAccess& access = instruction.access;
  const AddressRange& range = instruction.range = address_range(access, access.lanes);
  if (range.high + access.stride <= limit && range.high < limit && (range.bits & (access.stride - 1u)) == 0) return;
  for (base::LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = base::first_lane(rest);
    const std::uint64_t address = access.address[lane];
    if (address >= limit || address + access.stride > limit || (address & (access.stride - 1u)) != 0)
      isa::throw_window_fault(warps_[instruction.slot].warp, {access.op, access.space, lane, address, access.stride},
                              limit);
  }
}

}  // namespace syncline::models
