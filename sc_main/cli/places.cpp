#include "sc_main/cli/places.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/nearest.h"
#include "base/readable.h"

namespace syncline::cli {

namespace fs = std::filesystem;

fs::path configs_folder() {
  const char* replaced = std::getenv("SYNCLINE_CONFIGS");
  return replaced != nullptr ? fs::path(replaced) : fs::path(SYNCLINE_CONFIGS_FOLDER);
}

std::vector<std::string> platform_names() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(configs_folder(), ignored)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

fs::path find_platform(const std::string& name) {
  fs::path named = configs_folder() / (name + ".yaml");
  std::error_code unknown;
  if (name.find('/') == std::string::npos && fs::exists(named, unknown)) return named;
  const std::string why = base::why_unreadable(name);
  if (why.empty()) return name;
  if (fs::symlink_status(name, unknown).type() != fs::file_type::not_found)
    throw base::UserError("cannot read the platform `" + name + "`: " + why);
  throw base::UserError("unknown platform `" + name + "`" + base::suggestion(name, platform_names()) +
                        " (a name in configs/, or the path of a YAML file)");
}

}  // namespace syncline::cli
