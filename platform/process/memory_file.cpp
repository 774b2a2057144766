#include "platform/process/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace syncline::platform {

MemoryFile::MemoryFile() : descriptor_(memfd_create("syncline", MFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw base::UserError(std::string("no memory for what a process prints: ") + std::strerror(errno));
}

MemoryFile::MemoryFile(MemoryFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

MemoryFile::~MemoryFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string MemoryFile::contents() const {
  std::string text;
  std::array<char, 1 << 16> piece{};
  for (ssize_t n = 0; (n = pread(descriptor_, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0;)
    text.append(piece.data(), static_cast<std::size_t>(n));
  return text;
}

}  // namespace syncline::platform
