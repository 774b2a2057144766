// Sweeps on a Slurm cluster: the runs that wait become tasks of a job array, each of which leaves results as files in a
// folder beside the database; whoever calls the sweep next collects them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "sc_main/sweep/ending.h"

namespace syncline::sweep {

/// A run of a task.
struct TaskRun {
  std::int64_t row = 0;
  std::string title;
  std::vector<std::string> arguments;
  InputFiles files;  ///< that the arguments name
};

struct SlurmOptions {
  std::vector<std::string> options;  ///< of sbatch: "--partition=long"
  std::size_t tasks = 1000;          ///< of the array, at most; each has as many runs as it takes
};

/// The folder that a job and whoever submitted it share.
class SlurmFolder {
 public:
  explicit SlurmFolder(const std::filesystem::path& database);

  /// Whether a job was submitted that has not been collected.
  bool exists() const;
  /// Gives each result that is new to `take`, with its run and the session that asked for it. Returns how many tasks of
  /// the job are still in Slurm's queue. Once there are none, the folder is gone, or, where not all runs have left
  /// results, has only what tasks have printed. UserError where Slurm cannot be asked.
  std::size_t collect(const std::function<void(const TaskRun&, std::int64_t session, const Ending&)>& take);
  /// Writes the job's script and submits it. Returns the job's number. UserError with what sbatch says.
  /// `limit`: ChildRun::limit of each.
  std::string submit(const std::vector<TaskRun>& runs, std::int64_t session, const std::vector<std::string>& keep,
                     unsigned limit, const SlurmOptions& options);
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// What a task of the array does: runs its runs, one after the other, and leaves their results in the folder of
/// `tasks`, the file that says what the tasks are. A run that has left its result is not run again.
void run_task(const std::filesystem::path& tasks, std::size_t number);

}  // namespace syncline::sweep
