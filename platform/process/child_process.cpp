#include "platform/process/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace syncline::platform {
namespace {

// Otherwise nobody can wait for a child: it is gone as soon as it ends.
void want_ends_of_children() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, nullptr);
}

void check_started(int error) {
  if (error != 0) throw base::UserError(std::string("no process can be started: ") + std::strerror(error));
}

/// A fork does not stay when its parent is killed.
void end_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

[[noreturn]] void fail_to_start(int told) {
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(told, &error, sizeof error);
  _exit(127);
}

/// What a fork does that is to be another program.
[[noreturn]] void become(const std::string& program, std::vector<char*>& arguments, const std::vector<int>& descriptors,
                         const sigset_t& signals, pid_t parent, int told) {
  end_with(parent);
  const int count = static_cast<int>(descriptors.size());
  told = fcntl(told, F_DUPFD_CLOEXEC, count);  // behind all that are given
  for (int n = 0; n < count; ++n) {
    const int from = descriptors[static_cast<std::size_t>(n)];
    // One that stays where it is would close with the program's start.
    if (from == n ? fcntl(n, F_SETFD, 0) < 0 : dup2(from, n) < 0) fail_to_start(told);
  }
  pthread_sigmask(SIG_SETMASK, &signals, nullptr);
  execvp(program.c_str(), arguments.data());
  fail_to_start(told);
}

/// Waits until a child, or the one of this number, has ended, and leaves it to be waited for. Gives its number.
pid_t wait_for_end(idtype_t which, pid_t id) {
  siginfo_t info = {};
  while (waitid(which, static_cast<id_t>(id), &info, WEXITED | WNOWAIT) != 0) {
    if (errno != EINTR)
      throw base::ModelError(std::string("nobody knows how a process ended: ") + std::strerror(errno));
  }
  return info.si_pid;
}

}  // namespace

ChildProcess::ChildProcess(pid_t id) : id_(id), by_signal_(std::make_unique<GoneBySignal>(id)) {}

ChildProcess ChildProcess::fork_off(const std::function<int()>& body) {
  want_ends_of_children();
  std::fflush(nullptr);    // or both write it
  const SignalsHeld held;  // until the child is known
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id < 0) check_started(errno);
  if (id != 0) return ChildProcess(id);
  end_with(parent);
  pthread_sigmask(SIG_SETMASK, &held.before(), nullptr);
  _exit(body());  // nothing of the parent's is written or freed twice
}

ChildProcess ChildProcess::start(const std::string& program, std::vector<std::string> words,
                                 const std::vector<int>& descriptors) {
  want_ends_of_children();
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> told{};  // why it is not the program, where it is not; both ends close when it is
  if (pipe2(told.data(), O_CLOEXEC) != 0) check_started(errno);
  const SignalsHeld held;  // until the child is known
  const pid_t parent = getpid();
  const pid_t id = fork();
  if (id == 0) become(program, arguments, descriptors, held.before(), parent, told[1]);
  int error = id < 0 ? errno : 0;
  close(told[1]);
  if (id > 0 && read(told[0], &error, sizeof error) > 0) waitpid(id, nullptr, 0);
  close(told[0]);
  check_started(error);
  return ChildProcess(id);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : id_(std::exchange(other.id_, 0)),
      status_(std::exchange(other.status_, std::nullopt)),
      by_signal_(std::move(other.by_signal_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  end();
  id_ = std::exchange(other.id_, 0);
  status_ = std::exchange(other.status_, std::nullopt);
  by_signal_ = std::move(other.by_signal_);
  return *this;
}

ChildProcess::~ChildProcess() {
  end();
}

void ChildProcess::end() {
  if (id_ == 0 || status_) return;
  kill(id_, SIGKILL);
  reap();
}

void ChildProcess::limit_time(unsigned seconds) {
  rlimit limit = {};
  if (prlimit(id_, RLIMIT_CPU, nullptr, &limit) == 0) {
    limit.rlim_cur = std::min<rlim_t>(seconds, limit.rlim_max);  // it may have less already
    if (prlimit(id_, RLIMIT_CPU, &limit, nullptr) == 0) return;
  }
  if (errno == ESRCH) return;  // it has ended
  throw base::ModelError(std::string("the time of a process cannot be limited: ") + std::strerror(errno));
}

int ChildProcess::wait() {
  if (!status_) {
    wait_for_end(P_PID, id_);
    reap();
  }
  id_ = 0;
  return *status_;
}

void ChildProcess::reap() {
  const SignalsHeld held;  // its number may soon be another's
  int status = 0;
  waitpid(id_, &status, 0);
  status_ = status;
  by_signal_.reset();
}

std::size_t ChildProcess::wait_for_any(const std::vector<ChildProcess*>& children) {
  for (;;) {
    const pid_t ended = wait_for_end(P_ALL, 0);
    const auto found = std::find_if(children.begin(), children.end(),
                                    [ended](const ChildProcess* child) { return child->id_ == ended; });
    if (found != children.end()) {
      (*found)->reap();
      return static_cast<std::size_t>(found - children.begin());
    }
    waitpid(ended, nullptr, 0);  // one that this process got from whoever it was before
  }
}

}  // namespace syncline::platform
