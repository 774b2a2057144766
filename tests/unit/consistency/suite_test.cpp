// The suite's verdicts are what the enumerator finds, and what Dartagnan publishes where it has the same shape.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "consistency/enumerate.h"
#include "consistency/reader.h"

namespace syncline::consistency {
namespace {

namespace fs = std::filesystem;
const fs::path folder = fs::path(SYNCLINE_SOURCE_DIR) / "tests/litmus";

struct Row {
  std::string name, ptx75, sc, machine, published;
};

/// The rows of a file of verdicts; those of the families say, too, whether a machine runs the test.
std::vector<Row> verdicts(const fs::path& path, bool has_machine) {
  std::ifstream file(path);
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    Row row;
    words >> row.name >> row.ptx75 >> row.sc;
    if (has_machine) words >> row.machine;
    words >> row.published;
    rows.push_back(row);
  }
  return rows;
}

std::vector<Row> verdicts() {
  return verdicts(folder / "verdicts.txt", false);
}
std::vector<Row> family_verdicts() {
  return verdicts(folder / "families/verdicts.txt", true);
}

std::string word(bool allowed) {
  return allowed ? "allowed" : "forbidden";
}

TEST(Suite, EveryFileHasAVerdictAndEveryVerdictAFile) {
  std::set<std::string> named, found;
  for (const Row& row : verdicts()) EXPECT_TRUE(named.insert(row.name).second) << row.name << " twice";
  for (const auto& entry : fs::directory_iterator(folder / "suite")) {
    found.insert(entry.path().stem().string());
    EXPECT_EQ(load_litmus(entry.path()).name, entry.path().stem().string());
  }
  EXPECT_EQ(named, found);
  EXPECT_GE(found.size(), 60U);
}

TEST(Suite, TheEnumeratorFindsTheVerdicts) {
  for (const Row& row : verdicts()) {
    const Program program = load_litmus(folder / "suite" / (row.name + ".litmus"));
    const Outcomes outcomes = enumerate(program);
    EXPECT_EQ(word(outcomes.witness_allowed(Model::ptx75)), row.ptx75) << row.name;
    EXPECT_EQ(word(outcomes.witness_allowed(Model::sc)), row.sc) << row.name;
    for (const auto& [state, judgement] : outcomes.states()) {
      EXPECT_TRUE(judgement.ptx75 || !judgement.sc) << row.name << ": " << program.show(state);
    }
  }
}

TEST(Suite, PublishedVerdictsAgree) {
  unsigned published = 0;
  for (const Row& row : verdicts()) {
    if (row.published == "-") continue;
    ++published;
    const std::string verdict = row.published.substr(row.published.rfind(':') + 1);
    EXPECT_EQ(verdict, row.ptx75) << row.name;
  }
  EXPECT_GE(published, 15U);
}

TEST(Families, EveryFileHasAVerdictAndEveryVerdictAFile) {
  std::set<std::string> named, found;
  for (const Row& row : family_verdicts()) EXPECT_TRUE(named.insert(row.name).second) << row.name << " twice";
  for (const auto& entry : fs::recursive_directory_iterator(folder / "families")) {
    if (entry.path().extension() != ".litmus") continue;
    found.insert(fs::relative(entry.path(), folder / "families").replace_extension().string());
    EXPECT_EQ(load_litmus(entry.path()).name, entry.path().stem().string());
  }
  EXPECT_EQ(named, found);
}

TEST(Families, TheEnumeratorFindsTheVerdicts) {
  unsigned published = 0;
  for (const Row& row : family_verdicts()) {
    const Program program = load_litmus(folder / "families" / (row.name + ".litmus"));
    for (const unsigned unroll : {default_unroll, default_unroll + 1}) {
      const Outcomes outcomes = enumerate(program, unroll);
      EXPECT_EQ(word(outcomes.witness_allowed(Model::ptx75)), row.ptx75) << row.name << ", " << unroll;
      EXPECT_EQ(word(outcomes.witness_allowed(Model::sc)), row.sc) << row.name << ", " << unroll;
      EXPECT_EQ(outcomes.condition_holds(Model::ptx75),
                (row.ptx75 == "allowed") == (program.quantifier == Quantifier::exists))
          << row.name;
      if (!program.has_loop()) break;
    }
    EXPECT_TRUE(row.machine == "run" || row.machine == "judge" || row.machine == "gpus") << row.name;
    if (row.published == "-") continue;
    ++published;
    EXPECT_EQ(row.published.substr(row.published.rfind(':') + 1), row.ptx75) << row.name;
  }
  EXPECT_GE(published, 35U);
}

}  // namespace
}  // namespace syncline::consistency
