// The kernels of one vector width, found by form.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/lanes/form.h"
#include "isa/lanes/lane_kernel.h"

namespace syncline::isa {

class KernelTable {
 public:
  void add(const LaneForm& form, LaneKernel kernel);  ///< ModelError if the form is there already
  LaneKernel find(const LaneForm& form) const;        ///< null if there is none

  /// All entries as (key, kernel), in ascending order of keys.
  std::vector<std::pair<std::uint64_t, LaneKernel>> entries() const;

 private:
  std::unordered_map<std::uint64_t, LaneKernel> kernels_;
};

/// The whole table of one build; null where this program was built without it.
const KernelTable* kernel_table(LaneIsa isa);

/// True if the program contains the build and the CPU can run it.
bool lane_isa_available(LaneIsa isa);

}  // namespace syncline::isa
