#include "sc_main/sweep/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>

#include "base/error.h"

namespace syncline::sweep {

void Statement::Finalize::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

void Statement::require(int status) const {
  if (status != SQLITE_OK) database_->fail();
}

bool Statement::step() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status != SQLITE_DONE) database_->fail();
  require(sqlite3_reset(statement_.get()));
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text == nullptr ? std::string() : text;
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Statement::put(std::int64_t value) {
  require(sqlite3_bind_int64(statement_.get(), ++place_, value));
}

void Statement::put(std::uint64_t value) {
  if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    put(static_cast<std::int64_t>(value));
  else
    put(std::to_string(value));
}

void Statement::put(double value) {
  require(sqlite3_bind_double(statement_.get(), ++place_, value));
}

void Statement::put(std::string_view value) {
  require(
      sqlite3_bind_text(statement_.get(), ++place_, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void Statement::put(std::nullptr_t) {
  require(sqlite3_bind_null(statement_.get(), ++place_));
}

Database::Database(const std::filesystem::path& path, Use use) : path_(path) {
  const int flags = use == Use::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  if (sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr) == SQLITE_OK) {
    sqlite3_busy_timeout(handle_, 10'000);  // others read
    return;
  }
  const std::string why = handle_ == nullptr ? "no memory" : sqlite3_errmsg(handle_);
  sqlite3_close_v2(handle_);
  throw base::UserError(fmt::format("cannot open the database `{}`: {}", path.string(), why));
}

Database::~Database() {
  statements_.clear();
  sqlite3_close_v2(handle_);
}

void Database::execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

bool Database::execute_if_free(const char* sql) {
  const int status = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK && status != SQLITE_BUSY) fail();
  return status == SQLITE_OK;
}

Statement& Database::prepared(const std::string& sql) {
  const auto known = statements_.find(sql);
  if (known != statements_.end()) return known->second;
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(handle_, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) fail();
  return statements_.emplace(sql, Statement(*this, statement)).first->second;
}

std::int64_t Database::number(const char* sql) {
  Statement& statement = prepared(sql);
  statement.step();
  const std::int64_t value = statement.integer(0);
  statement.run();
  return value;
}

std::int64_t Database::last_row() const {
  return sqlite3_last_insert_rowid(handle_);
}

void Database::fail() const {
  throw base::UserError(fmt::format("the database `{}`: {}", path_.string(), sqlite3_errmsg(handle_)));
}

Transaction::Transaction(Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (!open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const base::UserError&) {  // SQLite has rolled back itself
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

}  // namespace syncline::sweep
