// Files that a run leaves behind appear whole or not at all.
#pragma once

#include <fstream>
#include <string>

namespace syncline::platform {

/// Writes beside the target and renames on `commit`; a run that fails before leaves no half-written result.
class OutputFile {
 public:
  /// Opens `path` + ".partial" for writing; UserError when that is impossible, so that a typing error in a path is told
  /// before the simulation and not after it.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  std::ostream& stream() { return stream_; }
  /// Flushes and renames; UserError when the disk is full.
  void commit();

 private:
  std::string path_;
  std::ofstream stream_;
  bool committed_ = false;
};

}  // namespace syncline::platform
