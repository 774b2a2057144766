#include "platform/observe/fst.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "base/error.h"
#include "platform/process/child_process.h"

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
  const std::string beside = fst.string() + ".hier";  // the converter's own; gone where it ends well
  const GoneBySignal by_signal(beside);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const int status = ChildProcess::start(converter, {converter, "-v", vcd.string(), "-f", fst.string()},
                                         {STDIN_FILENO, nowhere, nowhere})
                         .wait();
  close(nowhere);
  unlink(beside.c_str());
  std::error_code unknown;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 && fs::file_size(fst, unknown) != 0 && !unknown;
}

}  // namespace syncline::platform
