#include "platform/run/own_parts.h"

#include "platform/timed/simulation.h"

namespace syncline::platform {

std::unique_ptr<Simulation> compose(const PlatformSpec& spec, std::uint64_t seed, const OwnParts& parts) {
  auto simulation = std::make_unique<Simulation>(spec, seed, parts.options ? parts.options(spec) : GpuOptions{});
  if (parts.bind) parts.bind(*simulation);
  return simulation;
}

}  // namespace syncline::platform
