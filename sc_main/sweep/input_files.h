// The files that a run reads, by which one knows whether they are what they were when its sweep began.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/config/configuration.h"
#include "platform/script/workload_script.h"

namespace syncline::sweep {

/// A file, and a hash of what it had.
struct InputFile {
  std::string path;  ///< absolute
  std::string hash;
};
using InputFiles = std::vector<InputFile>;

/// 16 digits; equal for equal texts.
std::string hash_of(const std::string& text);
/// A platform's file, and those that it includes.
InputFiles files_of_platform(const platform::Settings& settings);
/// A script, its PTX, and the files that its steps read, in this order.
InputFiles files_of_script(const std::filesystem::path& file, const platform::WorkloadScript& script);
/// The first that is not what it was; empty: all are.
std::string changed_file(const InputFiles& files);

}  // namespace syncline::sweep
