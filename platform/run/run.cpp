#include "platform/run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "platform/functional/functional_device.h"
#include "platform/observe/progress_line.h"
#include "platform/run/observers.h"
#include "platform/spec/issue_slots.h"
#include "platform/spec/limits.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {
namespace {

using HostClock = std::chrono::steady_clock;

double seconds_since(HostClock::time_point start) {
  return std::chrono::duration<double>(HostClock::now() - start).count();
}

std::string threads_of(Simulation& simulation) {
  const models::Scheduler& scheduler = simulation.context().scheduler;
  if (scheduler.threads() == 1) return {};
  if (scheduler.kept_in_order().empty()) {
    const models::WindowCounts counts = scheduler.window_counts();
    return fmt::format("{} ({} windows with {} turns, {} of them in the longest lanes; {} turns between them)",
                       scheduler.threads(), counts.windows, counts.turns, counts.longest, counts.between);
  }
  return fmt::format("1, not {}: {}", scheduler.threads(), fmt::join(scheduler.kept_in_order(), "; "));
}

/// Each launch begins a run.
class RunsOfLaunches : public LaunchListener {
 public:
  explicit RunsOfLaunches(Simulation& simulation) : simulation_(simulation) {
    simulation.device().watch_launches(*this);
  }

 private:
  void launch_began(const models::GridLaunch&) override { simulation_.work_begins(); }
  void launch_ended(const models::GridLaunch&) override {}
  Simulation& simulation_;
};

RunResult run_timed(const RunRequest& request, const HostProgram& program, Outputs& outputs) {
  std::unique_ptr<Simulation> simulation;  // outlives who watches it
  Observers observers(request);
  simulation = compose(request.platform, request.seed, observers.parts());
  observers.attach(*simulation, outputs);
  std::optional<RunsOfLaunches> runs;
  if (request.many_runs) runs.emplace(*simulation);
  RunResult result;
  const HostClock::time_point start = HostClock::now();
  simulation->run([&](Device& device) {
    result.outcome = program(device);
    device.synchronize();
    result.host_seconds = seconds_since(start);
    result.totals = device.totals();
    result.memory_signature = device.memory_signature();
  });
  result.notes = simulation->context().notes;
  result.threads = threads_of(*simulation);
  if (simulation->consistency() != nullptr) result.consistency = simulation->consistency()->summary();
  if (simulation->transactions() != nullptr) result.transactions = simulation->transactions()->summary();
  observers.finish(result);
  return result;
}

/// There are no cycles here, but no more warp instructions either than the timed machine could execute in them.
void limit_instructions(isa::EmulatorConfig& config, const PlatformSpec& spec) {
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t a_cycle = issue_slots(spec);
  const std::uint64_t cycles = spec.limits.cycles;
  const std::uint64_t by_cycles = cycles == 0 || cycles > none / a_cycle ? none : cycles * a_cycle;
  const std::uint64_t by_instructions = spec.limits.instructions != 0 ? spec.limits.instructions : none;
  config.instruction_limit = std::min(by_cycles, by_instructions);
  config.limit_key =
      by_cycles < by_instructions ? " (limits.cycles, at the GPU's greatest rate)" : " (limits.instructions)";
}

FunctionalDevice::Config functional_config(const PlatformSpec& spec) {
  FunctionalDevice::Config config{device_config(spec), {}};
  config.emulator.warp_lanes = spec.sm.warp_size;
  config.emulator.reconvergence = spec.sm.reconvergence;
  // What the timed machine may hold at once is what the programs may count on.
  config.emulator.resident_ctas = spec.sms * spec.sm.max_ctas;
  config.emulator.sms = spec.sms;
  config.emulator.warps_per_sm = spec.sm.max_warps;
  config.emulator.local_limit = spec.host.local_memory;
  limit_instructions(config.emulator, spec);
  return config;
}

/// What the platform asks for and only a timed run has. Its file serves both, so it is no mistake.
std::vector<std::string> not_judged(const ObserveSpec& observe) {
  std::vector<std::string> notes;
  const auto add = [&](const char* key) {
    notes.push_back(fmt::format("nothing has judged this run: `{}` is for timed ones", key));
  };
  if (observe.consistency != ConsistencyWatch::off) add("observe.consistency");
  if (observe.transactions != TransactionWatch::off) add("observe.transactions");
  return notes;
}

void show_progress(FunctionalDevice& device, ProgressLine& line) {
  device.watch([&line](const isa::LaunchProgress& done) {
    if (!line.is_due()) return;
    const auto instructions = static_cast<double>(done.warp_instructions);
    line.print(fmt::format("{:.1f} million warp instructions ({:.1f} million/s)", instructions / 1e6,
                           instructions / line.seconds() / 1e6),
               {done.ctas_done, done.ctas});
  });
}

/// `sink`: null when nobody wants to know of every instruction; `printed`: null for standard output.
RunResult run_functional(const RunRequest& request, const HostProgram& program, isa::TraceSink* sink,
                         std::ostream* printed) {
  refuse_timed_observation(request.observe);
  FunctionalDevice::Config config = functional_config(request.platform);
  config.output = printed;
  FunctionalDevice device(config);
  device.trace(sink);
  RunResult result;
  ProgressLine line(std::cerr);
  if (request.observe.progress) show_progress(device, line);
  const HostClock::time_point start = HostClock::now();
  result.outcome = program(device);
  device.synchronize();
  result.host_seconds = seconds_since(start);
  result.totals = device.totals();
  result.memory_signature = device.memory_signature();
  result.notes = not_judged(request.platform.observe);
  return result;
}

}  // namespace

RunResult run(const RunRequest& request, const HostProgram& program, Outputs& outputs) {
  return request.functional ? run_functional(request, program, nullptr, nullptr) : run_timed(request, program, outputs);
}

RunResult run(const RunRequest& request, const HostProgram& program) {
  Outputs none;
  return run(request, program, none);
}

RunResult run_traced(const RunRequest& request, const HostProgram& program, isa::TraceSink& sink,
                     std::ostream& printed) {
  return run_functional(request, program, &sink, &printed);
}

}  // namespace syncline::platform
