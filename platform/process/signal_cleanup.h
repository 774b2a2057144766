// What must not outlive a process that a signal ends: files that are not whole, and processes of its own.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <list>
#include <string>

namespace syncline::platform {

/// Signals that end a process unless it does something about them are held back as long as this lives, and come then.
class SignalsHeld {
 public:
  SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld();
  /// What was held back before.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// What goes first when a signal ends this process, as long as this lives: a file is removed, a process is killed. The
/// process itself then ends by the signal, as it would have without this. A signal that whoever started the process
/// ignores, or that somebody else handles, stays as it is. What a fork has of its parent's is none of its business.
///
/// For processes of one thread.
class GoneBySignal {
 public:
  explicit GoneBySignal(std::string file);
  explicit GoneBySignal(pid_t process);
  GoneBySignal(const GoneBySignal&) = delete;
  GoneBySignal& operator=(const GoneBySignal&) = delete;
  ~GoneBySignal();

  struct Entry {
    std::string file;   ///< empty: none
    pid_t process = 0;  ///< 0: none
    pid_t owner = 0;    ///< whose entry this is
  };

 private:
  std::list<Entry>::iterator entry_;
};

}  // namespace syncline::platform
