// Where platforms are found: by a name, which is that of a file in configs/, or by the path of a YAML file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/data_folders.h"
#include "base/error.h"

namespace syncline::platform {

/// Names (file stems) of the platforms that come with Syncline, or of those in the folder that the environment variable
/// SYNCLINE_CONFIGS names, sorted. UserError with the folders that were looked in where there are none.
std::vector<std::string> platform_names();

/// A platform by name or by path, which counts from `folder`. UserError, at `asked_from` where that is known, with the
/// nearest name when there is neither.
std::filesystem::path find_platform(const std::string& name, const std::filesystem::path& folder = {},
                                    const base::SourceLocation& asked_from = {});

/// The same for texts that say `x.yaml` or `folder/x` where they mean a file: that is not looked for.
std::filesystem::path platform_file(const std::filesystem::path& file, const std::filesystem::path& folder = {},
                                    const base::SourceLocation& asked_from = {});

}  // namespace syncline::platform
