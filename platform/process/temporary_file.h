// Files that exist under a name only while they are written.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>

#include "platform/process/signal_cleanup.h"

namespace syncline::platform {

/// A new file under a name that nobody can foresee. It is gone with this object, or when a signal ends the process.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  /// Makes it in `folder`; its name ends in `ending`, and `mode` is its mode but for the umask. 0, or an errno.
  int create(const std::filesystem::path& folder, const std::string& ending, mode_t mode);

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }
  /// Opens again what somebody else has written under the name. 0, or an errno: ESTALE where it is not a file of this
  /// user's.
  int reopen();
  /// 0, or what the system told only now of what was written, an errno.
  int close_descriptor();
  /// The file has got another name, or none.
  void forget();

 private:
  std::filesystem::path path_;  ///< empty: none
  int descriptor_ = -1;
  std::optional<GoneBySignal> by_signal_;
};

}  // namespace syncline::platform
