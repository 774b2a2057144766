// The blocks that a platform can be made of.
#pragma once

#include <string_view>
#include <vector>

namespace syncline::platform {

struct CatalogueEntry {
  std::string_view name;
  std::string_view folder;
  std::string_view summary;
};

/// All blocks, in the order of a load's way.
const std::vector<CatalogueEntry>& catalogue();

}  // namespace syncline::platform
