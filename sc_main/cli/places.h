// Where platforms are found.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace syncline::cli {

/// Folder of the platforms that come with Syncline; the environment variable SYNCLINE_CONFIGS replaces it.
std::filesystem::path configs_folder();
/// Names (file stems) of the platforms there, sorted.
std::vector<std::string> platform_names();
/// A name in configs/ or a path to a YAML file. UserError with the nearest name when there is neither.
std::filesystem::path find_platform(const std::string& name);

}  // namespace syncline::cli
