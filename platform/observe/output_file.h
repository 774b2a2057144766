// Files that a run leaves behind appear whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace syncline::platform {

/// Where a file is written until it is whole: beside its target, which it replaces on `commit`; a run that fails before
/// leaves no half-written result. A symbolic link stays and its target is replaced. What exists and is no regular file
/// (a device, a named pipe) cannot be replaced by a file: it is written directly, as the text comes.
class OutputPath {
 public:
  /// `ending` follows the target's name until `commit`. UserError for folders, for links in a circle, and for a path
  /// that would take the file of standard output away.
  explicit OutputPath(std::string path, const std::string& ending = ".partial");
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;
  ~OutputPath();

  const std::string& name() const { return path_; }                  ///< as given, for messages
  const std::filesystem::path& written() const { return written_; }  ///< what is to be opened
  bool direct() const { return written_ == target_; }
  /// Renames what is written; UserError when that is impossible.
  void commit();
  /// UserError with the system's reason.
  [[noreturn]] void fail(int error) const;

 private:
  std::string path_;
  std::filesystem::path target_;  ///< `path_` behind its symbolic links
  std::filesystem::path written_;
  bool committed_ = false;
};

/// A text file at an OutputPath.
class OutputFile {
 public:
  /// Opens it for writing; UserError when that is impossible, so that a typing error in a path is told before the
  /// simulation and not after it.
  explicit OutputFile(std::string path);

  std::ostream& stream() { return stream_; }
  /// Flushes and renames; UserError when the disk is full.
  void commit();

 private:
  OutputPath path_;
  std::ofstream stream_;
};

}  // namespace syncline::platform
