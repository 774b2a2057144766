// Where the data that comes with Syncline lies: the platforms that have names, and the programs' PTX.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace syncline::base {

/// Folders that may hold the data of a kind, "configs" or "workloads", first the one to prefer; they need not exist.
/// The environment variable `instead` replaces them. Else they are share/syncline of the installation that the running
/// program is in, wherever that was moved; what add_data_folder names; and for a program in the build folder, the
/// sources.
std::vector<std::filesystem::path> data_folders(const std::string& kind, const char* instead);

/// A folder with folders of such data. Always true.
bool add_data_folder(const std::string& folder);

#ifdef SYNCLINE_DATA_FOLDER
// An installed CMake package defines it: a program elsewhere, which is built with the package, finds the package's
// data.
namespace {
[[maybe_unused]] const bool data_of_the_package = add_data_folder(SYNCLINE_DATA_FOLDER);
}  // namespace
#endif

}  // namespace syncline::base
