#include "platform/spec/platform_spec.h"

#include "platform/packages/composition.h"
#include "platform/spec/block_models.h"

namespace syncline::platform {

void check_platform(const PlatformSpec& spec, const Require& require) {
  // What travels between the caches is a line, and a line has one home.
  require(spec.l1.line == spec.l2.line, "l1.line", "must equal `l2.line`");
  require(spec.z_unit.cache_size % (spec.z_unit.ways * spec.l2.line) == 0, "z_unit.cache_size",
          "must be a whole number of sets of `z_unit.ways` lines of `l2.line`");
  require(spec.memory.chunk >= spec.l2.line, "memory.chunk", "must hold at least one line of the L2");
  check_composition({spec}, require);
  check_memory(memory_layout(spec, requested_units(spec)), require);
  check_block_models(spec, rtl::rtl_blocks(), require);
}

template Configuration<PlatformSpec> read_configuration<PlatformSpec>(const ConfigurationInput&);
template std::string configuration_reference<PlatformSpec>();

}  // namespace syncline::platform
