#include "platform/process/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace syncline::platform {

int TemporaryFile::create(const std::filesystem::path& folder, const std::string& ending, mode_t mode) {
  for (unsigned attempt = 0; attempt < 100; ++attempt) {
    std::uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number) return errno;
    const std::filesystem::path path = folder / fmt::format(".syncline-{:016x}{}", number, ending);
    const SignalsHeld held;  // between the file and its entry
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
    if (descriptor_ >= 0) {
      path_ = path;
      by_signal_.emplace(path.string());
      return 0;
    }
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

int TemporaryFile::reopen() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  struct stat found = {};
  if (descriptor_ < 0 || fstat(descriptor_, &found) != 0) return errno;
  return S_ISREG(found.st_mode) && found.st_uid == geteuid() ? 0 : ESTALE;
}

int TemporaryFile::close_descriptor() {
  const int error = descriptor_ >= 0 && close(descriptor_) != 0 ? errno : 0;
  descriptor_ = -1;
  return error;
}

void TemporaryFile::forget() {
  by_signal_.reset();
  path_.clear();
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace syncline::platform
