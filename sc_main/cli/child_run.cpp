#include "sc_main/cli/child_run.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.h"

namespace syncline::cli {
namespace {

namespace fs = std::filesystem;

/// A folder for what the children write, gone in the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern = (fs::temp_directory_path() / "syncline-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr)
      throw base::UserError("no folder can be made in " + fs::temp_directory_path().string() + ": " +
                            std::strerror(errno));
    folder_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string file(std::size_t run, const char* ending) const {
    return (folder_ / (std::to_string(run) + ending)).string();
  }

 private:
  fs::path folder_;
};

std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

pid_t start(const ChildRun& run, std::size_t number, const Scratch& scratch) {
  std::vector<std::string> words{"syncline", "run"};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  words.insert(words.end(), {"--no-progress", "--stats", scratch.file(number, ".stats")});
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, scratch.file(number, ".out").c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, scratch.file(number, ".err").c_str(), flags, 0600);
  pid_t child = 0;
  const int error = posix_spawn(&child, "/proc/self/exe", &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw base::UserError(std::string("no process can be started: ") + std::strerror(error));
  return child;
}

void collect(ChildRun& run, std::size_t number, int status, const Scratch& scratch) {
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.errors = contents(scratch.file(number, ".err"));
  const std::string out = contents(scratch.file(number, ".out"));
  const std::size_t end = out.find_last_not_of('\n');
  if (end != std::string::npos) {
    const std::size_t begin = out.rfind('\n', end) + 1;
    run.result = nlohmann::json::parse(out.substr(begin, end + 1 - begin), nullptr, false);
    if (run.result.is_discarded()) run.result = nullptr;
  }
  run.statistics = nlohmann::json::parse(contents(scratch.file(number, ".stats")), nullptr, false);
  if (run.statistics.is_discarded()) run.statistics = nullptr;
}

}  // namespace

void run_children(std::vector<ChildRun>& runs, unsigned jobs, const std::function<void(const ChildRun&)>& done) {
  const Scratch scratch;
  std::map<pid_t, std::size_t> under_way;
  for (std::size_t next = 0; next < runs.size() || !under_way.empty();) {
    if (next < runs.size() && under_way.size() < jobs) {
      under_way.emplace(start(runs[next], next, scratch), next);
      ++next;
      continue;
    }
    int status = 0;
    const pid_t child = waitpid(-1, &status, 0);
    const auto found = under_way.find(child);
    if (found == under_way.end()) continue;
    collect(runs[found->second], found->second, status, scratch);
    done(runs[found->second]);
    under_way.erase(found);
  }
}

}  // namespace syncline::cli
