#include "platform/observe/warp_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "isa/ptx/printer.h"

namespace syncline::platform {

using models::WarpState;

namespace {

constexpr unsigned first_cta_track = 1, first_warp_track = 100;

std::string text_of(const isa::Program& program, const isa::Op& op) {
  const isa::Instruction* const instruction = program.instruction(op);
  return instruction == nullptr ? "end of body" : isa::to_string(program.module(), program.function(op), *instruction);
}

std::string text_of(base::Dim3 index) {
  return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

}  // namespace

WarpTrace::WarpTrace(TraceFilter& filter, TraceWriter& writer, TraceTracks& tracks, const ComputeSide& side,
                     GridOf grid_of)
    : filter_(filter),
      writer_(writer),
      tracks_(tracks),
      clock_(side.plan().core()),
      grid_of_(std::move(grid_of)),
      sms_(side.sms()) {
  for (unsigned i = 0; i < side.sms(); ++i) {
    models::Sm* const sm = side.library_sm(i);
    if (sm == nullptr || !filter.has_sm(i)) continue;
    sms_[i].sm = sm;
    sms_[i].process = tracks.process_of(*sm);
    sms_[i].slots.resize(sm->spec().max_warps);
    sms_[i].ctas.resize(sm->spec().max_ctas);
    sm->instructions.bind(*this);
  }
}

void WarpTrace::cta_launched(base::SmId sm, base::CtaSlot slot, base::GridId grid, base::Dim3 cta) {
  if (!filter_.has_kernel(grid)) return;
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  if (kernels_.count(grid) == 0) {
    const std::string name =
        fmt::format("kernel {}: {}", base::kernel_number(grid), grid_of_(grid)->context.program->kernel().name);
    kernels_[grid] = {name, tracks_.lane(TraceTracks::no_block, 1, "kernels", now), now, now};
  }
  Watched& watched = sms_[sm.value()];
  if (watched.sm == nullptr) return;
  watched.ctas[slot.value()] = {true, now, fmt::format("CTA {} of kernel {}", text_of(cta), base::kernel_number(grid))};
}

void WarpTrace::cta_ended(base::SmId sm, base::CtaSlot slot, base::GridId grid) {
  const std::uint64_t now = sc_core::sc_time_stamp().value();
  if (const auto kernel = kernels_.find(grid); kernel != kernels_.end()) kernel->second.until_ps = now;
  Watched& watched = sms_[sm.value()];
  if (watched.sm == nullptr) return;
  Cta& cta = watched.ctas[slot.value()];
  if (!std::exchange(cta.shown, false)) return;
  const auto time = filter_.shown(cta.from_ps, now);
  if (!time) return;
  const unsigned number = first_cta_track + slot.value();
  writer_.slice(tracks_.track(watched.process, number, fmt::format("CTA slot {}", slot.value())), time->first,
                time->second, cta.title);
}

void WarpTrace::warp_started(const models::WarpIdentity& warp) {
  Watched& watched = sms_[warp.sm.value()];
  if (watched.sm == nullptr || !filter_.has_kernel(warp.grid)) return;
  Slot& slot = watched.slots[warp.slot];
  slot.starts = true;
  watched.busy |= models::warp_bit(warp.slot);
  slot.title =
      fmt::format("warp {} of CTA {} of kernel {}", warp.index, text_of(warp.cta), base::kernel_number(warp.grid));
}

void WarpTrace::exited(const models::WarpIdentity& warp) {
  Watched& watched = sms_[warp.sm.value()];
  if (watched.sm != nullptr) watched.slots[warp.slot].exits = watched.slots[warp.slot].lives;
}

void WarpTrace::write(const models::InstructionEvent& event) {
  Slot& slot = sms_[event.warp.sm.value()].slots[event.warp.slot];
  if (!slot.lives || event.what.continued) return;
  if (!filter_.shown(ps_of(event.cycle), ps_of(event.cycle + 1))) {
    slot.issued.push_back({});  // that something was issued ends a wait
    return;
  }
  const isa::Program& program = *event.what.program;
  slot.issued.push_back({text_of(program, *event.what.op),
                         fmt::format(R"({{"ptx":{},"lanes":"{:#010x}"}})",
                                     nlohmann::json(program.location(*event.what.op)).dump(), event.what.guarded)});
}

std::optional<TraceWriter::Track> WarpTrace::instruction_of(const models::LineAccess& access) const {
  const Watched& watched = sms_[access.warp.sm.value()];
  if (watched.sm == nullptr) return std::nullopt;
  const Slot& slot = watched.slots[access.warp.slot];
  const base::Cycle cycle = clock_.cycle_at_or_after_ps(access.issued_ps);
  const auto holds = [cycle](const Life& life) { return life.after < cycle && cycle <= life.until; };
  if (!holds(slot.life) && !holds(slot.life_before)) return std::nullopt;
  if (!filter_.shown(ps_of(cycle), ps_of(cycle + 1))) return std::nullopt;
  return TraceWriter::Track{watched.process, first_warp_track + access.warp.slot};
}

void WarpTrace::tick(base::Cycle now) {
  for (Watched& watched : sms_) {
    models::for_each_warp(watched.busy, [&](unsigned number) { step(watched, number, now); });
  }
  if (!kernels_.empty()) end_kernels(false);
}

void WarpTrace::step(Watched& watched, unsigned number, base::Cycle now) {
  Slot& slot = watched.slots[number];
  const WarpState state = watched.sm->warp_state(number);
  if (slot.lives) {
    const bool issued = !slot.issued.empty();
    if (issued || state != slot.state || slot.exits) {
      write_wait(watched, number, now);
      slot.since = issued ? now + 1 : now;
      slot.state = state;
    }
    for (const Issued& one : slot.issued) write_slice(watched, number, now, now + 1, one.text, one.args);
    slot.issued.clear();
  }
  if (slot.exits) {
    write_end(slot, now + 1);
    slot.lives = slot.exits = false;
    slot.life.until = now;
  }
  if (!slot.starts) {
    if (!slot.lives) watched.busy &= ~models::warp_bit(number);
    return;
  }
  const bool free = slot.since <= now;
  slot.starts = false;
  slot.lives = true;
  slot.life_before = std::exchange(slot.life, {now, base::never});
  slot.began = slot.since = free ? now : now + 1;
  slot.state = state;
}

void WarpTrace::write_wait(Watched& watched, unsigned number, base::Cycle now) {
  const Slot& slot = watched.slots[number];
  if (slot.since >= now || !filter_.shown(ps_of(slot.since), ps_of(now))) return;
  std::string args;
  if (!slot.issued.empty()) {
    args = fmt::format(R"({{"before":{}}})", nlohmann::json(slot.issued.front().text).dump());
  } else if (const isa::Op* const next = slot.exits ? nullptr : watched.sm->warp(number).next()) {
    args = fmt::format(R"({{"before":{}}})", nlohmann::json(text_of(watched.sm->warp(number).program(), *next)).dump());
  }
  write_slice(watched, number, slot.since, now, watched.sm->reason(slot.state), args);
}

void WarpTrace::write_slice(Watched& watched, unsigned number, base::Cycle from, base::Cycle until,
                            std::string_view name, const std::string& args) {
  Slot& slot = watched.slots[number];
  const auto time = filter_.shown(ps_of(from), ps_of(until));
  if (!time) return;
  if (!slot.shown) {
    slot.shown = true;
    slot.track = tracks_.track(watched.process, first_warp_track + number, fmt::format("warp slot {}", number));
    writer_.begin(slot.track, std::max(time->first, ps_of(slot.began)), slot.title);
  }
  writer_.slice(slot.track, time->first, time->second, name, args);
}

void WarpTrace::write_end(Slot& slot, base::Cycle at) {
  if (!std::exchange(slot.shown, false)) return;
  writer_.end(slot.track, filter_.shown(ps_of(slot.began), ps_of(at))->second);
}

/// A grid that ends is forgotten by its device.
void WarpTrace::end_kernels(bool all) {
  for (auto at = kernels_.begin(); at != kernels_.end();) {
    const Kernel& kernel = at->second;
    if (!all && grid_of_(at->first) != nullptr) {
      ++at;
      continue;
    }
    if (const auto time = filter_.shown(kernel.from_ps, kernel.until_ps))
      writer_.slice(kernel.track, time->first, time->second, kernel.name);
    tracks_.free(kernel.track, kernel.until_ps);
    at = kernels_.erase(at);
  }
}

void WarpTrace::finish(base::Cycle now) {
  tick(now);
  for (Watched& watched : sms_) {
    for (Slot& slot : watched.slots) {
      if (slot.lives) write_end(slot, now + 1);
    }
  }
  end_kernels(true);
}

}  // namespace syncline::platform
