#include "platform/config/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/nearest.h"
#include "base/readable.h"
#include "platform/config/yaml_node.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> config_folders() {
  return base::data_folders("configs", "SYNCLINE_CONFIGS");
}

/// The first of them that is there; empty: none.
fs::path configs_folder() {
  const std::vector<fs::path> all = config_folders();
  std::error_code unknown;
  const auto there =
      std::find_if(all.begin(), all.end(), [&](const fs::path& one) { return is_directory(one, unknown); });
  return there == all.end() ? fs::path() : *there;
}

bool is_path(const fs::path& name) {
  return name.has_parent_path() || name.extension() == ".yaml" || name.extension() == ".yml";
}

}  // namespace

std::vector<std::string> platform_names() {
  std::vector<std::string> names;
  std::error_code unknown;
  for (const auto& entry : fs::directory_iterator(configs_folder(), unknown)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  if (names.empty()) {
    std::string looked_in;
    for (const fs::path& folder : config_folders()) looked_in += (looked_in.empty() ? "" : ", ") + folder.string();
    throw base::UserError("no platform has a name: there is no YAML file in " + looked_in +
                          "; SYNCLINE_CONFIGS names the folder that holds them");
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_platform(const std::string& name, const fs::path& folder, const base::SourceLocation& asked_from) {
  std::error_code unknown;
  if (const fs::path configs = configs_folder(); !configs.empty() && name.find('/') == std::string::npos) {
    fs::path named = configs / (name + ".yaml");
    if (fs::exists(named, unknown)) return named;
  }
  fs::path path = folder / name;
  const std::string why = base::why_unreadable(path);
  if (why.empty()) return path;
  const bool is_there = fs::symlink_status(path, unknown).type() != fs::file_type::not_found;
  const auto what = [&](const std::string& shown) {
    if (is_there) return fmt::format("cannot read the platform {}: {}", shown, why);
    return fmt::format("unknown platform {}{} (a name in configs/, or the path of a YAML file)", shown,
                       base::suggestion(name, platform_names()));
  };
  if (asked_from.file.empty()) throw base::UserError(what("`" + name + "`"));
  throw base::UserError(asked_from, what(quoted_for_message(name)));
}

fs::path platform_file(const fs::path& file, const fs::path& folder, const base::SourceLocation& asked_from) {
  return is_path(file) ? folder / file : find_platform(file.string(), folder, asked_from);
}

}  // namespace syncline::platform
