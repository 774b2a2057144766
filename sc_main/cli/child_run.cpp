#include "sc_main/cli/child_run.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <iterator>
#include <list>
#include <utility>

#include "base/error.h"
#include "platform/process/child_process.h"

namespace syncline::cli {
namespace {

/// A file in memory, without a name: whatever becomes of the processes that write it, nothing is left over.
class Scratch {
 public:
  Scratch() : descriptor_(memfd_create("syncline", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw base::UserError(std::string("no memory for what a run prints: ") + std::strerror(errno));
  }
  ~Scratch() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Scratch(Scratch&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Scratch& operator=(Scratch&&) = delete;
  int descriptor() const { return descriptor_; }
  std::string contents() const {
    std::string text;
    std::array<char, 1 << 16> piece{};
    for (ssize_t n = 0; (n = pread(descriptor_, piece.data(), piece.size(), static_cast<off_t>(text.size()))) > 0;)
      text.append(piece.data(), static_cast<std::size_t>(n));
    return text;
  }

 private:
  int descriptor_;
};

/// A run under way, and where it writes.
struct UnderWay {
  std::size_t number;  ///< of the run
  Scratch out, errors, statistics, report;
  platform::ChildProcess process;
  std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
};

UnderWay start(const ChildRun& run, std::size_t number) {
  UnderWay started{number, {}, {}, {}, {}, {}};
  std::vector<std::string> words{"syncline", "run"};
  words.insert(words.end(), run.arguments.begin(), run.arguments.end());
  words.insert(words.end(), {"--no-progress", "--stats", "/proc/self/fd/3"});
  if (run.reports) words.insert(words.end(), {"--report", "/proc/self/fd/4"});
  started.process = platform::ChildProcess::start("/proc/self/exe", words,
                                                  {STDIN_FILENO, started.out.descriptor(), started.errors.descriptor(),
                                                   started.statistics.descriptor(), started.report.descriptor()});
  return started;
}

template <class Json = nlohmann::json>
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

void collect(ChildRun& run, UnderWay& ended) {
  const int status = ended.process.wait();
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - ended.begun).count();
  run.errors = ended.errors.contents();
  const std::string out = ended.out.contents();
  const std::size_t end = out.find_last_not_of('\n');
  if (end != std::string::npos) {
    const std::size_t begin = out.rfind('\n', end) + 1;
    run.result = parsed(out.substr(begin, end + 1 - begin));
  }
  run.statistics = parsed(ended.statistics.contents());
  const auto report = parsed<nlohmann::ordered_json>(ended.report.contents());
  if (report.is_object()) run.report = report.at("runs").at(0);
}

}  // namespace

void run_children(std::vector<ChildRun>& runs, unsigned jobs, const std::function<void(ChildRun&)>& done) {
  std::list<UnderWay> under_way;
  for (std::size_t next = 0; next < runs.size() || !under_way.empty();) {
    if (next < runs.size() && under_way.size() < jobs) {
      under_way.push_back(start(runs[next], next));
      ++next;
      continue;
    }
    std::vector<platform::ChildProcess*> processes;
    for (UnderWay& one : under_way) processes.push_back(&one.process);
    const auto place = static_cast<std::ptrdiff_t>(platform::ChildProcess::wait_for_any(processes));
    const auto ended = std::next(under_way.begin(), place);
    ChildRun& run = runs[ended->number];
    collect(run, *ended);
    under_way.erase(ended);
    done(run);
  }
}

}  // namespace syncline::cli
