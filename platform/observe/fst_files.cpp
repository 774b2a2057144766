#include "platform/observe/fst_files.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace syncline::platform {
namespace {

thread_local FstLoss fst_loss;

void remember_fst_loss(int error) {
  fst_loss.some = true;
  if (fst_loss.error == 0) fst_loss.error = error;
}

}  // namespace

FstLoss take_fst_loss() {
  return std::exchange(fst_loss, {});
}

namespace fst_files {

std::FILE* tmpfile() {
  const int descriptor = memfd_create("syncline-fst", MFD_CLOEXEC);
  if (descriptor < 0) return nullptr;
  std::FILE* const file = fdopen(descriptor, "w+b");
  if (file == nullptr) close(descriptor);
  return file;
}

std::FILE* fopen(const char* name, const char* mode) {
  constexpr std::string_view hierarchy = ".hier";
  const std::string_view text = name;
  const bool is_hierarchy = text.size() >= hierarchy.size() && text.substr(text.size() - hierarchy.size()) == hierarchy;
  return is_hierarchy ? fst_files::tmpfile() : std::fopen(name, mode);
}

std::size_t fwrite(const void* from, std::size_t size, std::size_t count, std::FILE* file) {
  const std::size_t written = std::fwrite(from, size, count, file);
  if (written != count) remember_fst_loss(errno);
  return written;
}

int fflush(std::FILE* file) {
  const int result = std::fflush(file);
  if (result != 0) remember_fst_loss(errno);
  return result;
}

int fclose(std::FILE* file) {
  if (std::ferror(file) != 0) remember_fst_loss(0);
  const int result = std::fclose(file);
  if (result != 0) remember_fst_loss(errno);
  return result;
}

void* mmap(void* address, std::size_t length, int protection, int flags, int descriptor, off_t offset) {
  struct stat found = {};
  if (fstat(descriptor, &found) == 0 && static_cast<std::size_t>(found.st_size) >= length)
    return ::mmap(address, length, protection, flags, descriptor, offset);
  remember_fst_loss(0);
  return ::mmap(address, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

}  // namespace fst_files
}  // namespace syncline::platform
