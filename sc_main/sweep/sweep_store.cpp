#include "sc_main/sweep/sweep_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace syncline::sweep {
namespace {

/// "Sync" and the version of the tables, by which SQLite tells one application's files from another's.
constexpr std::int64_t application = 0x53796E63, tables = 1;

constexpr const char* make = R"(
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ')),
  version TEXT NOT NULL,
  build TEXT NOT NULL,
  host TEXT NOT NULL,
  file TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE TABLE configuration (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  yaml TEXT NOT NULL
);
CREATE TABLE run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  place INTEGER,
  "case" TEXT,
  platform TEXT NOT NULL,
  configuration INTEGER NOT NULL REFERENCES configuration(id),
  workload TEXT NOT NULL,
  program TEXT,
  size TEXT,
  input_seed NOT NULL,  -- without a type: numbers above the largest signed one are text
  seed,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  session INTEGER REFERENCES session(id),
  ended TEXT,
  seconds REAL,
  status INTEGER,
  reason TEXT,
  cycles INTEGER,
  warp_instructions INTEGER,
  thread_instructions INTEGER,
  host_seconds REAL,
  verified INTEGER,
  memory_signature TEXT,
  result TEXT
);
CREATE TABLE option (run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE setting (run INTEGER NOT NULL REFERENCES run(id), key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (run, key)) WITHOUT ROWID;
CREATE TABLE measure (run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE statistic (run INTEGER NOT NULL REFERENCES run(id), name TEXT NOT NULL, value REAL NOT NULL,
  PRIMARY KEY (run, name)) WITHOUT ROWID;
)";

/// As the tables have it.
constexpr std::array<const char*, 3> states{"waiting", "done", "failed"};

RunState state_of(const std::string& text) {
  const auto found = std::find(states.begin(), states.end(), text);
  return static_cast<RunState>(found - states.begin());
}

/// A member of the result, which it may lack.
std::optional<std::uint64_t> number_in(const nlohmann::json& result, const char* key) {
  if (!result.is_object() || !result.contains(key) || !result[key].is_number_unsigned()) return std::nullopt;
  return result[key].get<std::uint64_t>();
}

}  // namespace

void require_sweep(Database& database) {
  if (database.number("PRAGMA application_id") != application)
    throw base::UserError(fmt::format("the database `{}` is none of a sweep", database.path().string()));
  if (const std::int64_t version = database.number("PRAGMA user_version"); version != tables)
    throw base::UserError(fmt::format("the database `{}` has tables of version {}, and this program knows version {}",
                                      database.path().string(), version, tables));
}

SweepStore::Lock::Lock(const std::filesystem::path& path)
    : path_(path), descriptor_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0)
    throw base::UserError(fmt::format("cannot write the database `{}`: {}", path.string(), std::strerror(errno)));
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int error = errno;
  close(descriptor_);
  throw base::UserError(error == EWOULDBLOCK
                            ? fmt::format("another sweep works on the database `{}`", path.string())
                            : fmt::format("cannot lock the database `{}`: {}", path.string(), std::strerror(error)));
}

