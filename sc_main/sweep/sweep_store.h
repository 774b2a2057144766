// The database of a sweep: what each run is, whether it is done, and what came out (docs/how-to-sweep.md has the
// tables).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sc_main/sweep/ending.h"
#include "sc_main/sweep/sqlite.h"
#include "sc_main/sweep/sweep_run.h"

namespace syncline::sweep {

enum class RunState : std::uint8_t { waiting, done, failed };

/// A run, and its row.
struct StoredRun {
  std::int64_t row = 0;
  RunState state = RunState::waiting;
  bool other_build = false;  ///< another program than this one came to its result
  bool lacks_kept = false;   ///< it is done, and the file did not ask for all statistics that it asks for now
};

/// Who works on the sweep.
struct Session {
  std::string version, build, host, file, text;
};

/// UserError where the database is none of a sweep, or one of another version of the tables.
void require_sweep(Database& database);

class SweepStore {
 public:
  /// Opens the database, or makes it. UserError where the file is something else, cannot be written, or another sweep
  /// works on it.
  explicit SweepStore(const std::filesystem::path& path);
  ~SweepStore();
  SweepStore(const SweepStore&) = delete;
  SweepStore& operator=(const SweepStore&) = delete;

  /// From now on this session's runs end. The runs get rows where they have none; those of rows that are none of
  /// `runs` keep what they have, without a place in the sweep. `keep`: SweepFile::keep.
  std::vector<StoredRun> begin(const Session& session, const std::vector<SweepRun>& runs,
                               const std::vector<std::string>& keep);
  /// It ended, in this session or in the one of that number.
  void record(std::int64_t row, const Ending& ending) { record(row, ending, session_); }
  void record(std::int64_t row, const Ending& ending, std::int64_t session);
  std::int64_t session() const { return session_; }
  /// Runs of the file that are in that state.
  std::int64_t count(RunState state);
  /// Rows that earlier versions of the file had.
  std::int64_t left_over();

 private:
  /// Others see that somebody works on it.
  class Lock {
   public:
    explicit Lock(const std::filesystem::path& path);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    /// UserError when another file, or none, has the name by now: what is written would be found by nobody.
    void require_there() const;

   private:
    std::filesystem::path path_;
    int descriptor_;
  };
  void let_others_read();
  void make_tables();
  std::int64_t configuration_row(const Configuration& configuration);
  void clear(std::int64_t row);
  /// Whether a session's file asked for less than this one's.
  bool kept_less(std::int64_t session);
  StoredRun stored(const SweepRun& run, std::int64_t place);

  Lock lock_;
  Database database_;
  std::int64_t session_ = 0;
  std::string build_;
  std::vector<std::string> keep_;
  std::map<std::int64_t, bool> kept_less_;              ///< by session
  std::map<std::string, std::int64_t> configurations_;  ///< rows by hash
};

}  // namespace syncline::sweep
