// What scopes of a program mean on a device of several GPUs.
#pragma once

#include <cstdint>

#include "base/fields.h"
#include "isa/vocabulary.h"

namespace syncline::models {

/// What `.gpu` covers: all of the device, as in PTX, whose `.gpu` is the device that the program runs on; or the GPU
/// that executes it, for programs that know of several.
enum class GpuScope : std::uint8_t { device, gpu };

inline const base::ChoiceTable<GpuScope>& gpu_scopes() {
  static const base::ChoiceTable<GpuScope> table = {{"device", GpuScope::device}, {"gpu", GpuScope::gpu}};
  return table;
}

struct ScopeReach {
  bool several_gpus = false;
  GpuScope gpu_scope = GpuScope::device;

  /// The scope that a memory system of several GPUs is told; in one GPU all that is wider than a CTA is the same.
  isa::Scope of(isa::Scope scope, isa::Semantics semantics, bool is_atomic) const {
    if (!several_gpus) return scope;
    const bool is_strong = is_atomic || (semantics != isa::Semantics::none && semantics != isa::Semantics::weak);
    if (scope == isa::Scope::none &&
        is_strong)  // PTX ISA: volatile is relaxed.sys, an atomic without a scope of the GPU
      scope = semantics == isa::Semantics::volatile_ ? isa::Scope::sys : isa::Scope::gpu;
    return scope == isa::Scope::gpu && gpu_scope == GpuScope::device ? isa::Scope::sys : scope;
  }
};

}  // namespace syncline::models