void SweepStore::Lock::require_there() const {
  struct stat ours = {}, named = {};
  if (fstat(descriptor_, &ours) == 0 && stat(path_.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
      ours.st_ino == named.st_ino)
    return;
  throw base::UserError(
      fmt::format("the database `{}` was removed or replaced while the sweep worked on it", path_.string()));
}

// Only once SQLite has closed the file: who closes a file loses all locks of SQLite's kind on it.
SweepStore::Lock::~Lock() {
  close(descriptor_);
}

SweepStore::SweepStore(const std::filesystem::path& path) : lock_(path), database_(path) {
  // A file that is no database is told here.
  const bool is_new =
      database_.number("SELECT count(*) FROM sqlite_schema") == 0 && database_.number("PRAGMA application_id") == 0;
  if (!is_new) require_sweep(database_);
  let_others_read();
  // A result is safe once it is written, whatever becomes of this process; nobody waits for the disk.
  database_.execute("PRAGMA synchronous = NORMAL");
  if (is_new) make_tables();
}

// Whoever reads the file as it lies there between sweeps keeps it from being written until that is over.
void SweepStore::let_others_read() {
  bool is_told = false;
  while (!database_.execute_if_free("PRAGMA journal_mode = WAL")) {
    if (!is_told)
      fmt::print(stderr, "note: the sweep begins when those who read the database `{}` have ended\n",
                 database_.path().string());
    is_told = true;
  }
}

// One file stays, which anybody can read.
SweepStore::~SweepStore() {
  try {
    database_.execute("PRAGMA journal_mode = DELETE");
  } catch (const base::UserError&) {  // somebody reads it now
  }
}

void SweepStore::make_tables() {
  Transaction all(database_);
  database_.execute(make);
  database_.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", application, tables).c_str());
  all.commit();
}

std::vector<StoredRun> SweepStore::begin(const Session& session, const std::vector<SweepRun>& runs,
                                         const std::vector<std::string>& keep) {
  Transaction all(database_);
  database_.prepared("INSERT INTO session (version, build, host, file, text) VALUES (?, ?, ?, ?, ?)")
      .bind(session.version, session.build, session.host, session.file, session.text)
      .run();
  session_ = database_.last_row();
  build_ = session.build;
  keep_ = keep;
  database_.execute("UPDATE run SET place = NULL");
  std::vector<StoredRun> stored_runs;
  stored_runs.reserve(runs.size());
  for (const SweepRun& run : runs) stored_runs.push_back(stored(run, static_cast<std::int64_t>(stored_runs.size())));
  all.commit();
  return stored_runs;
}

std::int64_t SweepStore::configuration_row(const Configuration& configuration) {
  const auto known = configurations_.find(configuration.hash);
  if (known != configurations_.end()) return known->second;
  database_.prepared("INSERT OR IGNORE INTO configuration (hash, yaml) VALUES (?, ?)")
      .bind(configuration.hash, configuration.text)
      .run();
  Statement& find = database_.prepared("SELECT id FROM configuration WHERE hash = ?");
  find.bind(configuration.hash).step();
  const std::int64_t row = configurations_[configuration.hash] = find.integer(0);
  find.run();
  return row;
}

bool SweepStore::kept_less(std::int64_t session) {
  const auto [known, is_new] = kept_less_.emplace(session, false);
  if (!is_new) return known->second;
  Statement& find = database_.prepared("SELECT text FROM session WHERE id = ?");
  find.bind(session).step();
  const std::vector<std::string> kept = keep_of(find.text(0));
  find.run();
  known->second = std::any_of(keep_.begin(), keep_.end(), [&](const std::string& pattern) {
    return std::find(kept.begin(), kept.end(), pattern) == kept.end();
  });
  return known->second;
}

StoredRun SweepStore::stored(const SweepRun& run, std::int64_t place) {
  const std::string identity = run.identity();
  Statement& find = database_.prepared(
      "SELECT run.id, state, session.build, session.id FROM run LEFT JOIN session ON session.id = session WHERE "
      "identity = ?");
  if (find.bind(identity).step()) {
    StoredRun found{find.integer(0), state_of(find.text(1)), !find.is_null(2) && find.text(2) != build_, false};
    if (found.state == RunState::done) found.lacks_kept = kept_less(find.integer(3));
    find.run();
    database_.prepared("UPDATE run SET place = ?, \"case\" = ? WHERE id = ?")
        .bind(place, run.case_name, found.row)
        .run();
    return found;
  }
  const std::optional<std::string> program =
      run.program == nullptr ? std::nullopt : std::optional<std::string>(run.program->hash);
  database_
      .prepared(
          "INSERT INTO run (identity, place, \"case\", platform, configuration, workload, program, size, "
          "input_seed, seed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(identity, place, run.case_name, run.platform, configuration_row(*run.configuration), run.workload, program,
            run.size, run.input_seed, run.seed)
      .run();
  const std::int64_t row = database_.last_row();
  for (const auto& [name, value] : run.options)
    database_.prepared("INSERT INTO option (run, name, value) VALUES (?, ?, ?)").bind(row, name, value).run();
  for (const auto& [key, value] : run.settings)
    database_.prepared("INSERT INTO setting (run, key, value) VALUES (?, ?, ?)").bind(row, key, value).run();
  return {row, RunState::waiting, false, false};
}

void SweepStore::clear(std::int64_t row) {
  for (const char* of_run : {"DELETE FROM measure WHERE run = ?", "DELETE FROM statistic WHERE run = ?"})
    database_.prepared(of_run).bind(row).run();
}

void SweepStore::record(std::int64_t row, const Ending& ending, std::int64_t session) {
  lock_.require_there();
  Transaction all(database_);
  clear(row);
  const nlohmann::json& result = ending.result;
  std::optional<double> host_seconds;
  std::optional<int> verified;
  std::optional<std::string> signature, text;
  if (result.is_object()) {
    text = result.dump();
    host_seconds = result.at("host_seconds").get<double>();
    signature = result.at("memory_signature").get<std::string>();
    if (result.at("verified").is_boolean()) verified = result.at("verified").get<bool>() ? 1 : 0;
  }
  database_
      .prepared(
          "UPDATE run SET state = ?, session = ?, ended = strftime('%Y-%m-%dT%H:%M:%SZ'), seconds = ?, status = ?, "
          "reason = ?, cycles = ?, warp_instructions = ?, thread_instructions = ?, host_seconds = ?, verified = ?, "
          "memory_signature = ?, result = ? WHERE id = ?")
      .bind(ending.reason.empty() ? "done" : "failed", session, ending.seconds, ending.status,
            ending.reason.empty() ? std::nullopt : std::optional<std::string>(ending.reason),
            number_in(result, "cycles"), number_in(result, "warp_instructions"),
            number_in(result, "thread_instructions"), host_seconds, verified, signature, text, row)
      .run();
  for (const auto& [name, value] : ending.measures)
    database_.prepared("INSERT INTO measure (run, name, value) VALUES (?, ?, ?)").bind(row, name, value).run();
  for (const auto& [name, value] : ending.statistics)
    database_.prepared("INSERT INTO statistic (run, name, value) VALUES (?, ?, ?)").bind(row, name, value).run();
  all.commit();
}

std::int64_t SweepStore::count(RunState state) {
  Statement& count = database_.prepared("SELECT count(*) FROM run WHERE place IS NOT NULL AND state = ?");
  count.bind(states[static_cast<std::size_t>(state)]).step();
  const std::int64_t runs = count.integer(0);
  count.run();
  return runs;
}

std::int64_t SweepStore::left_over() {
  return database_.number("SELECT count(*) FROM run WHERE place IS NULL");
}

}  // namespace syncline::sweep
