#include "isa/exec/warp.h"

#include <algorithm>
#include <cstring>

#include "isa/exec/decode/decoder.h"
#include "isa/exec/execute.h"

namespace syncline::isa {
namespace {

std::uint8_t* aligned_start(std::vector<std::uint8_t>& storage) {
  const auto start = (reinterpret_cast<std::uintptr_t>(storage.data()) + 63) & ~std::uintptr_t{63};
  return reinterpret_cast<std::uint8_t*>(start);
}

std::uint32_t component(const base::Dim3& d, unsigned c) {
  return c == 0 ? d.x : c == 1 ? d.y : c == 2 ? d.z : 0;
}

}  // namespace

Warp::Warp(const ReconvergenceSpec& reconvergence)
    : address_kernels_(&address_kernels()),
      frames_(1),
      reconvergence_(make_reconvergence(reconvergence)),
      takes_turns_(reconvergence_->takes_turns()) {}

void Warp::launch(const GridContext& grid, base::Dim3 cta, unsigned index, unsigned lanes) {
  grid_ = &grid;
  program_ = grid.program.get();
  ops_ = program_->ops();
  cta_ = cta;
  index_ = index;
  lanes_ = lanes;
  halves_ = lanes > kernel_lanes ? 2 : 1;
  pending_ = 0;
  saved_.clear();
  transactional_ = 0;

  const FunctionCode& entry = program_->entry();
  reserve_registers(std::max(entry.frame_bytes, 64u));
  for (unsigned h = 0; h < halves_; ++h) std::memset(registers_ + h * half_bytes_, 0, entry.frame_bytes);
  const std::uint32_t bank_bytes = program_->warp_bank_bytes();
  if (warp_storage_.size() < halves_ * bank_bytes + 63) warp_storage_.resize(halves_ * bank_bytes + 63);
  std::uint8_t* const bank = aligned_start(warp_storage_);
  for (unsigned h = 0; h < halves_; ++h) {
    // Kernels only read the constants; LaneArgs keeps sources apart from results.
    bank_[h][static_cast<unsigned>(Bank::constants)] = const_cast<std::uint8_t*>(program_->constants());
    bank_[h][static_cast<unsigned>(Bank::warp)] = bank + h * bank_bytes;
    std::memset(bank + h * bank_bytes, 0, program_->cleared_bank_bytes());
  }

  frames_[0] = Frame{};
  frames_[0].code = &entry;
  frames_[0].local_top = entry.local_bytes;
  const std::uint64_t threads = grid.block.count(), first = std::uint64_t{index} * lanes;
  cursor_ = Cursor{};
  cursor_.pc = entry.entry;
  cursor_.lanes =
      first >= threads ? 0 : base::all_lanes(static_cast<unsigned>(std::min<std::uint64_t>(lanes, threads - first)));
  reconvergence_->start(cursor_, *program_);
  if (cursor_.lanes == 0) cursor_.pc = no_pc;
  enter_frame(0);
  for (const SpecialSlot& slot : program_->specials())
    if (!slot.varies) fill_special(slot, nullptr);
}

void Warp::reserve_registers(std::uint32_t bytes_per_half) {
  if (registers_ != nullptr && bytes_per_half <= half_bytes_ && register_storage_.size() >= halves_ * half_bytes_ + 63)
    return;
  const std::uint32_t old_half = half_bytes_;
  const std::uint32_t new_half = std::max(bytes_per_half, old_half);
  std::vector<std::uint8_t> storage(halves_ * std::size_t{new_half} + 63);
  std::uint8_t* const start = aligned_start(storage);
  if (registers_ != nullptr)
    for (unsigned h = 0; h < halves_ && (h + 1) * std::size_t{old_half} + 63 <= register_storage_.size(); ++h)
      std::memcpy(start + h * std::size_t{new_half}, registers_ + h * std::size_t{old_half}, old_half);
  register_storage_ = std::move(storage);
  registers_ = start;
  half_bytes_ = new_half;
}

void Warp::enter_frame(std::uint32_t frame) {
  entered_ = frame;
  for (unsigned h = 0; h < halves_; ++h)
    bank_[h][static_cast<unsigned>(Bank::registers)] = registers_ + h * half_bytes_ + frames_[frame].registers;
}

void Warp::fill_special(const SpecialSlot& slot, Environment* environment) {
  using R = SpecialRegister;
  const base::Dim3& block = grid_->block;
  const auto set = [&](unsigned lane, std::uint64_t value) {
    std::memcpy(bank_[lane / kernel_lanes][static_cast<unsigned>(Bank::warp)] + slot.offset +
                    (lane % kernel_lanes) * slot.bytes,
                &value, slot.bytes);
  };
  const auto all = [&](std::uint64_t value) {
    for (unsigned lane = 0; lane < halves_ * kernel_lanes; ++lane) set(lane, value);
  };
  const auto each = [&](auto&& of_lane) {
    for (unsigned lane = 0; lane < halves_ * kernel_lanes; ++lane) set(lane, of_lane(lane % kernel_lanes));
  };
  switch (slot.reg) {
    case R::tid:
      for (unsigned lane = 0; lane < halves_ * kernel_lanes; ++lane) {
        const std::uint64_t t = std::uint64_t{index_} * lanes_ + lane;
        const std::uint64_t xy = std::uint64_t{block.x} * block.y;
        set(lane, slot.component == 0   ? t % block.x
                  : slot.component == 1 ? t / block.x % block.y
                  : slot.component == 2 ? t / xy
                                        : 0);
      }
      break;
    case R::ntid:
      all(component(block, slot.component));
      break;
    case R::ctaid:
    case R::clusterid:
      all(component(cta_, slot.component));
      break;
    case R::nctaid:
    case R::nclusterid:
      all(component(grid_->grid, slot.component));
      break;
    case R::cluster_nctaid:
      all(slot.component < 3);
      break;
    case R::cluster_nctarank:
      all(1);
      break;
    case R::laneid:
      for (unsigned lane = 0; lane < halves_ * kernel_lanes; ++lane) set(lane, lane % program_->module().warp_sz);
      break;
    case R::lanemask_eq:
      each([](unsigned lane) { return std::uint64_t{1} << lane; });
      break;
    case R::lanemask_le:
      each([](unsigned lane) { return (std::uint64_t{2} << lane) - 1; });
      break;
    case R::lanemask_lt:
      each([](unsigned lane) { return (std::uint64_t{1} << lane) - 1; });
      break;
    case R::lanemask_ge:
      each([](unsigned lane) { return 0xFFFF'FFFF - ((std::uint64_t{1} << lane) - 1); });
      break;
    case R::lanemask_gt:
      each([](unsigned lane) { return 0xFFFF'FFFF - ((std::uint64_t{2} << lane) - 1); });
      break;
    case R::gridid:
      all(grid_->grid_id);
      break;
    case R::total_smem_size:
    case R::aggr_smem_size:
      all(grid_->shared_bytes());
      break;
    case R::dynamic_smem_size:
      all(grid_->dynamic_shared_bytes);
      break;
    default:
      all(environment == nullptr ? 0 : varying_special(slot.reg, *environment));
      break;
  }
}

std::uint64_t Warp::varying_special(SpecialRegister reg, Environment& environment) {
  using R = SpecialRegister;
  switch (reg) {
    case R::clock:
    case R::clock64:
      return environment.clock();
    case R::clock_hi:
      return environment.clock() >> 32;
    case R::globaltimer:
    case R::globaltimer_lo:
      return environment.globaltimer();
    case R::globaltimer_hi:
      return environment.globaltimer() >> 32;
    case R::smid:
      return environment.smid();
    case R::nsmid:
      return environment.nsmid();
    case R::warpid:
      return environment.warpid();
    case R::nwarpid:
      return environment.nwarpid();
    default:
      break;
  }
  const auto number = [&](R first) { return static_cast<unsigned>(reg) - static_cast<unsigned>(first); };
  if (reg >= R::envreg0) return environment.environment_register(number(R::envreg0));
  return environment.performance_counter(reg >= R::pm0_64 ? number(R::pm0_64) : number(R::pm0));
}

base::LaneMask Warp::guarded_lanes() const {
  return finished() ? 0 : WarpExecutor::lanes(*this, *next());
}

Step Warp::execute(MemoryAccess& access, Environment& environment) {
  return WarpExecutor::execute(*this, access, environment);
}

void Warp::write_back(const MemoryAccess& access, base::LaneMask lanes, const std::uint8_t* values) {
  const MemoryForm& form = *access.op->memory;
  const unsigned stride = access.stride;
  for (unsigned e = 0; e < form.elements; ++e) {
    if ((form.sinks >> e) & 1U) continue;
    const OperandRef ref = form.data[e];
    for (unsigned h = 0; h < halves_; ++h) {
      std::uint8_t* const to =
          (ref.bank() == static_cast<unsigned>(Bank::registers) ? WarpExecutor::registers_of(*this, access.frame, h)
                                                                : bank_[h][ref.bank()]) +
          ref.offset();
      const std::uint8_t* const from = values + (h * kernel_lanes) * stride + e * form.element_bytes;
      const unsigned width = form.register_bytes[e];
      const auto mask = static_cast<std::uint32_t>(lanes >> (32 * h));
      if (base::are_first_lanes(mask) && width == form.element_bytes && width == stride) {
        // Registers lie as values do. Nearly always it is a word of each lane, and to copy so many takes no call.
        constexpr std::size_t words = kernel_lanes * sizeof(std::uint32_t);
        const std::size_t bytes = std::size_t{base::lane_count(mask)} * width;
        if (bytes == words)
          std::memcpy(to, from, words);
        else
          std::memcpy(to, from, bytes);
        continue;
      }
      base::for_each_lane(mask, [&](unsigned lane) {
        std::memcpy(to + lane * width, from + lane * stride, form.element_bytes);
        if (width == form.element_bytes) return;
        const bool negative = form.sign_extend && (from[lane * stride + form.element_bytes - 1] & 0x80) != 0;
        std::memset(to + lane * width + form.element_bytes, negative ? 0xFF : 0, width - form.element_bytes);
      });
    }
  }
}

void Warp::set_barrier_result(const Op& op, base::LaneMask lanes, std::uint64_t value, std::uint32_t frame) {
  for (unsigned h = 0; h < halves_; ++h) {
    const auto mask = static_cast<std::uint32_t>(lanes >> (32 * h));
    std::uint8_t* const to = WarpExecutor::in_frame(*this, frames_[frame], h, op.dst);
    if (op.barrier_mode != BarrierMode::red_popc) {
      std::uint32_t old = 0;
      std::memcpy(&old, to, sizeof old);
      const std::uint32_t merged = (old & ~mask) | (value != 0 ? mask : 0);
      std::memcpy(to, &merged, sizeof merged);
      continue;
    }
    const auto word = static_cast<std::uint32_t>(value);
    base::for_each_lane(mask, [&](unsigned lane) { std::memcpy(to + 4 * lane, &word, sizeof word); });
  }
}

std::uint64_t Warp::argument(const Op& op, unsigned lane, unsigned n) const {
  const CallSite& site = program_->call(op);
  if (n >= site.arguments.size()) return 0;
  const CallValue& v = site.arguments[n];
  std::uint64_t value = 0;
  if (!v.in_register) {
    std::memcpy(&value, WarpExecutor::param_area(*this, frames_[host_frame_], lane) + v.param, std::min(v.bytes, 8u));
    return value;
  }
  const unsigned column = lane % kernel_lanes;
  const std::uint8_t* const from = WarpExecutor::in_frame(*this, frames_[host_frame_], lane / kernel_lanes, v.reg);
  if (v.register_bytes == 0) return from[column / 8] >> (column % 8) & 1U;
  std::memcpy(&value, from + column * v.register_bytes, std::min<unsigned>(v.register_bytes, sizeof value));
  return value;
}

void Warp::set_result(const Op& op, unsigned lane, std::uint64_t value) {
  const CallSite& site = program_->call(op);
  if (site.results.empty() || site.results[0].sink) return;
  const CallValue& v = site.results[0];
  const Frame& frame = frames_[host_frame_];
  const unsigned column = lane % kernel_lanes;
  if (!v.in_register) {
    std::memcpy(WarpExecutor::param_area(*this, frame, lane) + v.param, &value, std::min(v.bytes, 8u));
    return;
  }
  std::uint8_t* const to = WarpExecutor::in_frame(*this, frame, lane / kernel_lanes, v.reg);
  if (v.register_bytes != 0) {
    std::memcpy(to + column * v.register_bytes, &value, std::min<unsigned>(v.register_bytes, sizeof value));
    return;
  }
  const auto bit = static_cast<std::uint8_t>(1U << (column % 8));
  to[column / 8] = static_cast<std::uint8_t>((to[column / 8] & ~bit) | (value != 0 ? bit : 0));
}

/// Those of a frame that is copied to `begin`.
void Warp::list_registers(std::uint32_t frame, std::size_t begin, std::vector<StateRegister>& to) const {
  auto id = static_cast<std::uint32_t>(program_->module_registers().size());
  for (const RegisterBlock& block : frames_[frame].code->register_blocks) {
    const std::size_t bytes = block.bytes == 0 ? sizeof(std::uint32_t) : std::size_t{block.bytes} * kernel_lanes;
    for (std::uint32_t r = 0; r < block.count; ++r)
      to.push_back({begin + block.offset + r * bytes, bytes, frame, id++});
  }
}

void Warp::copy_state(std::vector<std::uint8_t>& to, std::vector<StateRegister>* registers) const {
  const auto append = [&to](const void* from, std::size_t bytes) {
    const auto* const begin = static_cast<const std::uint8_t*>(from);
    to.insert(to.end(), begin, begin + bytes);
  };
  const auto number = [&append](std::uint64_t value) { append(&value, sizeof value); };
  std::vector<WaitingPath> paths;
  reconvergence_->waiting(paths);
  paths.push_back({cursor_.pc, cursor_.frame, cursor_.lanes, cursor_.blocked});
  number(cursor_.watch);
  number(pending_);
  number(transactional_);
  base::for_each_lane(transactional_, [&](unsigned lane) { number(nesting_[lane]); });
  for (const WaitingPath& path : paths) {
    number(path.pc);
    number(path.frame);
    number(path.lanes);
    for (std::uint32_t f = path.frame;; f = frames_[f].parent) {
      const Frame& frame = frames_[f];
      number(frame.return_pc);
      number(frame.local_top);
      for (unsigned h = 0; h < halves_; ++h) {
        if (registers != nullptr) list_registers(f, to.size(), *registers);
        append(registers_ + h * std::size_t{half_bytes_} + frame.registers, frame.code->frame_bytes);
      }
      if (f == 0) break;
    }
  }
  for (unsigned h = 0; h < halves_; ++h)
    append(bank_[h][static_cast<unsigned>(Bank::warp)], program_->cleared_bank_bytes());
}

}  // namespace syncline::isa
