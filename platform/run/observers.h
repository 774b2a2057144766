// Those who watch a timed run because somebody asked for what they tell.
#pragma once

#include <memory>
#include <vector>

#include "platform/gpu/gpu.h"
#include "platform/observe/kernel_log.h"
#include "platform/observe/outputs.h"
#include "platform/run/run.h"
#include "platform/timed/simulation.h"

namespace syncline::platform {

/// A run that is about to begin.
class WatchedRun {
 public:
  WatchedRun(const RunRequest& asked, Simulation& made, Outputs& files)
      : request(asked), simulation(made), outputs(files) {}
  /// Its kernels, of which a record is kept from when somebody first asks.
  const KernelLog& kernels();
  nlohmann::ordered_json provenance() const;

  const RunRequest& request;
  Simulation& simulation;
  Outputs& outputs;

 private:
  std::unique_ptr<KernelLog> kernels_;
};

/// One of them.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;
  /// Before blocks are made: who is to be told of what happens in them.
  virtual void listen(GpuOptions&) const {}
  /// Nothing has run yet. Opens its file, so that mistakes in paths are told before the run.
  virtual void attach(WatchedRun& run) = 0;
  /// The run has ended, and all else of `result` is known.
  virtual void finish(WatchedRun&, RunResult& /*result*/) {}
};

/// All that a request asks for.
class Observers {
 public:
  /// `request` outlives them.
  explicit Observers(const RunRequest& request);
  /// The caller's, and who listens.
  OwnParts parts() const;
  /// Both outlive the observers.
  void attach(Simulation& simulation, Outputs& outputs);
  void finish(RunResult& result);

 private:
  const RunRequest& request_;
  std::unique_ptr<WatchedRun> run_;
  std::vector<std::unique_ptr<Observer>> observers_;
};

/// UserError where `what` asks for something that only blocks with time can tell.
void refuse_timed_observation(const Observation& what);

}  // namespace syncline::platform
