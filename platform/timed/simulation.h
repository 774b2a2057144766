// One timed simulation: the clocks, a system of GPUs, a device of each for the host program, and who watches over it.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/block/block.h"
#include "platform/gpu/system.h"
#include "platform/observe/consistency_monitor.h"
#include "platform/observe/transaction_monitor.h"
#include "platform/spec/platform_spec.h"
#include "platform/timed/host_process.h"
#include "platform/timed/spin_judge.h"
#include "platform/timed/timed_device.h"
#include "platform/timed/watchdog.h"

namespace syncline::platform {

/// Composes GPUs from a specification. One per process, since SystemC elaborates once; several where somebody else owns
/// the simulation (platform/component), each in a module of its own.
///
///   Simulation simulation(spec, seed);
///   simulation.run([](Device& gpu) { ... });
class Simulation {
 public:
  /// One GPU. `options`: what is to be other than the specification says (platform/gpu/gpu.h).
  Simulation(const PlatformSpec& spec, std::uint64_t seed, GpuOptions options = {});
  /// Several (platform/gpu/system.h), each with a memory of its own.
  Simulation(const PlatformSpec& spec, std::uint64_t seed, unsigned gpus, const System::OptionsOf& options = {});
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  models::PlatformContext& context() { return context_; }
  System& system() { return system_; }
  Gpu& gpu(unsigned index = 0) { return system_.gpu(index); }
  TimedDevice& device(unsigned gpu = 0) { return *devices_.at(gpu); }
  models::ClockDomain& core_clock() { return gpu().core_clock(); }  ///< of the first GPU
  /// Null unless `observe.consistency` asks for it.
  const ConsistencyMonitor* consistency(unsigned gpu = 0) const { return monitors_.at(gpu).get(); }
  /// Null unless `observe.transactions` asks for it, and `transactions.policy` has any.
  const TransactionMonitor* transactions(unsigned gpu = 0) const { return transaction_monitors_.at(gpu).get(); }

  /// Where in the program's text instruction `pc` of a grid stands; empty: the grid has ended.
  std::string where(base::GridId grid, std::uint32_t pc, unsigned gpu = 0) const;

  /// `observer` is ticked after all blocks of a cycle of `core_clock`, from cycle 0 on. Before `run`.
  void observe(models::Ticked& observer, const std::string& name);

  /// `tell` is given what the user has to hear while the program runs; context().notes keep the sentence. Before `run`.
  void tell_at_once(std::function<void(const std::string&)> tell) { tell_ = std::move(tell); }

  /// Runs the program to its end, lets the machine drain, and checks that nothing is left over. Throws base::Error:
  /// what the program threw, a fault of a kernel, a hang (ModelError with who waits for whom), or leftovers. The
  /// program is given the device of the first GPU; `device` gives it those of the others.
  void run(const std::function<void(Device&)>& program);

  /// Instead of `run`, where sc_start is somebody else's: `program` begins with the simulation, and neither it nor a
  /// fault ends that. It has the device as in `run`, says `work_begins` before it launches, and is alone in knowing of
  /// a fault (HostProcess). Before the simulation starts.
  void attend(std::function<void()> program);
  /// What a kernel did wrong, since this was asked last; null: nothing. Where somebody else has the simulation that is
  /// the end of the kernels that run, and not of the GPU: their warps end where they are (GridSink::end_all), and the
  /// host's next wait for them comes back. Where that is not possible the scheduler has failed (Conduct).
  std::exception_ptr take_fault() { return std::exchange(fault_, nullptr); }
  void work_begins() { watchdog_.work_begins(core_clock().now()); }
  HostProcess& host() { return host_; }
  /// What blocks still have to do, a line each with a line break before; empty: nothing.
  std::string leftovers() const;

 private:
  /// Gives write-backs and acknowledgements that are under way when the program ends the time to arrive.
  void drain();
  const isa::Program* program(base::GridId grid, unsigned gpu) const;
  /// For the scheduler: ends all kernels.
  bool keep_fault(std::exception_ptr fault);
  void attach_monitors(unsigned gpu, const std::string& prefix);

  models::Scheduler scheduler_;
  models::MessagePool messages_;
  base::StatisticsRegistry statistics_;
  models::PlatformContext context_;
  base::Cycle progress_window_;
  std::function<void(const std::string&)> tell_;
  HostProcess host_;
  std::vector<std::shared_ptr<ConsistencyMonitor>> monitors_;              ///< of each GPU, or null
  std::vector<std::shared_ptr<TransactionMonitor>> transaction_monitors_;  ///< of each GPU, or null
  SpinJudge spins_;
  System system_;
  std::vector<std::unique_ptr<TimedDevice>> devices_;  ///< of each GPU
  Watchdog watchdog_;
  std::exception_ptr fault_;
  base::Cycle fault_at_ = 0;  ///< of the core clock
};

}  // namespace syncline::platform
