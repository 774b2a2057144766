// Signals in tests that end by them.
#pragma once

#include <csignal>

namespace syncline::test {

/// Whoever started the tests may ignore a signal, which is inherited. What handles it stays.
inline void reset_ignored(int number) {
  struct sigaction present = {};
  if (sigaction(number, nullptr, &present) == 0 && present.sa_handler == SIG_IGN) std::signal(number, SIG_DFL);
}

}  // namespace syncline::test
