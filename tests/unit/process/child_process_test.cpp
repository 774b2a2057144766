#include "platform/process/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

#include "base/error.h"
#include "tests/support/error_of.h"
#include "tests/support/signals.h"

namespace syncline::platform {
namespace {

using ::syncline::test::error_of;

ChildProcess shell(const std::string& script, const std::vector<int>& more = {}) {
  std::vector<int> descriptors{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
  descriptors.insert(descriptors.end(), more.begin(), more.end());
  return ChildProcess::start("sh", {"sh", "-c", script}, descriptors);
}

/// A pipe whose reading end sees the end when every process that writes it has ended.
struct Lifeline {
  Lifeline() { EXPECT_EQ(pipe(ends.data()), 0); }
  ~Lifeline() { close(ends[0]); }
  /// Waits until nobody is left.
  void wait() {
    close(ends[1]);
    char byte = 0;
    while (read(ends[0], &byte, 1) > 0) {
    }
  }
  std::array<int, 2> ends{};
};

TEST(ChildProcess, EndsWithWhatItReturns) {
  EXPECT_EQ(WEXITSTATUS(ChildProcess::fork_off([] { return 7; }).wait()), 7);
  EXPECT_EQ(WEXITSTATUS(shell("exit 5").wait()), 5);
  const int status = shell("kill -TERM $$").wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(ChildProcess, GetsItsDescriptors) {
  const int out = memfd_create("out", MFD_CLOEXEC), third = memfd_create("third", MFD_CLOEXEC);
  ChildProcess child = ChildProcess::start("/bin/sh", {"sh", "-c", "echo out; echo third >&3"},
                                           {STDIN_FILENO, out, STDERR_FILENO, third});
  EXPECT_EQ(child.wait(), 0);
  std::array<char, 16> text{};
  EXPECT_EQ(pread(out, text.data(), text.size(), 0), 4);
  EXPECT_STREQ(text.data(), "out\n");
  text = {};
  EXPECT_EQ(pread(third, text.data(), text.size(), 0), 6);
  EXPECT_STREQ(text.data(), "third\n");
  close(out);
  close(third);
}

TEST(ChildProcess, ThatCannotBeStartedIsTold) {
  EXPECT_EQ(error_of([] { ChildProcess::start("/nowhere/program", {"program"}, {}); }),
            "no process can be started: No such file or directory");
}

TEST(ChildProcess, EndsWithItsObject) {
  Lifeline life;
  {
    const ChildProcess child = shell("exec sleep 1000");
    const ChildProcess fork = ChildProcess::fork_off([] { return static_cast<int>(pause()); });
    EXPECT_TRUE(child.runs() && fork.runs());
  }
  life.wait();
}

TEST(ChildProcess, MovesAndReplaces) {
  Lifeline life;
  ChildProcess child = shell("exec sleep 1000");
  ChildProcess other = std::move(child);
  EXPECT_FALSE(child.runs());  // NOLINT(bugprone-use-after-move): that is what moving means here
  other = shell("exit 3");
  EXPECT_EQ(WEXITSTATUS(other.wait()), 3);
  EXPECT_FALSE(other.runs());
  life.wait();
}

TEST(ChildProcess, AnyOneIsWaitedFor) {
  ChildProcess slow = shell("exec sleep 1000"), quick = shell("exit 4");
  EXPECT_EQ(ChildProcess::wait_for_any({&slow, &quick}), 1U);
  EXPECT_EQ(WEXITSTATUS(quick.wait()), 4);
}

// A process keeps its children when it becomes another program.
TEST(ChildProcess, OneThatNobodyKnowsIsNobodys) {
  const pid_t stranger = fork();
  if (stranger == 0) _exit(9);
  siginfo_t ended = {};
  waitid(P_PID, static_cast<id_t>(stranger), &ended, WEXITED | WNOWAIT);
  ChildProcess child = shell("exit 4");
  EXPECT_EQ(ChildProcess::wait_for_any({&child}), 0U);
  EXPECT_EQ(WEXITSTATUS(child.wait()), 4);
}

TEST(ChildProcess, WhoeverIgnoresTheEndsOfChildrenDoesNotMatter) {
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(WEXITSTATUS(shell("exit 5").wait()), 5);
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(WEXITSTATUS(ChildProcess::fork_off([] { return 6; }).wait()), 6);
}

TEST(ChildProcess, OneThatSomebodyElseHasWaitedForIsABrokenModel) {
  ChildProcess child = shell("exit 5");
  waitpid(-1, nullptr, 0);
  EXPECT_EQ(error_of<base::ModelError>([&] { child.wait(); }), "nobody knows how a process ended: No child processes");
  EXPECT_EQ(error_of<base::ModelError>([&] { ChildProcess::wait_for_any({&child}); }),
            "nobody knows how a process ended: No child processes");
}

class ChildrenOfAnEndedProcess : public ::testing::TestWithParam<int> {};

TEST_P(ChildrenOfAnEndedProcess, EndToo) {
  Lifeline life;
  const pid_t parent = fork();
  if (parent == 0) {
    syncline::test::reset_ignored(GetParam());
    const ChildProcess fork = ChildProcess::fork_off([] { return static_cast<int>(pause()); });
    const ChildProcess program = shell("exec sleep 1000");
    raise(GetParam());
    _exit(0);
  }
  int status = 0;
  waitpid(parent, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), GetParam());
  life.wait();
}

INSTANTIATE_TEST_SUITE_P(Signals, ChildrenOfAnEndedProcess, ::testing::Values(SIGINT, SIGTERM, SIGABRT, SIGKILL));

}  // namespace
}  // namespace syncline::platform
