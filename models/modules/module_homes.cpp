#include "models/modules/module_homes.h"

namespace syncline::models {

NodeId ModuleHomes::home(base::LineAddress line, isa::Scope scope, const NodeId& asker) const {
  if (asker.kind == NodeKind::l1) {
    pages_.touch(line, asker);
    return slice(module(asker), pages_.number_in_module(line.value()));
  }
  const NodeId home = pages_.home(line, scope, asker);
  if (asker.kind == NodeKind::none) return home;
  const unsigned at = module(asker), of = module(home);
  const auto in = [&](unsigned module) { return slice(module, slice_number(home)); };
  const bool asks_gpu = gpu_homes_ && at != of && map_.gpu_of(at) != map_.gpu_of(of);
  const unsigned below = asks_gpu ? gpu_home(at, of) : of;
  return below == at ? home : in(below);
}

Standing ModuleHomes::standing(base::LineAddress line, const NodeId& l2) const {
  const unsigned at = module(l2), of = pages_.module(line.value());
  if (at == of) return Standing::home;
  const bool is_gpu_home = gpu_homes_ && map_.gpu_of(at) != map_.gpu_of(of) && gpu_home(at, of) == at;
  return is_gpu_home ? Standing::gpu_home : Standing::gpm;
}

protocols::CoherencePolicy::Span ModuleHomes::span(const NodeId& from, const NodeId& to) const {
  using Policy = protocols::CoherencePolicy;
  const unsigned a = module(from), b = module(to);
  if (a == b) return Policy::within_module;
  return map_.gpu_of(a) == map_.gpu_of(b) ? Policy::within_gpu : Policy::between_gpus;
}

}  // namespace syncline::models
