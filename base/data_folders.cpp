#include "base/data_folders.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace syncline::base {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path>& added_folders() {
  static std::vector<fs::path> folders;
  return folders;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

}  // namespace

bool add_data_folder(const std::string& folder) {
  std::vector<fs::path>& added = added_folders();
  if (std::find(added.begin(), added.end(), folder) == added.end()) added.emplace_back(folder);
  return true;
}

std::vector<fs::path> data_folders(const std::string& kind, const char* instead) {
  if (const char* const chosen = std::getenv(instead); chosen != nullptr && *chosen != '\0') return {chosen};
  std::vector<fs::path> folders;
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  if (!unknown) folders.push_back((program.parent_path() / SYNCLINE_PROGRAM_TO_DATA / kind).lexically_normal());
  for (const fs::path& folder : added_folders()) folders.push_back(folder / kind);
  const fs::path build = fs::weakly_canonical(SYNCLINE_BUILD_FOLDER, unknown);
  if (!unknown && is_below(program, build)) folders.push_back(fs::path(SYNCLINE_SOURCE_FOLDER) / kind);
  return folders;
}

}  // namespace syncline::base
