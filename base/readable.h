// Files that are read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "base/error.h"

namespace syncline::base {

/// Why `path` is no file that can be read to its end; empty when it seems to be one. A folder opens as a stream and
/// fails only where it is read, and a device may never end.
std::string why_unreadable(const std::filesystem::path& path);

/// The contents of a file; throws what `fail` makes of the reason why it cannot be read, or has more than `most` bytes.
std::string read_whole(const std::filesystem::path& path, const std::function<UserError(const std::string& why)>& fail,
                       std::uint64_t most = ~std::uint64_t{0});

}  // namespace syncline::base
