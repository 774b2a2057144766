#include "models/transport/node.h"

#include <fmt/format.h>

namespace syncline::models {

std::string prefix(GpuPlace place) {
  std::string text;
  if (place.gpu != 0) text += fmt::format("gpu{}.", place.gpu);
  if (place.gpm != 0) text += fmt::format("gpm{}.", place.gpm);
  return text;
}

std::string name(const NodeId& node) {
  const std::string place = prefix(node.place);
  switch (node.kind) {
    case NodeKind::none:
      break;
    case NodeKind::l1:
      return fmt::format("{}l1 {}", place, node.index);
    case NodeKind::home:
      return fmt::format("{}home {}", place, node.index);
    case NodeKind::unit:
      return fmt::format("{}unit {} of home {}", place, node.unit, node.index);
  }
  return "nobody";
}

}  // namespace syncline::models
