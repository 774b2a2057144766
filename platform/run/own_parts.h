// What a program of the caller's puts into a GPU beside what a specification says.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace syncline::platform {

struct GpuOptions;
struct PlatformSpec;
class Simulation;

/// Blocks of the caller's in the GPU of a timed run. They outlive the run; a functional run has no blocks.
struct OwnParts {
  /// Factories, units, ports for foreign initiators (platform/gpu/gpu.h). Null: as the specification says.
  std::function<GpuOptions(const PlatformSpec&)> options;
  /// Makes and binds what stands beside the GPU, such as a memory or an initiator; nothing has run yet. Null: nothing.
  std::function<void(Simulation&)> bind;
};

/// A simulation with these parts, ready to run.
std::unique_ptr<Simulation> compose(const PlatformSpec& spec, std::uint64_t seed, const OwnParts& parts);

}  // namespace syncline::platform
