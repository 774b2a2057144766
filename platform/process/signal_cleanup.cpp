#include "platform/process/signal_cleanup.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace syncline::platform {
namespace {

// From outside, and by the process's own mistakes: a crash leaves nothing behind either.
constexpr int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2,
                                  SIGXCPU, SIGXFSZ, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

sigset_t ending_set() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : ending_signals) sigaddset(&set, signal);
  return set;
}

using Entries = std::list<GoneBySignal::Entry>;
// Never destroyed: a signal may come while the process exits.
Entries* entries = nullptr;

// Everything here may be called in a handler. The list is never in the midst of a change: that holds signals back.
void clean_up() {
  const pid_t self = getpid();
  for (const GoneBySignal::Entry& entry : *entries) {
    if (entry.process != 0 && entry.owner == self) kill(entry.process, SIGKILL);
  }
  for (const GoneBySignal::Entry& entry : *entries) {  // they write no more
    while (entry.process != 0 && entry.owner == self && waitpid(entry.process, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  for (const GoneBySignal::Entry& entry : *entries) {
    if (!entry.file.empty() && entry.owner == self) unlink(entry.file.c_str());
  }
}

void on_signal(int signal) {
  const int saved = errno;
  clean_up();
  std::signal(signal, SIG_DFL);
  raise(signal);  // comes when this handler has returned
  errno = saved;
}

void install() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_mask = ending_set();
  for (const int signal : ending_signals) {
    struct sigaction present = {};
    if (sigaction(signal, nullptr, &present) == 0 && (present.sa_flags & SA_SIGINFO) == 0 &&
        present.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
}

Entries::iterator add(GoneBySignal::Entry entry) {
  const SignalsHeld held;
  if (entries == nullptr) {
    entries = new Entries;
    install();
  }
  entry.owner = getpid();
  return entries->insert(entries->end(), std::move(entry));
}

}  // namespace

SignalsHeld::SignalsHeld() {
  const sigset_t set = ending_set();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

SignalsHeld::~SignalsHeld() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

GoneBySignal::GoneBySignal(std::string file) : entry_(add({std::move(file), 0, 0})) {}

GoneBySignal::GoneBySignal(pid_t process) : entry_(add({{}, process, 0})) {}

GoneBySignal::~GoneBySignal() {
  const SignalsHeld held;
  entries->erase(entry_);
}

}  // namespace syncline::platform
