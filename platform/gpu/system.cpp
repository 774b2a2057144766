#include "platform/gpu/system.h"

#include <fmt/format.h>

#include "base/error.h"

namespace syncline::platform {

System::System(models::PlatformContext& context, const PlatformSpec& spec, unsigned gpus, const OptionsOf& options) {
  if (gpus == 0 || gpus > max_gpus)
    throw base::UserError(fmt::format("a system has 1 to {} GPUs, not {}", max_gpus, gpus));
  for (unsigned i = 0; i < gpus; ++i) {
    const std::string name = gpus == 1 ? "gpu" : fmt::format("gpu{}", i);
    GpuOptions of_gpu = options ? options(i) : GpuOptions{};
    of_gpu.place.gpu = static_cast<std::uint8_t>(i);
    gpus_.push_back(std::make_unique<Gpu>(name.c_str(), context, spec, of_gpu));
  }
}

}  // namespace syncline::platform
