#include "platform/observe/outputs.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.h"
#include "platform/observe/output_file.h"
#include "tests/support/error_of.h"
#include "tests/support/signals.h"
#include "tests/unit/config/scratch_folder.h"

namespace syncline::platform {
namespace {

using ::syncline::test::error_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

mode_t mode_of(const fs::path& path) {
  struct stat found = {};
  EXPECT_EQ(stat(path.c_str(), &found), 0);
  return found.st_mode & 07777U;
}

class OutputsTest : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }
  std::set<std::string> entries() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.insert(entry.path().filename().string());
    return names;
  }
  static void put(Outputs& outputs, const std::string& file, const std::string& text) {
    OutputFile out(outputs, file, "--" + text);
    out.stream() << text;
    out.finish();
  }
  static void write(const std::string& file, const std::string& text) {
    Outputs outputs;
    put(outputs, file, text);
    outputs.commit();
  }
  static void abandon(const std::string& file) {
    Outputs outputs;
    put(outputs, file, "abandoned");
  }

  test::ScratchFolder folder_;
};

TEST_F(OutputsTest, AppearOnlyWhenCommitted) {
  {
    Outputs outputs;
    OutputFile file(outputs, path("a"), "--stats");
    file.stream() << "half";
    EXPECT_FALSE(fs::exists(path("a")));
  }
  EXPECT_THAT(entries(), IsEmpty());
  abandon(path("a"));
  EXPECT_THAT(entries(), IsEmpty());
  write(path("a"), "whole");
  EXPECT_EQ(text_of(path("a")), "whole");
  EXPECT_THAT(entries(), ElementsAre("a"));
}

TEST_F(OutputsTest, WhatIsNotFinishedIsLeftOut) {
  Outputs outputs;
  put(outputs, path("whole"), "whole");
  OutputFile half(outputs, path("half"), "--half");
  half.stream() << "half";
  outputs.commit();
  EXPECT_THAT(entries(), ElementsAre("whole"));
}

