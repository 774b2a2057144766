#include "platform/observe/fst.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "base/error.h"

namespace syncline::platform {
namespace {
namespace fs = std::filesystem;
constexpr const char* converter = "vcd2fst";
}  // namespace

void require_fst_converter() {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((fs::path(folder) / converter).c_str(), X_OK) == 0) return;
  }
  throw base::UserError("waves in FST need the program vcd2fst, which Debian's package gtkwave has; VCD needs none");
}

bool convert_to_fst(const fs::path& vcd, const fs::path& fst) {
  std::string words[] = {converter, "-v", vcd.string(), "-f", fst.string()};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), words[4].data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, converter, &files, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (error != 0 || waitpid(child, &status, 0) != child) return false;
  std::error_code unknown;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && fs::file_size(fst, unknown) != 0 && !unknown;
}

}  // namespace syncline::platform
