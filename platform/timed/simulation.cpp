#include "platform/timed/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/taps.h"

namespace syncline::platform {
namespace {
// Between looks at what is left when the host program has ended.
constexpr base::Cycle drain_step_cycles = 200;
// Times the progress window: a machine that changes for so long and does not come to rest has a loop.
constexpr base::Cycle longest_drain = 64;

std::shared_ptr<ConsistencyMonitor> make_monitor(const PlatformSpec& spec, const GpuOptions& options) {
  if (spec.observe.consistency == ConsistencyWatch::off) return nullptr;
  return std::make_shared<ConsistencyMonitor>(
      options.own_policy ? *options.own_policy : protocols::make_coherence_policy(spec.coherence), spec.observe,
      !conduct_of(spec).stores_wait);
}

std::shared_ptr<TransactionMonitor> make_transaction_monitor(const PlatformSpec& spec) {
  if (spec.observe.transactions == TransactionWatch::off || !conduct_of(spec).transactions) return nullptr;
  return std::make_shared<TransactionMonitor>(spec.observe);
}

}  // namespace

Simulation::Simulation(const PlatformSpec& spec, std::uint64_t seed, GpuOptions options)
    : Simulation(spec, seed, 1, [&options](unsigned) { return std::move(options); }) {}

Simulation::Simulation(const PlatformSpec& spec, std::uint64_t seed, unsigned gpus, const System::OptionsOf& options)
    : scheduler_("scheduler"),
      context_{scheduler_, messages_, statistics_, seed},
      progress_window_(spec.limits.progress_window),
      host_("host", scheduler_),
      monitors_(gpus),
      transaction_monitors_(gpus),
      spins_(system_, host_),
      system_(context_, spec, gpus,
              [&](unsigned gpu) {
                GpuOptions changed = options ? options(gpu) : GpuOptions{};
                monitors_[gpu] = make_monitor(spec, changed);
                if (monitors_[gpu]) changed.listeners.push_back(monitors_[gpu]);
                transaction_monitors_[gpu] = make_transaction_monitor(spec);
                if (transaction_monitors_[gpu]) base::require_taps();
                if (transaction_monitors_[gpu]) changed.listeners.push_back(transaction_monitors_[gpu]);
                context_.transaction_listeners.push_back(transaction_monitors_[gpu].get());
                if (changed.foreign_ports != 0) spins_.open();
                return changed;
              }),
      watchdog_(
          context_, {spec.limits.progress_window, spec.limits.cycles, spec.limits.spin_window},
          [this] {
            return std::any_of(devices_.begin(), devices_.end(), [](const auto& device) { return device->busy(); });
          },
          [this](const std::string& what, const std::string& who) {
            context_.notes.push_back(what);
            if (tell_) tell_(what + who);
          },
          &spins_) {
  scheduler_.run_on(host_threads(spec));
  observe(watchdog_, "watchdog");
  for (unsigned i = 0; i < gpus; ++i) {
    devices_.push_back(std::make_unique<TimedDevice>(gpu(i), host_));
    devices_.back()->note_in(context_.notes);
    attach_monitors(i, gpus == 1 ? std::string() : std::string(gpu(i).name()) + ".");
  }
}

void Simulation::attach_monitors(unsigned gpu, const std::string& prefix) {
  if (monitors_[gpu]) {
    monitors_[gpu]->attach(system_.gpu(gpu), statistics_, prefix + "consistency",
                           [this, gpu](base::GridId id, std::uint32_t pc) { return where(id, pc, gpu); });
  }
  if (transaction_monitors_[gpu]) {
    const auto where = [this, gpu](base::GridId id, const isa::Op& op) {
      const isa::Program* const program = this->program(id, gpu);
      return program == nullptr ? std::string() : program->where(op);
    };
    transaction_monitors_[gpu]->attach(system_.gpu(gpu), statistics_, prefix + "serializability", where);
  }
}

const isa::Program* Simulation::program(base::GridId grid, unsigned gpu) const {
  const models::GridLaunch* const known = devices_.at(gpu)->grid(grid);
  return known == nullptr ? nullptr : known->context.program.get();
}

std::string Simulation::where(base::GridId grid, std::uint32_t pc, unsigned gpu) const {
  const isa::Program* const known = program(grid, gpu);
  return known == nullptr ? std::string() : known->where(known->op(pc));
}

void Simulation::observe(models::Ticked& observer, const std::string& name) {
  core_clock().add(observer, models::TickRank::observer, name);
  observer.wake(0);
}

void Simulation::run(const std::function<void(Device&)>& program) {
  host_.set_program([this, &program] {
    program(device());
    for (const auto& device : devices_) device->synchronize();
    drain();
  });
  scheduler_.run_ahead();
  sc_core::sc_start();
  host_.rethrow();
  if (!host_.finished())
    throw base::ModelError("nothing is left to simulate, but the host program waits" + Watchdog::who_waits(context_));
  const std::string rest = leftovers();
  if (!rest.empty()) throw base::ModelError("the run ended with work left over:" + rest);
}

void Simulation::attend(std::function<void()> program) {
  spins_.open();  // who owns the simulation may write to memory
  watchdog_.sleep_without_work();
  scheduler_.keep_faults([this](std::exception_ptr fault) { return keep_fault(std::move(fault)); });
  host_.set_program(std::move(program), HostProcess::AtEnd::goes_on);
}

bool Simulation::keep_fault(std::exception_ptr fault) {
  const base::Cycle now = core_clock().now();
  // Before the SMs have had their next turns other warps may be at fault, too. What comes later is of no warp.
  if (fault_) return now <= fault_at_ + 1;
  for (unsigned i = 0; i < system_.gpus(); ++i) {
    if (conduct_of(gpu(i).spec()).warps_end_alone || !gpu(i).grids().end_all()) return false;
  }
  fault_ = std::move(fault);
  fault_at_ = now;
  watchdog_.work_begins(now);  // what is under way has the time of a launch to come to its end
  return true;
}

void Simulation::drain() {
  const sc_core::sc_time step = core_clock().length_of(drain_step_cycles);
  std::string rest = leftovers();
  base::Cycle unchanged = 0;
  for (base::Cycle spent = 0; !rest.empty() && unchanged < progress_window_ && spent < longest_drain * progress_window_;
       spent += drain_step_cycles) {
    host_.wait_for(step);
    std::string now = leftovers();
    unchanged = now == rest ? unchanged + drain_step_cycles : 0;
    rest = std::move(now);
  }
}

std::string Simulation::leftovers() const {
  std::string text;
  for (const models::Block* block : context_.blocks) {
    for (const std::string& line : block->check_end_of_run()) text += fmt::format("\n  {}: {}", block->name(), line);
  }
  for (const auto& monitor : transaction_monitors_) {
    if (monitor == nullptr) continue;
    for (const std::string& line : monitor->left_over()) text += "\n  transactions: " + line;
  }
  const std::size_t in_flight = context_.tiles.messages_in_flight();
  if (text.empty() && in_flight != 0) text = fmt::format("\n  {} messages in flight", in_flight);
  return text;
}

}  // namespace syncline::platform
