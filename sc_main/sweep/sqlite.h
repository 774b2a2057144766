// SQLite as C++: what opens is closed, and what goes wrong is an error with SQLite's reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace syncline::sweep {

class Database;

/// A prepared statement. Values are bound in their order, from the first on; `run` or the last `step` makes it ready to
/// be bound again.
class Statement {
 public:
  Statement(Statement&&) = default;

  template <class... Values>
  Statement& bind(const Values&... values) {
    place_ = 0;
    (put(values), ...);
    return *this;
  }
  /// Whether there is a row, whose columns can be read.
  bool step();
  /// For what has no rows.
  void run();

  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const Database& database, sqlite3_stmt* statement) : database_(&database), statement_(statement) {}
  void put(std::int64_t value);
  void put(std::uint64_t value);  ///< those above the largest signed one as text
  void put(int value) { put(std::int64_t{value}); }
  void put(double value);
  void put(std::string_view value);
  void put(const std::string& value) { put(std::string_view(value)); }
  void put(const char* value) { put(std::string_view(value)); }
  void put(std::nullptr_t);
  template <class T>
  void put(const std::optional<T>& value) {
    if (value)
      put(*value);
    else
      put(nullptr);
  }
  void require(int status) const;

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
  int place_ = 0;
};

class Database {
 public:
  /// Opens the file; who writes makes it where there is none. UserError.
  enum class Use : std::uint8_t { read, write };
  explicit Database(const std::filesystem::path& path, Use use = Use::write);
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  /// Statements of a constant text that give no rows.
  void execute(const char* sql);
  /// False: somebody else has the file, and had it for ten seconds.
  bool execute_if_free(const char* sql);
  /// Prepared once for each text; it is not under way when it is asked for again.
  Statement& prepared(const std::string& sql);
  /// What a statement of one row and column gives.
  std::int64_t number(const char* sql);
  std::int64_t last_row() const;
  const std::filesystem::path& path() const { return path_; }
  /// UserError with the reason for what failed last.
  [[noreturn]] void fail() const;

 private:
  std::filesystem::path path_;
  sqlite3* handle_ = nullptr;
  std::map<std::string, Statement> statements_;
};

/// What happens while it lives stays when it is committed, and else is as if it had not been.
class Transaction {
 public:
  explicit Transaction(Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace syncline::sweep
