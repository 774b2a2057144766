// Files that are read whole.
#pragma once

#include <filesystem>
#include <string>

namespace syncline::base {

/// Why `path` is no file that can be read to its end; empty when it is one. A folder opens as a stream and fails only
/// where it is read, and a device may never end.
std::string why_unreadable(const std::filesystem::path& path);

}  // namespace syncline::base
