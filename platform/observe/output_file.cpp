#include "platform/observe/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

// Asked of what a link leads to: opening a link such as /dev/stdout works where its text names no file.
bool is_written_directly(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::exists(status) && !fs::is_regular_file(status);
}

// Not fs::weakly_canonical, which leaves a link to a file that is still to be written.
fs::path behind_links(const fs::path& path) {
  constexpr unsigned most_links = 40;  // as in Linux
  fs::path target = path;
  std::error_code error;
  for (unsigned links = 0; fs::is_symlink(fs::symlink_status(target, error)); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (links == most_links) error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
    if (error) throw base::UserError("cannot write `" + path.string() + "`: " + error.message());
    target = target.parent_path() / next;
  }
  return target;
}

// A file put in the place of the one that standard output has open would take with it what is printed later.
bool takes_standard_output(const fs::path& path) {
  struct stat there = {}, output = {};
  return stat(path.c_str(), &there) == 0 && fstat(STDOUT_FILENO, &output) == 0 && there.st_dev == output.st_dev &&
         there.st_ino == output.st_ino;
}

}  // namespace

OutputPath::OutputPath(std::string path, const std::string& ending) : path_(std::move(path)) {
  std::error_code unknown;
  if (fs::is_directory(path_, unknown)) fail(EISDIR);
  const bool direct = is_written_directly(path_);
  target_ = direct ? fs::path(path_) : behind_links(path_);
  if (!direct && takes_standard_output(target_))
    throw base::UserError("cannot write `" + path_ + "`: standard output goes to the same file");
  written_ = target_;
  if (!direct) written_ += ending;
}

OutputPath::~OutputPath() {
  if (!committed_ && !direct()) std::remove(written_.c_str());
}

void OutputPath::commit() {
  if (!direct() && std::rename(written_.c_str(), target_.c_str()) != 0) fail(errno);
  committed_ = true;
}

void OutputPath::fail(int error) const {
  throw base::UserError("cannot write `" + path_ + "`: " + std::strerror(error));
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), stream_(path_.written()) {
  if (!stream_) path_.fail(errno);
}

void OutputFile::commit() {
  stream_.close();
  if (!stream_) path_.fail(errno);
  path_.commit();
}

}  // namespace syncline::platform
