// The GPUs of a machine: what a simulation owns, and devices refer to.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "platform/gpu/gpu.h"

namespace syncline::platform {

/// Equal GPUs side by side. A lone one is called `gpu`, several are `gpu0`, `gpu1`, ... Nothing joins them but the
/// host.
class System {
 public:
  /// What is to be other than the specification says, for GPU number `gpu`.
  using OptionsOf = std::function<GpuOptions(unsigned gpu)>;

  static constexpr unsigned max_gpus = 256;  ///< as many as GpuPlace tells apart

  /// `options`: null for what the specification says; `place` is set here. UserError for no GPU or too many.
  System(models::PlatformContext& context, const PlatformSpec& spec, unsigned gpus = 1, const OptionsOf& options = {});

  unsigned gpus() const { return static_cast<unsigned>(gpus_.size()); }
  Gpu& gpu(unsigned index = 0) { return *gpus_.at(index); }

 private:
  std::vector<std::unique_ptr<Gpu>> gpus_;
};

}  // namespace syncline::platform
