#include "protocols/coherence/gpu_vi_ni/gpu_vi_ni.h"

namespace syncline::protocols {

CoherencePolicy make_gpu_vi_ni(const GpuViNiSpec& spec) {
  CoherencePolicy policy = make_gpu_vi();
  policy.name = "gpu_vi_ni";
  policy.description =
      "As `gpu_vi`, but the directory is decoupled from the home's data: only a line that leaves the directory is "
      "recalled. Not inclusive.";
  policy.seams = {{"L1 machine", "gpu_vi L1"}, {"home machine", "gpu_vi_ni home"}};
  RoleMachine& home = policy.at(Role::home);
  home.table = gpu_vi_ni::home_table();
  home.directory = DirectoryGeometry{spec.directory_sets, spec.directory_ways};
  return policy;
}

}  // namespace syncline::protocols
