// Processes that this one starts and waits for.
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/process/signal_cleanup.h"

namespace syncline::platform {

/// A process that ends at the latest with this object, when a signal ends this process, and with the thread that
/// started it. That whoever started this process ignores the end of children does not matter.
class ChildProcess {
 public:
  ChildProcess() = default;
  /// A copy of this process, which runs `body` and ends with what that returns. UserError when no process can be
  /// started.
  static ChildProcess fork_off(const std::function<int()>& body);
  /// `program` by its path, or looked for in the folders of PATH where it has no `/`; `words[0]` is how it is called.
  /// `descriptors[n]` is the child's descriptor n; they are those of this process up to 2, and others from 3 on.
  /// UserError when no process can be started.
  static ChildProcess start(const std::string& program, std::vector<std::string> words,
                            const std::vector<int>& descriptors);

  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  ///< ends it when nobody has waited

  /// It is ended by SIGXCPU once it has taken so many seconds of processor time, on all its threads.
  void limit_time(unsigned seconds);
  /// Not yet waited for.
  bool runs() const { return id_ != 0; }
  /// Waits for its end: the status as waitpid gives it.
  int wait();
  /// Waits until one of `children` has ended, and gives its place there; then its `wait` does not wait. ModelError when
  /// none runs.
  static std::size_t wait_for_any(const std::vector<ChildProcess*>& children);

 private:
  explicit ChildProcess(pid_t id);
  void end();
  void reap();

  pid_t id_ = 0;
  std::optional<int> status_;  ///< of one that has ended
  std::unique_ptr<GoneBySignal> by_signal_;
};

}  // namespace syncline::platform
