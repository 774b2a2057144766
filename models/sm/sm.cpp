#include "models/sm/sm.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::models {

Sm::Sm(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock, const SmSpec& spec,
       const SmPlace& place, SmSeams seams, const PerturbationSpec& perturbation)
    : Block(module_name, context),
      to_l1("to_l1", *this),
      from_l1("from_l1", *this),
      ctas("ctas"),
      done("done"),
      instructions("instructions"),
      spec_(spec),
      place_(place),
      seams_(std::move(seams)),
      gate_reasons_(seams_.gate->reasons()),
      cta_slots_(spec.max_ctas),
      states_(spec.max_warps),
      free_slots_(all_warps(spec.max_warps)),
      turns_(spec.scheduler.starvation_limit),
      units_(spec.units, spec.warp_size),
      local_(place.local, spec.warp_size),
      constants_(spec.constant.bytes, spec.constant.ways, place.line_bytes),
      path_(spec.memory, place.id, place.scopes, spec.max_warps + spec.max_ctas, context.tiles.current().messages(),
            to_l1, seams_.stages, *this),
      free_registers_(spec.registers),
      free_shared_(spec.shared.bytes),
      environment_(place.id, place.sms, spec.max_warps) {
  if (gate_reasons_.size() > max_gate_reasons)
    throw base::ModelError(
        fmt::format("an issue gate has {} reasons; an SM counts at most {}", gate_reasons_.size(), max_gate_reasons));
  warps_.reserve(spec_.max_warps);
  for (unsigned i = 0; i < spec_.max_warps; ++i) warps_.emplace_back(spec_.reconvergence);
  owned_.assign(spec_.schedulers, 0);
  for (unsigned slot = 0; slot < spec_.max_warps; ++slot) owned_[slot % spec_.schedulers] |= warp_bit(slot);
  base::Random turns = perturbation.random(context.seed, std::string(this->name()) + ".arbiter_state");
  for (unsigned i = 0; i < spec_.schedulers; ++i)
    schedulers_.push_back(
        make_warp_scheduler(spec_.scheduler, perturbation.arbiter_state ? turns.below(spec_.max_warps) : 0));
  seams_.gate->attach(*this);
  if (!seams_.lane_stages.empty()) {
    LanePathOwner& owner = *this;
    lane_path_ =
        std::make_unique<LanePath>(path_, spec_.memory.instructions, spec_.max_warps, seams_.lane_stages, *this, owner);
  }
  if (message_listener() != nullptr) path_.follow();
  if (!seams_.listeners.empty()) context.scheduler.keep_order("a policy or an observer follows warps");
  ctas.bind(*this);
  clock.add(*this, TickRank::sm, name());
  register_statistics();
}

std::string_view Sm::reason(WarpState state) const {
  if (!is_gated(state)) return state_name(state);
  return gate_reasons_.at(static_cast<std::size_t>(state) - static_cast<std::size_t>(WarpState::gated));
}

