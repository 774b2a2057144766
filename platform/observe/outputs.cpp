#include "platform/observe/outputs.h"

#include <fcntl.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <utility>

#include "base/error.h"

namespace syncline::platform {
namespace {

namespace fs = std::filesystem;

// Not fs::weakly_canonical, which leaves a link to a file that is still to be written.
fs::path behind_links(const fs::path& path, std::error_code& error) {
  constexpr unsigned most_links = 40;  // as in Linux
  fs::path target = path;
  std::error_code none;
  for (unsigned links = 0; fs::is_symlink(fs::symlink_status(target, none)); ++links) {
    const fs::path next = fs::read_symlink(target, error);
    if (links == most_links) error = std::make_error_code(std::errc::too_many_symbolic_link_levels);
    if (error) break;
    target = target.parent_path() / next;
  }
  return target;
}

bool same(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

// All from the beginning of `from` to `to`. 0, or an errno.
int copy_bytes(int from, int to) {
  std::array<char, 1 << 16> piece{};
  for (off_t at = 0;;) {
    const ssize_t got = pread(from, piece.data(), piece.size(), at);
    if (got < 0 && errno != EINTR) return errno;
    if (got == 0) return 0;
    for (ssize_t put = 0; put < got;) {
      const ssize_t n = write(to, piece.data() + put, static_cast<std::size_t>(got - put));
      if (n < 0 && errno != EINTR) return errno;
      put += std::max<ssize_t>(n, 0);
    }
    at += std::max<ssize_t>(got, 0);
  }
}

}  // namespace

OutputPath::OutputPath(std::string path, std::string asked_by, Writer writer, const std::string& ending)
    : path_(std::move(path)), asked_by_(std::move(asked_by)), writer_(writer) {
  struct stat found = {};
  if (stat(path_.c_str(), &found) == 0)
    existing_ = found;
  else if (errno != ENOENT || path_.empty())
    fail(errno);
  choose_way();
  // Who has the file open in the end would not let it go: the destructor does not run where a constructor throws.
  try {
    if (way_ != Way::replaced) open_target();
    if (!is_direct()) make_file(ending);
  } catch (...) {
    if (target_descriptor_ >= 0) close(target_descriptor_);
    throw;
  }
}

OutputPath::~OutputPath() {
  if (target_descriptor_ >= 0) close(target_descriptor_);
}

void OutputPath::fail(int error) const {
  fail(std::string(std::strerror(error)));
}

void OutputPath::fail(const std::string& why) const {
  throw base::UserError("cannot write `" + path_ + "`: " + why);
}

void OutputPath::choose_way() {
  if (existing_ && S_ISDIR(existing_->st_mode)) fail(EISDIR);
  if (existing_ && S_ISBLK(existing_->st_mode)) fail("it is a whole disk");
  if (existing_ && (!S_ISREG(existing_->st_mode) || existing_->st_nlink == 0)) {
    target_ = path_;
    way_ = writer_ == Writer::by_descriptor ? Way::direct : Way::rewritten;
    return;
  }
  std::error_code error;
  target_ = behind_links(path_, error);
  if (error) fail(error.value());
  if (!existing_) return find_folder();
  refuse_standard_streams();
  if (faccessat(AT_FDCWD, target_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  if (existing_->st_nlink > 1 || getxattr(target_.c_str(), "system.posix_acl_access", nullptr, 0) > 0)
    way_ = Way::rewritten;
}

// A file put in the place of the one that a standard stream has open would take with it what is printed later.
void OutputPath::refuse_standard_streams() const {
  const std::pair<int, const char*> streams[] = {{STDOUT_FILENO, "standard output"}, {STDERR_FILENO, "standard error"}};
  for (const auto& [descriptor, name] : streams) {
    struct stat stream = {};
    if (fstat(descriptor, &stream) == 0 && same(stream, *existing_)) fail(std::string(name) + " goes to the same file");
  }
}

void OutputPath::find_folder() {
  if (stat(folder_of(target_).c_str(), &folder_) != 0) fail(errno);
}

void OutputPath::open_target() {
  constexpr int flags = O_WRONLY | O_CLOEXEC | O_NOCTTY;
  // A named pipe is opened without waiting first, so that a wait can be told.
  target_descriptor_ = open(path_.c_str(), flags | O_NONBLOCK);
  if (target_descriptor_ < 0 && errno == ENXIO && existing_ && S_ISFIFO(existing_->st_mode)) {
    std::cerr << "syncline: waiting for somebody to read the named pipe `" << path_ << "`" << std::endl;
    while ((target_descriptor_ = open(path_.c_str(), flags)) < 0 && errno == EINTR) {
    }
  }
  if (target_descriptor_ < 0) fail(errno);
  fcntl(target_descriptor_, F_SETFL, O_WRONLY);
  if (is_direct() && S_ISREG(existing_->st_mode) && ftruncate(target_descriptor_, 0) != 0) fail(errno);
}

void OutputPath::make_file(const std::string& ending) {
  const bool in_place = existing_ && S_ISREG(existing_->st_mode);
  if (const int error = file_.create(folder_of(target_), ending, in_place ? 0600 : 0666); error != 0) fail(error);
  if (in_place && way_ == Way::replaced) take_mode_of_target();
}

void OutputPath::take_mode_of_target() {
  struct stat made = {};
  fstat(file_.descriptor(), &made);
  const bool other_owner = made.st_uid != existing_->st_uid || made.st_gid != existing_->st_gid;
  if ((other_owner && fchown(file_.descriptor(), existing_->st_uid, existing_->st_gid) != 0) ||
      fchmod(file_.descriptor(), existing_->st_mode & 07777U) != 0) {
    way_ = Way::rewritten;
    open_target();
  }
}

OutputPath::Identity OutputPath::identity() const {
  if (existing_) return {existing_->st_dev, existing_->st_ino, ""};
  return {folder_.st_dev, folder_.st_ino, target_.filename().string()};
}

void OutputPath::complete() {
  complete_ = true;
  if (is_direct()) return;
  if (writer_ == Writer::by_name) {
    const int error = file_.reopen();
    if (error == ESTALE) fail("what was written is no longer a file of this user");
    if (error != 0) fail(error);
    if (way_ == Way::replaced && existing_) take_mode_of_target();
  }
  if (way_ == Way::replaced) {
    if (const int error = file_.close_descriptor(); error != 0) fail(error);
  }
}

void OutputPath::copy_to_stream() {
  if (way_ != Way::rewritten || S_ISREG(existing_->st_mode)) return;
  if (const int error = copy_bytes(file_.descriptor(), target_descriptor_); error != 0) fail(error);
}

void OutputPath::put_in_place() {
  if (way_ != Way::replaced) return;
  const char* const from = written().c_str();
  const char* const to = target_.c_str();
  const auto rename_as = [&](unsigned how) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, how) == 0; };
  if (rename_as(RENAME_NOREPLACE)) {
    placed_ = Placed::first;
  } else if (errno == EEXIST && rename_as(RENAME_EXCHANGE)) {
    placed_ = Placed::exchanged;
    struct stat before = {};
    if (lstat(from, &before) == 0 && S_ISREG(before.st_mode)) return;
    take_back();
    fail("it has become something else than a file");
  } else if (errno == EINVAL || errno == ENOSYS) {  // a file system that knows only the plain way, which keeps nothing
    if (std::rename(from, to) != 0) fail(errno);
    placed_ = Placed::replaced;
  } else {
    fail(errno);
  }
}

void OutputPath::take_back() {
  const fs::path& from = written();
  if (placed_ == Placed::first) std::rename(target_.c_str(), from.c_str());
  if (placed_ == Placed::exchanged) renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE);
  if (placed_ == Placed::replaced) unlink(target_.c_str());
  placed_ = Placed::no;
}

void OutputPath::rewrite() {
  if (way_ != Way::rewritten || !S_ISREG(existing_->st_mode)) return;
  struct stat made = {}, before = {};
  fstat(file_.descriptor(), &made);
  fstat(target_descriptor_, &before);
  // What is to fail for want of room fails before a byte is lost.
  int error = made.st_size > before.st_size
                  ? posix_fallocate(target_descriptor_, before.st_size, made.st_size - before.st_size)
                  : 0;
  if (error == EOPNOTSUPP) error = 0;
  if (error == 0) error = copy_bytes(file_.descriptor(), target_descriptor_);
  if (ftruncate(target_descriptor_, error == 0 ? made.st_size : before.st_size) != 0 && error == 0) error = errno;
  if (error != 0) fail(error);
}

void OutputPath::settle() {
  if (placed_ == Placed::exchanged) unlink(written().c_str());
  if (placed_ != Placed::no) file_.forget();
}

void Outputs::spare(const fs::path& input) {
  struct stat found = {};
  if (stat(input.c_str(), &found) == 0 && S_ISREG(found.st_mode)) spared_.emplace(found.st_dev, found.st_ino);
}

OutputPath& Outputs::add(std::string path, std::string asked_by, OutputPath::Writer writer, const std::string& ending) {
  auto made = std::make_unique<OutputPath>(std::move(path), std::move(asked_by), writer, ending);
  if (made->existing_ && spared_.count({made->existing_->st_dev, made->existing_->st_ino}) != 0)
    made->fail("this call reads it (" + made->asked_by_ + ")");
  const auto [other, is_first] = by_file_.emplace(made->identity(), made.get());
  const bool takes_any_number = made->existing_ && S_ISCHR(made->existing_->st_mode);  // /dev/null
  if (!is_first && !takes_any_number)
    throw base::UserError(other->second->asked_by_ + " and " + made->asked_by_ + " both write `" + made->path_ + "`");
  return *paths_.emplace_back(std::move(made));
}

void Outputs::commit() {
  paths_.erase(std::remove_if(paths_.begin(), paths_.end(), [](const auto& path) { return !path->complete_; }),
               paths_.end());
  for (const auto& path : paths_) path->copy_to_stream();
  const SignalsHeld held;
  try {
    for (const auto& path : paths_) path->put_in_place();
    for (const auto& path : paths_) path->rewrite();
  } catch (...) {
    for (const auto& path : paths_) path->take_back();
    throw;
  }
  for (const auto& path : paths_) path->settle();
  paths_.clear();
}

}  // namespace syncline::platform
