#include "sc_main/sweep/slurm.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "platform/config/yaml_node.h"
#include "platform/observe/output_file.h"
#include "platform/process/child_process.h"
#include "platform/process/memory_file.h"

namespace syncline::sweep {
namespace {

namespace fs = std::filesystem;
using base::UserError;

constexpr const char *tasks_name = "tasks.json", *script_name = "job.sh", *job_name = "job", *results_name = "results";

/// Standard output of a program of Slurm's, which has to end well.
std::string output_of(const std::vector<std::string>& words) {
  platform::MemoryFile out, errors;
  std::string why;
  try {
    platform::ChildProcess process =
        platform::ChildProcess::start(words.front(), words, {STDIN_FILENO, out.descriptor(), errors.descriptor()});
    const int status = process.wait();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return out.contents();
    why = errors.contents();
  } catch (const UserError& error) {
    why = error.what();
  }
  throw UserError(fmt::format("`{}`: {}", words.front(), why));
}

/// Whole, or not at all: others read these files at any time.
void write(const fs::path& path, const std::string& text) {
  platform::Outputs outputs;
  platform::OutputFile file(outputs, path.string(), "--slurm");
  file.stream() << text;
  file.finish();
  outputs.commit();
}

nlohmann::json read(const fs::path& path) {
  nlohmann::json json = nlohmann::json::parse(platform::read_file(path, {}, ~std::uint64_t{0}), nullptr, false);
  if (json.is_discarded()) throw UserError(fmt::format("`{}` is no JSON", path.string()));
  return json;
}

/// `text` as one word of a shell.
std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

/// `text` as one word of a line of #SBATCH, which has other rules than a shell.
std::string sbatch_word(const std::string& text) {
  if (text.find_first_of(" \t\"'\\#") == std::string::npos) return text;
  std::string word = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') word += '\\';
    word += c;
  }
  return word + '"';
}

/// `path` where Slurm takes %a for the task's number, and %% for %.
std::string without_patterns(const std::string& path) {
  std::string text;
  for (const char c : path) text += c == '%' ? "%%" : std::string(1, c);
  return text;
}

fs::path result_of(const fs::path& folder, std::int64_t row) {
  return folder / results_name / (std::to_string(row) + ".json");
}

nlohmann::json to_json(const TaskRun& run) {
  nlohmann::json files = nlohmann::json::array();
  for (const InputFile& file : run.files) files.push_back({file.path, file.hash});
  return {{"row", run.row}, {"title", run.title}, {"arguments", run.arguments}, {"files", std::move(files)}};
}

TaskRun task_run_of(const nlohmann::json& json) {
  TaskRun run{json.at("row"), json.at("title"), json.at("arguments"), {}};
  for (const nlohmann::json& file : json.at("files")) run.files.push_back({file.at(0), file.at(1)});
  return run;
}

/// A result that is in the database.
fs::path taken_of(const fs::path& folder, std::int64_t row) {
  return folder / results_name / (std::to_string(row) + ".taken");
}

}  // namespace

SlurmFolder::SlurmFolder(const fs::path& database) : path_(fs::absolute(database).string() + ".slurm") {}

bool SlurmFolder::exists() const {
  return fs::exists(path_ / job_name);
}

std::size_t SlurmFolder::collect(const std::function<void(const TaskRun&, std::int64_t, const Ending&)>& take) {
  const std::string job = platform::read_file(path_ / job_name);
  // Slurm is asked first: tasks that end meanwhile have left their results when these are read.
  std::istringstream queued(output_of({"squeue", "--me", "--noheader", "--array", "--format=%F"}));
  std::size_t left = 0;
  for (std::string line; std::getline(queued, line);) left += line == job ? 1 : 0;
  const nlohmann::json tasks = read(path_ / tasks_name);
  bool all_left_results = true;
  for (const nlohmann::json& task : tasks.at("tasks")) {
    for (const nlohmann::json& run : task) {
      const TaskRun one = task_run_of(run);
      if (const fs::path result = result_of(path_, one.row); fs::exists(result)) {
        take(one, tasks.at("session"), ending_of(read(result)));
        fs::rename(result, taken_of(path_, one.row));
      }
      all_left_results = all_left_results && fs::exists(taken_of(path_, one.row));
    }
  }
  if (left != 0) return left;
  if (all_left_results) {
    fs::remove_all(path_);
    return 0;
  }
  fs::remove(path_ / job_name);  // what the tasks have printed stays
  fs::remove_all(path_ / results_name);
  return 0;
}

std::string SlurmFolder::submit(const std::vector<TaskRun>& runs, std::int64_t session,
                                const std::vector<std::string>& keep, unsigned limit, const SlurmOptions& options) {
  if (fs::exists(path_) && !fs::exists(path_ / script_name))
    throw UserError(fmt::format("`{}` is in the way of the job's folder", path_.string()));
  fs::remove_all(path_);  // of an earlier job
  fs::create_directories(path_ / results_name);
  const std::size_t each = (runs.size() + options.tasks - 1) / options.tasks;
  const std::size_t count = (runs.size() + each - 1) / each;
  nlohmann::json tasks{{"session", session}, {"keep", keep}, {"limit", limit}, {"tasks", nlohmann::json::array()}};
  for (std::size_t task = 0; task < count; ++task) {
    nlohmann::json& own = tasks["tasks"].emplace_back(nlohmann::json::array());
    // One task has those runs of the file that are as far apart as can be, for neighbours take equally long.
    for (std::size_t n = task; n < runs.size(); n += count) own.push_back(to_json(runs[n]));
  }
  write(path_ / tasks_name, tasks.dump(1));
  std::string script = "#!/usr/bin/env bash\n";
  std::vector<std::string> lines{
      "--job-name=" + sbatch_word(path_.stem().string()), fmt::format("--array=0-{}", count - 1),
      "--output=" + sbatch_word(without_patterns(path_.string()) + "/%a.log"), "--ntasks=1", "--cpus-per-task=1"};
  lines.insert(lines.end(), options.options.begin(), options.options.end());
  for (const std::string& line : lines) script += "#SBATCH " + line + "\n";
  script += fmt::format("exec {} sweep {} --task \"$SLURM_ARRAY_TASK_ID\"\n",
                        quoted(fs::read_symlink("/proc/self/exe").string()), quoted((path_ / tasks_name).string()));
  write(path_ / script_name, script);
  // JOB, or JOB;CLUSTER. It is not waited for: from now on the folder says that there is a job.
  std::string job = output_of({"sbatch", "--parsable", (path_ / script_name).string()});
  job = job.substr(0, job.find_first_of(";\n"));
  write(path_ / job_name, job);
  return job;
}

void run_task(const fs::path& tasks, std::size_t number) {
  const nlohmann::json all = read(tasks);
  if (!all.contains("tasks") || number >= all["tasks"].size())
    throw UserError(fmt::format("`{}` has no task {}", tasks.string(), number));
  for (const nlohmann::json& run : all["tasks"][number]) {
    const TaskRun one = task_run_of(run);
    const fs::path result = result_of(tasks.parent_path(), one.row);
    if (fs::exists(result) || fs::exists(taken_of(tasks.parent_path(), one.row))) continue;
    std::vector<ChildRun> runs(1);
    runs.front().arguments = one.arguments;
    runs.front().limit = all.at("limit");
    run_children(runs, 1,
                 [&](ChildRun& ended) { write(result, to_json(ending_of(ended, all.at("keep"), one.files)).dump()); });
  }
}

}  // namespace syncline::sweep
