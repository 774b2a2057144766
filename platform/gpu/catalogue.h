// The blocks that a platform can be made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace syncline::platform {

struct CatalogueEntry {
  std::string_view name;
  std::string_view folder;
  /// In a GPU: names of the instances below it, "sm*_l1", where * is a number; several with a blank between. They begin
  /// the names of their statistics. Empty: a part of another block, or made by who composes a platform by hand.
  std::string_view instances;
  std::string_view keys;  ///< the group of its parameters; empty: it has none of its own
  std::string_view summary;
};

/// All blocks, in the order of a load's way, and behind them those that only one policy makes.
std::vector<CatalogueEntry> catalogue();

/// The entry whose instance `block` is, as "gpu.sm3_l1"; null when there is none.
const CatalogueEntry* entry_of(const std::vector<CatalogueEntry>& entries, const std::string& block);

}  // namespace syncline::platform