void Sm::register_statistics() {
  const SmStatistics& c = counters_;
  statistic("warp_instructions", "instructions", "instructions issued, one per warp", c.warp_instructions);
  statistic("thread_instructions", "instructions", "instructions executed, one per thread", c.thread_instructions);
  statistic("memory_instructions", "instructions", "of the issued ones those that may access memory of any space",
            c.memory_instructions);
  statistic("active_cycles", "cycles", "cycles in which the SM held at least one CTA", c.active_cycles);
  statistic("ctas", "CTAs", "CTAs started", c.ctas);
  statistic("warps", "warps", "warps started", c.warps);
  statistic("barriers", "instructions", "CTA barrier instructions", c.barriers);
  statistic("fences", "instructions", "memory fences", c.fences);
  statistic("branches", "instructions", "branches", c.branches);
  statistic("divergent_branches", "instructions", "branches that parted the lanes of a warp", c.divergent_branches);
  statistic("global_loads", "instructions", "loads from global memory", c.global_loads);
  statistic("global_stores", "instructions", "stores to global memory", c.global_stores);
  statistic("atomics", "instructions", "atomics and reductions on global memory", c.atomics);
  statistic("local_accesses", "instructions", "loads and stores of local memory", c.local_accesses);
  statistic("line_accesses", "accesses", "line accesses sent on the way to the L1", c.line_accesses);
  statistic("lines_per_access", "accesses", "line accesses of one global or local instruction", c.lines_per_access);
  statistic("shared_accesses", "instructions", "shared memory instructions", c.shared_accesses);
  statistic("shared_conflict_cycles", "cycles", "cycles of the load/store unit lost to bank conflicts",
            c.shared_conflict_cycles);
  statistic("constant_accesses", "instructions", "loads through the constant cache", c.constant_accesses);
  statistic("constant_misses", "accesses", "lines that the constant cache had to fetch", c.constant_misses);
  statistic("memory_latency", "cycles", "from issue of a memory instruction until it is performed", c.memory_latency);
  statistic("system_calls", "instructions", "vprintf, malloc, free and failed assertions", c.system_calls);

  for (unsigned p = 0; p < pipe_kinds; ++p) {
    const Pipe pipe = static_cast<Pipe>(p);
    const std::string unit(models::name(pipe));
    statistic("stall_unit_" + unit, "issue slots", "lost: the warp's " + unit + " pipeline is busy",
              stalls_.unit_busy[p]);
    gauge("busy_" + unit, "cycles", "pipeline occupancy, summed over the " + unit + " pipelines",
          [this, pipe] { return static_cast<double>(units_.busy_cycles(pipe)); });
  }
  for (unsigned s = static_cast<unsigned>(WarpState::latency); s < warp_states; ++s) {
    const std::string reason(state_name(static_cast<WarpState>(s)));
    statistic("stall_" + reason, "issue slots", "lost: no warp is nearer to issuing than one in state " + reason,
              stalls_.by_state[s]);
  }
  for (std::size_t r = 0; r < gate_reasons_.size(); ++r) {
    const std::string reason(gate_reasons_[r]);
    statistic("stall_gate_" + reason, "issue slots", "lost: the issue gate held a warp back for " + reason,
              stalls_.by_state[static_cast<std::size_t>(gated_state(static_cast<unsigned>(r)))]);
  }
  for (std::size_t b = 0; b < holds_.cycles.size() && !gate_reasons_.empty(); ++b) {
    const std::string behind(models::name(static_cast<Behind>(b)));
    statistic("held_behind_" + behind, "cycles",
              "from the gate's first refusal of an instruction until it might go, " +
                  (b == static_cast<std::size_t>(Behind::nothing) ? "nothing of its warp under way"
                                                                  : "behind an older " + behind + " of its warp"),
              holds_.cycles[b]);
  }
  if (lane_path_ != nullptr) {
    const LanePathStatistics& lanes = lane_path_->statistics();
    statistic("lane_instructions", "instructions", "memory instructions that lane stages saw", lanes.instructions);
    statistic("lane_answers", "lanes", "that a lane stage answered", lanes.answered);
    statistic("lane_drops", "lanes", "of which a lane stage let nothing happen", lanes.dropped);
    statistic("lane_holds", "cycles", "that lane stages held an instruction", lanes.held);
  }
  gauge("occupancy", "ratio", "resident warps per warp slot, now",
        [this] { return static_cast<double>(resident_warps()) / spec_.max_warps; });
  gauge("memory_queue", "instructions", "memory instructions that wait for their turn at the L1, now",
        [this] { return static_cast<double>(path_.queued()); });
  gauge("memory_under_way", "instructions", "memory instructions not performed yet, now",
        [this] { return static_cast<double>(path_.under_way()); });

  traced_when_asked([this] { register_waves(); });
}

std::vector<std::string> Sm::check_end_of_run() const {
  std::vector<std::string> lines = path_.left_over();
  if (lane_path_ != nullptr) {
    for (std::string& line : lane_path_->left_over()) lines.push_back(std::move(line));
  }
  if (resident_ctas_ != 0) lines.push_back(fmt::format("{} CTAs have not ended", resident_ctas_));
  if (to_l1.any_busy()) lines.push_back("the link to the L1 is busy");
  if (from_l1.any_waiting()) lines.push_back("a reply waits on the link from the L1");
  for (std::string& line : lines) line.insert(0, fmt::format("{}: ", name()));
  return lines;
}

std::vector<std::string> Sm::describe_waiting() const {
  std::vector<std::string> lines;
  for (unsigned slot = 0; slot < spec_.max_warps; ++slot) {
    if (warps_[slot].live) lines.push_back(describe_warp(slot));
  }
  for (std::string& line : path_.left_over()) lines.push_back(std::move(line));
  if (lane_path_ != nullptr) {
    for (std::string& line : lane_path_->left_over()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string Sm::describe_warp(unsigned slot) const {
  const WarpContext& w = warps_[slot];
  const WarpState state = states_.of(slot);
  std::string text = fmt::format("{} waits ({}) at pc {}, {}; {} accesses under way", place_of(slot), state_name(state),
                                 w.warp.pc(), w.warp.program().where(*w.warp.next()), w.accesses);
  if (is_gated(state)) text += fmt::format("; the issue gate holds it back: {}", reason(state));
  return text;
}

}  // namespace syncline::models