TEST_F(OutputsTest, ALongTextArrivesWhole) {
  std::string text;
  for (unsigned i = 0; i < 100'000; ++i) text += std::to_string(i) + "\n";
  write(path("a"), text);
  EXPECT_EQ(text_of(path("a")), text);
  write(path("a"), "short");
  EXPECT_EQ(text_of(path("a")), "short");
}

TEST_F(OutputsTest, ImpossiblePathsAreUsersMistakes) {
  fs::create_directory(path("folder"));
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  folder_.write("file", "x");
  const std::string name_too_long(300, 'n');
  const std::pair<std::string, std::string> cases[] = {{path("none/a"), "No such file or directory"},
                                                       {path("folder"), "Is a directory"},
                                                       {path("a"), "Too many levels of symbolic links"},
                                                       {path(name_too_long), "File name too long"},
                                                       {path("file/a"), "Not a directory"},
                                                       {path("new/"), "No such file or directory"},
                                                       {"", "No such file or directory"}};
  for (const auto& [file, why] : cases)
    EXPECT_EQ(error_of([&, name = file] { write(name, "text"); }), "cannot write `" + file + "`: " + why);
  EXPECT_THAT(entries(), ElementsAre("a", "b", "file", "folder"));
  EXPECT_EQ(text_of(path("file")), "x");
}

// What a user has under names that look like those of files under way is his.
TEST_F(OutputsTest, NothingOfTheUsersIsTouched) {
  folder_.write("victim", "victim");
  for (const char* name : {"a.partial", "a.partial.vcd", "a.tmp", ".a", "a~"}) fs::create_symlink("victim", path(name));
  const std::set<std::string> before = entries();
  abandon(path("a"));
  EXPECT_EQ(entries(), before);
  write(path("a"), "whole");
  EXPECT_EQ(text_of(path("victim")), "victim");
  EXPECT_EQ(entries().size(), before.size() + 1);
}

TEST_F(OutputsTest, NamesWhileWritingCannotBeForeseen) {
  Outputs outputs;
  OutputFile a(outputs, path("a"), "--a"), b(outputs, path("b"), "--b");
  const std::set<std::string> names = entries();
  ASSERT_EQ(names.size(), 2U);
  for (const std::string& name : names) {
    EXPECT_EQ(name.find(".syncline-"), 0U);
    EXPECT_EQ(name.size(), std::string(".syncline-0123456789abcdef").size());
  }
}

TEST_F(OutputsTest, ModesAreKeptAndNewOnesFollowTheUmask) {
  const mode_t before = umask(027);
  write(path("new"), "text");
  umask(before);
  EXPECT_EQ(mode_of(path("new")), 0640U);
  for (const mode_t mode : {0600U, 0604U, 0666U, 0755U}) {
    chmod(path("new").c_str(), mode);
    write(path("new"), "other");
    EXPECT_EQ(mode_of(path("new")), mode);
  }
}

TEST_F(OutputsTest, LinksStayAndTheirTargetsAreReplaced) {
  fs::create_directory(path("far"));
  folder_.write("far/old", "old");
  fs::create_symlink("far/old", path("link"));
  fs::create_symlink("link", path("link to link"));
  fs::create_symlink("new", path("dangling"));
  abandon(path("link to link"));
  EXPECT_EQ(text_of(path("far/old")), "old");
  write(path("link to link"), "whole");
  write(path("dangling"), "made");
  EXPECT_EQ(text_of(path("far/old")), "whole");
  EXPECT_EQ(text_of(path("new")), "made");
  for (const char* link : {"link", "link to link", "dangling"}) EXPECT_TRUE(fs::is_symlink(path(link))) << link;
  EXPECT_FALSE(fs::is_symlink(path("far/old")));
  EXPECT_THAT(entries(), ElementsAre("dangling", "far", "link", "link to link", "new"));
}

TEST_F(OutputsTest, AFileOfSeveralNamesKeepsThem) {
  folder_.write("one", "a long text that is there before");
  chmod(path("one").c_str(), 0640);
  fs::create_hard_link(path("one"), path("two"));
  abandon(path("one"));
  EXPECT_EQ(text_of(path("two")), "a long text that is there before");
  for (const std::string& text : {std::string("short"), std::string(200'000, 'x')}) {
    write(path("one"), text);
    EXPECT_EQ(text_of(path("two")), text);
    EXPECT_TRUE(fs::equivalent(path("one"), path("two")));
  }
  EXPECT_EQ(mode_of(path("two")), 0640U);
  EXPECT_THAT(entries(), ElementsAre("one", "two"));
}

TEST_F(OutputsTest, AFileWithoutANameIsWritten) {
  const int file = memfd_create("test", MFD_CLOEXEC);
  ASSERT_GE(file, 0);
  ASSERT_EQ(::write(file, "what was there before", 21), 21);
  const std::string name = "/proc/self/fd/" + std::to_string(file);
  write(name, "text");
  EXPECT_EQ(text_of(name), "text");
  close(file);
}

TEST_F(OutputsTest, TwoOnOneFileAreRefused) {
  folder_.write("there", "there");
  fs::create_directory(path("folder"));
  fs::create_symlink("there", path("link to there"));
  fs::create_symlink("new", path("link to new"));
  fs::create_symlink("folder", path("other folder"));
  fs::create_hard_link(path("there"), path("hard"));
  const std::pair<const char*, const char*> pairs[] = {
      {"there", "there"},         {"there", "./there"},   {"there", "link to there"},
      {"there", "hard"},          {"new", "new"},         {"new", "folder/../new"},
      {"new", "link to new"},     {"link to new", "new"}, {"folder/new", "other folder/new"},
      {"there", "folder/../hard"}};
  const std::set<std::string> before = entries();
  for (const auto& [a, b] : pairs) {
    const std::string one = path(a), other = path(b);
    Outputs outputs;
    put(outputs, one, "one");
    EXPECT_EQ(error_of([&] { put(outputs, other, "other"); }), "--one and --other both write `" + other + "`");
  }
  EXPECT_EQ(entries(), before);
  EXPECT_EQ(text_of(path("there")), "there");
  Outputs nowhere;
  put(nowhere, "/dev/null", "one");
  put(nowhere, "/dev/null", "other");
  nowhere.commit();
}

TEST_F(OutputsTest, SparesWhatTheCallReads) {
  folder_.write("there", "there");
  fs::create_symlink("there", path("link"));
  const std::set<std::string> before = entries();
  Outputs outputs;
  outputs.spare(path("there"));
  outputs.spare(path("absent"));
  outputs.spare("/dev/null");
  const std::string link = path("link");
  EXPECT_EQ(error_of([&] { put(outputs, link, "one"); }), "cannot write `" + link + "`: this call reads it (--one)");
  EXPECT_EQ(entries(), before);
  put(outputs, "/dev/null", "other");
  put(outputs, path("absent"), "third");
  EXPECT_EQ(text_of(path("there")), "there");
}

TEST_F(OutputsTest, AllOrNone) {
  folder_.write("old", "old");
  const auto try_with = [&](const std::string& last) {
    Outputs outputs;
    put(outputs, path("old"), "other");
    put(outputs, path("new"), "new");
    put(outputs, last, "last");
    fs::remove_all(last);
    fs::create_directory(last);  // what no file can replace
    return error_of([&] { outputs.commit(); });
  };
  fs::create_directory(path("late"));
  EXPECT_THAT(try_with(path("late/file")), HasSubstr("it has become something else than a file"));
  EXPECT_EQ(text_of(path("old")), "old");
  EXPECT_THAT(entries(), ElementsAre("late", "old"));
  EXPECT_TRUE(fs::is_directory(path("late/file")));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("late")), {}), 1);

  {
    Outputs outputs;
    put(outputs, path("old"), "other");
    put(outputs, path("late/gone"), "gone");
    fs::remove_all(path("late"));
    EXPECT_THAT(error_of([&] { outputs.commit(); }), HasSubstr("late/gone`: No such file or directory"));
  }
  EXPECT_EQ(text_of(path("old")), "old");
  EXPECT_THAT(entries(), ElementsAre("old"));
}

