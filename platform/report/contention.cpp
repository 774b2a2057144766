#include "platform/report/contention.h"

#include <algorithm>

namespace syncline::platform {
namespace {

constexpr std::uint32_t no_place = ~std::uint32_t{0};

/// The `most` first of `all` in that order.
template <class Use, class Before>
std::vector<Use> first_of(std::vector<Use> all, std::size_t most, Before before) {
  const std::size_t kept = std::min(most, all.size());
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(kept), all.end(), before);
  all.resize(kept);
  return all;
}

}  // namespace

void Contention::start(unsigned sms, std::function<base::Cycle()> now) {
  sms_ = sms;
  now_ = std::move(now);
  last_issue_.resize(sms);
}

void Contention::launch_began(const models::GridLaunch& grid) {
  if (programs_.size() <= grid.id.value()) programs_.resize(grid.id.value() + 1);
  programs_[grid.id.value()] = grid.context.program;
}

base::Cycle& Contention::last_issue(const models::WarpIdentity& warp) {
  std::vector<base::Cycle>& slots = last_issue_[warp.sm.value()];
  if (slots.size() <= warp.slot) slots.resize(warp.slot + 1);
  return slots[warp.slot];
}

std::uint32_t Contention::number_of(base::GridId grid, std::uint32_t pc) {
  const std::shared_ptr<const isa::Program>& program = programs_[grid.value()];
  std::vector<std::uint32_t>& numbers = numbers_[program.get()];
  if (numbers.empty()) numbers.resize(program->size(), no_place);
  if (numbers[pc] == no_place) {
    numbers[pc] = static_cast<std::uint32_t>(places_.size());
    places_.push_back({{program, pc}});
  }
  return numbers[pc];
}

const isa::Program* Contention::program_of(base::GridId grid) const {
  return grid.value() < programs_.size() ? programs_[grid.value()].get() : nullptr;
}

void Contention::warp_started(const models::WarpIdentity& warp) {
  last_issue(warp) = now_();
}

void Contention::issued(const models::WarpIdentity& warp, const isa::Op& op, base::LaneMask lanes) {
  const base::Cycle now = now_();
  base::Cycle& last = last_issue(warp);
  const isa::Program* const program = program_of(warp.grid);
  if (program == nullptr) return;
  InstructionUse& use = places_[number_of(warp.grid, program->pc_of(&op))];
  ++use.issued;
  use.threads += static_cast<std::uint64_t>(__builtin_popcountll(lanes));
  if (now > last + 1) use.stood += now - last - 1;
  last = now;
}

std::vector<std::uint64_t> Contention::lines_of(const isa::MemoryAccess& access) const {
  std::vector<std::uint64_t> lines;
  if (access.space != isa::Space::global) return lines;
  for (base::LaneMask rest = access.lanes; rest != 0; rest &= rest - 1) {
    const std::uint64_t address = access.address[static_cast<std::size_t>(__builtin_ctzll(rest))];
    const std::uint64_t line = address / line_bytes_ * line_bytes_;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
  return lines;
}

void Contention::memory_started(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  if (program_of(warp.grid) == nullptr) return;
  under_way_[{warp.sm.value(), warp.slot, memory.order}] = {now_(), number_of(warp.grid, memory.pc), memory.access.kind,
                                                            lines_of(memory.access)};
}

void Contention::memory_answered(const models::WarpIdentity& warp, const models::WarpMemory& memory) {
  const auto found = under_way_.find({warp.sm.value(), warp.slot, memory.order});
  if (found == under_way_.end()) return;
  const UnderWay& access = found->second;
  const base::Cycle waited = now_() - access.since;
  places_[access.place].memory_cycles += waited;
  for (const std::uint64_t address : access.lines) {
    LineWaits& line = lines_[address];
    line.line = address;
    switch (access.kind) {
      case isa::AccessKind::load:
        ++line.loads;
        break;
      case isa::AccessKind::store:
        ++line.stores;
        break;
      case isa::AccessKind::atomic:
      case isa::AccessKind::reduction:
        ++line.atomics;
        break;
      case isa::AccessKind::prefetch:
        continue;
    }
    line.waited += waited;
    line.longest = std::max(line.longest, waited);
    line.waited_by.resize(sms_);
    line.waited_by[warp.sm.value()] += waited;
    line.waiting_at[access.place] += waited;
  }
  under_way_.erase(found);
}

std::vector<LineWaits> Contention::lines(std::size_t most) const {
  std::vector<LineWaits> all;
  for (const auto& [address, line] : lines_) {
    if (line.waited != 0) all.push_back(line);
  }
  return first_of(std::move(all), most, [](const LineWaits& a, const LineWaits& b) {
    return a.waited != b.waited ? a.waited > b.waited : a.line < b.line;
  });
}

std::vector<InstructionUse> Contention::instructions(std::size_t most) const {
  // `places_` is in the order in which instructions were first met, which a seed repeats.
  std::vector<std::pair<InstructionUse, std::size_t>> numbered;
  for (std::size_t i = 0; i < places_.size(); ++i) numbered.emplace_back(places_[i], i);
  numbered = first_of(std::move(numbered), most, [](const auto& a, const auto& b) {
    return a.first.stood != b.first.stood ? a.first.stood > b.first.stood : a.second < b.second;
  });
  std::vector<InstructionUse> uses;
  uses.reserve(numbered.size());
  for (auto& [use, number] : numbered) uses.push_back(std::move(use));
  return uses;
}

}  // namespace syncline::platform
