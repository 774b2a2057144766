#include "platform/observe/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/error.h"

namespace syncline::platform {
namespace {

std::string temporary(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / ("syncline_" + name)).string();
}

TEST(OutputFile, AppearsOnlyWhenCommitted) {
  const std::string path = temporary("output_file_test.json");
  std::filesystem::remove(path);
  {
    OutputFile abandoned(path);
    abandoned.stream() << "half";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  {
    OutputFile file(path);
    file.stream() << "whole";
    file.commit();
  }
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(text.str(), "whole");
  std::filesystem::remove(path);
}

TEST(OutputFile, ImpossiblePathIsAUsersMistake) {
  try {
    OutputFile file("/nonexistent-folder/statistics.json");
    FAIL() << "opened";
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot write `/nonexistent-folder/statistics.json`"));
  }
}

}  // namespace
}  // namespace syncline::platform
