// SQLite as C++: values come back, what is not committed is gone, and what goes wrong is told.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "sc_main/sweep/sqlite.h"

namespace syncline::sweep {
namespace {

class SqliteFile : public testing::Test {
 protected:
  SqliteFile() { std::filesystem::remove(path_); }
  ~SqliteFile() override { std::filesystem::remove(path_); }
  std::int64_t rows(Database& database) { return database.number("SELECT count(*) FROM t"); }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("syncline_sqlite_test_" + std::to_string(getpid()) + ".db");
};

TEST_F(SqliteFile, GivesBackWhatItWasGiven) {
  Database database(path_);
  database.execute("CREATE TABLE t (a, b, c, d, e)");
  const std::uint64_t large = ~std::uint64_t{0};
  database.prepared("INSERT INTO t VALUES (?, ?, ?, ?, ?)")
      .bind(std::int64_t{-3}, 0.5, std::string("it's"), std::optional<int>(), large)
      .run();
  Statement& select = database.prepared("SELECT a, b, c, d, e FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.integer(0), -3);
  EXPECT_EQ(select.real(1), 0.5);
  EXPECT_EQ(select.text(2), "it's");
  EXPECT_TRUE(select.is_null(3));
  EXPECT_EQ(select.text(4), "18446744073709551615");
  EXPECT_FALSE(select.step());
}

TEST_F(SqliteFile, ForgetsWhatIsNotCommitted) {
  Database database(path_);
  database.execute("CREATE TABLE t (a)");
  {
    Transaction lost(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  EXPECT_EQ(rows(database), 0);
  Transaction kept(database);
  database.execute("INSERT INTO t VALUES (1)");
  kept.commit();
  EXPECT_EQ(rows(database), 1);
}

TEST_F(SqliteFile, KeepsWhatItHasWhereThereIsNoRoomForMore) {
  Database database(path_);
  database.execute("CREATE TABLE t (a); PRAGMA max_page_count = 8");
  std::int64_t kept = 0;
  try {
    for (; kept < 100; ++kept) {
      Transaction one(database);
      database.prepared("INSERT INTO t VALUES (?)").bind(std::string(3000, 'x')).run();
      one.commit();
    }
    FAIL() << "there is room for all";
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.what(), "the database `" + path_.string() + "`: database or disk is full");
  }
  EXPECT_EQ(rows(database), kept);
}

TEST_F(SqliteFile, TellsWhatIsNotToBeOpened) {
  try {
    Database database(path_, Database::Use::read);
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.what(), "cannot open the database `" + path_.string() + "`: unable to open database file");
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SqliteFile, TellsMistakesInStatements) {
  Database database(path_);
  EXPECT_THROW(database.execute("CREATE TABEL t (a)"), base::UserError);
  EXPECT_THROW(database.prepared("SELECT a FROM nothing"), base::UserError);
}

}  // namespace
}  // namespace syncline::sweep
