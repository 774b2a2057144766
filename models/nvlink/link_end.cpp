#include "models/nvlink/link_end.h"

#include <fmt/format.h>

namespace syncline::models {

LinkEnd::Way::Way(LinkEnd& owner, unsigned number)
    : input(fmt::format("in{}", number), owner, number), output(fmt::format("out{}", number), owner, number) {}

LinkEnd::LinkEnd(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock,
                 const LinkSpec& spec, unsigned ways, unsigned virtual_networks)
    : Block(module_name, context), spec_(spec), time_(spec, clock), networks_of_way_(virtual_networks) {
  for (unsigned i = 0; i < ways; ++i) ways_.push_back(std::make_unique<Way>(*this, i));
}

std::string LinkEnd::name_of(unsigned way, VirtualNetwork network) const {
  return fmt::format("{}: in{} network {}", name(), way, network);
}

}  // namespace syncline::models
