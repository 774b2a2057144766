// Runs in a process of their own: SystemC builds one platform in each.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <exception>
#include <stdexcept>
#include <string>

namespace syncline::tests {

/// What `run` returns, or the message of what it throws. A failure of the test within it is a failure here.
template <class Run>
std::string apart(Run&& run) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const bool had_failure = ::testing::Test::HasFailure();
  const pid_t child = fork();
  if (child == 0) {
    std::string text;
    try {
      text = run();
    } catch (const std::exception& error) {
      text = error.what();
    }
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t part = write(ends[1], text.data() + sent, text.size() - sent);
      if (part <= 0) _exit(2);
      sent += static_cast<std::size_t>(part);
    }
    _exit(!had_failure && ::testing::Test::HasFailure() ? 1 : 0);
  }
  close(ends[1]);
  std::string text;
  char piece[4096];
  for (ssize_t part = 0; (part = read(ends[0], piece, sizeof piece)) > 0;)
    text.append(piece, static_cast<std::size_t>(part));
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "the run failed: " << text;
  return text;
}

}  // namespace syncline::tests