TEST_F(OutputsTest, AFullDiskIsTold) {
  fs::create_symlink("/dev/full", path("full"));
  for (const std::string& text : {std::string("short"), std::string(1'000'000, 'x')})
    EXPECT_EQ(error_of([&] { write(path("full"), text); }),
              "cannot write `" + path("full") + "`: No space left on device");
  EXPECT_THAT(entries(), ElementsAre("full"));
}

// What takes a name to write to may put another file there, as some do, but not anything.
TEST_F(OutputsTest, WhoWritesByNameMayReplaceTheFile) {
  folder_.write("old", "old");
  chmod(path("old").c_str(), 0640);
  for (const char* name : {"old", "new"}) {
    Outputs outputs;
    OutputPath& out = outputs.add(path(name), "--wave", OutputPath::Writer::by_name, ".vcd");
    EXPECT_EQ(out.written().extension(), ".vcd");
    fs::remove(out.written());
    std::ofstream(out.written()) << "waves";
    out.complete();
    outputs.commit();
    EXPECT_EQ(text_of(path(name)), "waves");
  }
  EXPECT_EQ(mode_of(path("old")), 0640U);
  const auto replace_by = [&](auto&& make) {
    Outputs outputs;
    OutputPath& out = outputs.add(path("new"), "--wave", OutputPath::Writer::by_name, ".vcd");
    fs::remove(out.written());
    make(out.written());
    return error_of([&] { out.complete(); });
  };
  EXPECT_THAT(replace_by([](const fs::path& at) { mkfifo(at.c_str(), 0600); }),
              HasSubstr("new`: what was written is no longer a file of this user"));
  EXPECT_THAT(replace_by([](const fs::path& at) { fs::create_symlink("/dev/null", at); }),
              HasSubstr("Too many levels"));
  EXPECT_THAT(replace_by([](const fs::path& at) { fs::create_directory(at); }), HasSubstr("Is a directory"));
  EXPECT_THAT(replace_by([](const fs::path&) {}), HasSubstr("No such file or directory"));
  EXPECT_EQ(text_of(path("new")), "waves");
}

TEST_F(OutputsTest, ANamedPipeIsWrittenAndStaysOne) {
  const std::string pipe = path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", path("link"));
  for (const std::string& name : {pipe, path("link")}) {
    // A reader that does not wait for the writer, so that the writer does not wait either.
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    write(name, "whole");
    std::array<char, 16> read_back{};
    EXPECT_EQ(read(reader, read_back.data(), read_back.size()), 5);
    EXPECT_STREQ(read_back.data(), "whole");
    close(reader);
    EXPECT_TRUE(fs::is_fifo(fs::symlink_status(pipe)));
  }
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_THAT(entries(), ElementsAre("link", "pipe"));
}

/// Runs `body` in a process of its own, and gives how it ended.
int status_of_fork(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

class OutputsAndSignals : public OutputsTest, public ::testing::WithParamInterface<int> {};

TEST_P(OutputsAndSignals, NothingStaysAndTheProcessEndsByTheSignal) {
  folder_.write("old", "old");
  folder_.write("hard", "hard");
  fs::create_hard_link(path("hard"), path("other"));
  const int status = status_of_fork([&] {
    syncline::test::reset_ignored(GetParam());
    Outputs outputs;
    put(outputs, path("old"), "one");
    put(outputs, path("new"), "two");
    put(outputs, path("hard"), "three");
    raise(GetParam());
    outputs.commit();
  });
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  EXPECT_EQ(WTERMSIG(status), GetParam());
  EXPECT_THAT(entries(), ElementsAre("hard", "old", "other"));
  EXPECT_EQ(text_of(path("old")), "old");
  EXPECT_EQ(text_of(path("hard")), "hard");
}

TEST_P(OutputsAndSignals, WhoIgnoresOneKeepsIgnoringIt) {
  const int status = status_of_fork([&] {
    std::signal(GetParam(), SIG_IGN);
    Outputs outputs;
    put(outputs, path("new"), "whole");
    raise(GetParam());
    outputs.commit();
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text_of(path("new")), "whole");
}

// A copy of the process, which a test of policies makes, removes nothing of its parent's.
TEST_P(OutputsAndSignals, AForkLeavesItsParentsFiles) {
  Outputs outputs;
  put(outputs, path("new"), "whole");
  const int status = status_of_fork([] { raise(GetParam()); });
  EXPECT_TRUE(WIFSIGNALED(status)) << status;
  outputs.commit();
  EXPECT_EQ(text_of(path("new")), "whole");
}

INSTANTIATE_TEST_SUITE_P(All, OutputsAndSignals,
                         ::testing::Values(SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2,
                                           SIGXCPU, SIGXFSZ, SIGABRT),
                         [](const auto& signal) { return std::string(sigabbrev_np(signal.param)); });

}  // namespace
}  // namespace syncline::platform
