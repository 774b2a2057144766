// What a word chooses.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"

namespace syncline::cli {

/// Where text may be printed in several ways: how, by name.
template <typename Report>
using Printers = std::vector<std::pair<const char*, void (*)(std::ostream&, const Report&)>>;

/// What stands beside `name` in `table`. UserError with the nearest name where there is no such `what`.
template <typename Table>
auto chosen(const std::string& what, const std::string& name, const Table& table) {
  std::vector<std::string> names;
  for (const auto& [known, value] : table) {
    if (name == known) return value;
    names.emplace_back(known);
  }
  throw base::UserError("unknown " + what + " `" + name + "`" + base::suggestion(name, names));
}

}  // namespace syncline::cli
