#include "platform/observe/output_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <sstream>

#include "base/error.h"

namespace syncline::platform {
namespace {

std::string temporary(const std::string& name) {
  return (std::filesystem::path(::testing::TempDir()) / ("syncline_" + name)).string();
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.stream() << text;
  file.commit();
}

/// An empty folder of its own, removed at the end.
class OutputFileInFolder : public ::testing::Test {
 protected:
  OutputFileInFolder() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
  }
  ~OutputFileInFolder() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t entries() const {
    const std::filesystem::directory_iterator all(folder_);
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  std::filesystem::path folder_ = temporary("output_file_test." + std::to_string(getpid()));
};

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
  EXPECT_EQ(text_of(path), "whole");
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

TEST_F(OutputFileInFolder, LinkStaysAndItsTargetIsReplaced) {
  std::filesystem::create_directory(path("far"));
  write(path("far/old"), "before");
  std::filesystem::create_symlink("old", path("far/link"));
  std::filesystem::create_symlink("far/link", path("link"));
  {
    OutputFile abandoned(path("link"));
    abandoned.stream() << "half";
  }
  EXPECT_EQ(text_of(path("far/old")), "before");
  write(path("link"), "whole");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_TRUE(std::filesystem::is_symlink(path("far/link")));
  EXPECT_FALSE(std::filesystem::is_symlink(path("far/old")));
  EXPECT_EQ(text_of(path("far/old")), "whole");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(OutputFileInFolder, LinkToAFileThatIsNotThereYetMakesIt) {
  std::filesystem::create_symlink(path("new"), path("link"));
  write(path("link"), "whole");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("new")), "whole");
  EXPECT_EQ(entries(), 2U);
}

TEST_F(OutputFileInFolder, LinksInACircleAreAUsersMistake) {
  std::filesystem::create_symlink("b", path("a"));
  std::filesystem::create_symlink("a", path("b"));
  EXPECT_THROW(OutputFile file(path("a")), base::UserError);
  EXPECT_EQ(entries(), 2U);
}

TEST_F(OutputFileInFolder, FolderIsAUsersMistakeBeforeTheRun) {
  std::filesystem::create_directory(path("folder"));
  EXPECT_THROW(OutputFile file(path("folder")), base::UserError);
  EXPECT_EQ(entries(), 1U);
}

TEST_F(OutputFileInFolder, NamedPipeIsWrittenAndStaysOne) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::filesystem::create_symlink("pipe", path("link"));
  for (const std::string& name : {pipe, path("link")}) {
    // A reader that does not wait for the writer, so that the writer does not wait either.
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    write(name, "whole");
    std::array<char, 16> read_back{};
    EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 5);
    EXPECT_STREQ(read_back.data(), "whole");
    { const OutputFile abandoned(name); }
    close(reader);
    EXPECT_TRUE(std::filesystem::is_fifo(std::filesystem::symlink_status(pipe)));
  }
  EXPECT_TRUE(std::filesystem::is_symlink(path("link")));
  EXPECT_EQ(entries(), 2U);
}

}  // namespace
}  // namespace syncline::platform
