#include "platform/profile/profiler.h"

#include <algorithm>
#include <numeric>

namespace syncline::platform {
namespace {

LineUse use_of(isa::AccessKind kind) {
  return kind == isa::AccessKind::load    ? LineUse::load
         : kind == isa::AccessKind::store ? LineUse::store
                                          : LineUse::atomic;
}

}  // namespace

Profiler::Profiler(const ProfiledMachine& machine) {
  profile_.machine = machine;
}

KernelProfile& Profiler::kernel_of(const isa::GridContext& grid) {
  const isa::KernelInfo& info = grid.program->kernel();
  for (std::size_t n = 0; n < programs_.size(); ++n) {
    if (&programs_[n]->module() == &grid.program->module() && programs_[n]->kernel().name == info.name)
      return profile_.kernels[n];
  }
  programs_.push_back(grid.program);
  KernelProfile kernel;
  kernel.kernel = info.name;
  kernel.registers = info.registers;
  kernel.local_declared = info.local_bytes;
  profile_.kernels.push_back(std::move(kernel));
  return profile_.kernels.back();
}

LaunchShape& Profiler::shape_of(KernelProfile& kernel, const isa::GridContext& grid) const {
  for (LaunchShape& shape : kernel.shapes) {
    if (shape.grid == grid.grid && shape.block == grid.block && shape.shared_bytes == grid.shared_bytes()) return shape;
  }
  LaunchShape shape;
  shape.grid = grid.grid;
  shape.block = grid.block;
  shape.shared_bytes = grid.shared_bytes();
  shape.occupancy = models::occupancy(
      profile_.machine.sm, {static_cast<unsigned>(grid.block.count()), kernel.registers, shape.shared_bytes});
  shape.resident_ctas = std::min(shape.ctas(), std::uint64_t{profile_.machine.sms} * shape.occupancy.ctas);
  kernel.shapes.push_back(shape);
  return kernel.shapes.back();
}

void Profiler::begins(const isa::GridContext& grid) {
  grid_ = grid.grid;
  kernel_ = &kernel_of(grid);
  shape_ = &shape_of(*kernel_, grid);
  mix_ = {};
  global_ = {};
  local_touched_ = 0;
  lines_.clear();
  work_.clear();
}

void Profiler::event(const isa::TraceEvent& event) {
  const std::uint64_t cta = event.cta.x + std::uint64_t{grid_.x} * (event.cta.y + std::uint64_t{grid_.y} * event.cta.z);
  mix_.add(event);
  if (!event.continued) count_work(event, cta);
  if (event.access == nullptr || event.access->kind == isa::AccessKind::prefetch) return;
  const isa::MemoryAccess& access = *event.access;
  if (access.space == isa::Space::global) {
    global_access(access, cta);
  } else if (access.space == isa::Space::local) {
    base::for_each_lane(access.lanes, [&](unsigned lane) {
      local_touched_ = std::max(local_touched_, access.address[lane] + access.stride);
    });
  }
}

void Profiler::count_work(const isa::TraceEvent& event, std::uint64_t cta) {
  const std::uint64_t warp = cta * shape_->occupancy.warps_per_cta + event.warp;
  if (warp >= work_.size()) work_.resize(warp + 1);
  ++work_[warp];
}

void Profiler::global_access(const isa::MemoryAccess& access, std::uint64_t cta) {
  const ProfiledMachine& machine = profile_.machine;
  parts_.clear();
  models::coalesce(machine.coalescer, machine.line_bytes, machine.sm.warp_size, access, parts_);
  const LineUse use = use_of(access.kind);
  for (const models::LinePart& part : parts_) lines_[part.line.value()].touch(cta, use, part.mask);
  global_[static_cast<std::size_t>(use)].add(base::lane_count(access.lanes), parts_.size());
}

void Profiler::add_work() {
  std::uint64_t longest_cta = 0;
  const std::size_t warps_per_cta = shape_->occupancy.warps_per_cta;
  for (std::size_t first = 0; first < work_.size(); first += warps_per_cta) {
    const auto begin = work_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(warps_per_cta, work_.size() - first));
    longest_cta = std::max(longest_cta, std::accumulate(begin, end, std::uint64_t{0}));
  }
  const std::uint64_t longest_warp = work_.empty() ? 0 : *std::max_element(work_.begin(), work_.end());
  const std::uint64_t instructions = mix_.total().warp;
  ++shape_->launches;
  shape_->warp_instructions += instructions;
  for (KernelProfile* const kernel : {kernel_, &profile_.total}) {
    ++kernel->launches;
    kernel->ctas += shape_->ctas();
    kernel->warps += shape_->warps();
    kernel->resident_warps = std::max(kernel->resident_warps, shape_->resident_warps());
    kernel->resident_work += static_cast<double>(shape_->resident_warps()) * static_cast<double>(instructions);
    kernel->longest_warps += longest_warp;
    kernel->longest_ctas += longest_cta;
  }
}

void Profiler::add_lines() {
  for (const auto& [address, line] : lines_) {
    // Both totals are asked before either knows this launch.
    const bool handed_on = profile_.total.lines.written(address).overlaps(line.inherited());
    kernel_->lines.add(address, line, handed_on);
    profile_.total.lines.add(address, line, handed_on);
  }
}

void Profiler::ended() {
  add_work();
  add_lines();
  for (KernelProfile* const kernel : {kernel_, &profile_.total}) {
    kernel->mix += mix_;
    kernel->local_touched = std::max(kernel->local_touched, local_touched_);
    for (std::size_t n = 0; n < line_uses; ++n) kernel->global[n] += global_[n];
  }
}

}  // namespace syncline::platform
