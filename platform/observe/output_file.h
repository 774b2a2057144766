// Files that a run leaves behind appear whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace syncline::platform {

/// Writes beside the target and renames on `commit`; a run that fails before leaves no half-written result. A symbolic
/// link stays and its target is replaced. What exists and is no regular file (a device, a named pipe) cannot be
/// replaced by a file: it is written directly, as the text comes.
class OutputFile {
 public:
  /// Opens the target's name + ".partial", or what is no regular file itself, for writing; UserError when that is
  /// impossible or would take the file of standard output away, so that a typing error in a path is told before the
  /// simulation and not after it.
  explicit OutputFile(std::string path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  std::ostream& stream() { return stream_; }
  /// Flushes and renames; UserError when the disk is full.
  void commit();

 private:
  bool direct() const { return written_ == target_; }

  std::string path_;               ///< as given, for messages
  std::filesystem::path target_;   ///< `path_` behind its symbolic links
  std::filesystem::path written_;  ///< what is open
  std::ofstream stream_;
  bool committed_ = false;
};

}  // namespace syncline::platform
