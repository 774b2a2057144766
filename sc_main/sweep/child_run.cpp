#include "sc_main/sweep/child_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <iterator>
#include <list>

#include "base/error.h"
#include "platform/process/child_process.h"
#include "platform/process/memory_file.h"

namespace syncline::sweep {
namespace {

/// A run under way, and where it writes.
struct UnderWay {
  std::size_t number;  ///< of the run
  platform::MemoryFile out, errors, statistics, report;
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
  if (run.limit != 0) started.process.limit_time(run.limit);
  return started;
}

template <class Json = nlohmann::json>
Json parsed(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  return json.is_discarded() ? Json() : json;
}

/// The last line of a run that came to its end; any other may have ended with one that a kernel has printed.
nlohmann::json result_in(const std::string& out, int status) {
  if (status != static_cast<int>(base::ExitStatus::done) && status != static_cast<int>(base::ExitStatus::not_verified))
    return {};
  const std::size_t end = out.find_last_not_of('\n');
  if (end == std::string::npos) return {};
  const std::size_t begin = out.rfind('\n', end) + 1;
  return parsed(out.substr(begin, end + 1 - begin));
}

void collect(ChildRun& run, UnderWay& ended) {
  const int status = ended.process.wait();
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - ended.begun).count();
  run.errors = ended.errors.contents();
  run.result = result_in(ended.out.contents(), run.status);
  run.statistics = read_totals(ended.statistics.contents());
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

}  // namespace syncline::sweep
