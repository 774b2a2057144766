// Waves of GPUs as components: what --wave is for a run of one's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/component/gpu_component.h"
#include "platform/observe/outputs.h"
#include "platform/observe/wave.h"

namespace syncline::platform {

/// The signals of several components of one simulation in one file:
///
///   ComponentWaves waves("board.vcd", {&first, &second});
///   sc_core::sc_start();
///   waves.finish();
///
/// They are sampled at the edges of the SM clock of the first component. What another one does at the same instant may
/// be seen an edge later: SystemC leaves open whose process is first. Kernels, as WaveSpec::kernel, are those of the
/// first.
class ComponentWaves : private LaunchListener {
 public:
  /// Before the simulation starts; the components outlive it. UserError for what is wrong in `spec`, as a path that
  /// cannot be written, and for no component.
  ComponentWaves(const WaveSpec& spec, const std::vector<GpuComponent*>& gpus);
  /// The default groups, from the beginning to the end.
  ComponentWaves(const std::string& path, const std::vector<GpuComponent*>& gpus);
  ComponentWaves(const ComponentWaves&) = delete;
  ComponentWaves& operator=(const ComponentWaves&) = delete;

  /// After the simulation: the file is whole, and there. Without this call there is none. Returns what has to be known
  /// of it, such as that it ends before the simulation does. UserError when the disk is full.
  std::vector<std::string> finish();

 private:
  void launch_began(const models::GridLaunch& grid) override;
  void launch_ended(const models::GridLaunch& grid) override;

  std::vector<models::TracedSignal> signals_;  ///< of all components
  Outputs outputs_;
  std::unique_ptr<WaveWriter> wave_;
};

}  // namespace syncline::platform
