// A machine and a few episodes that run on it one after the other, from a cold start, in a process of its own: SystemC
// elaborates once in a process, and a batch gives the same result however often it runs and whatever ran before.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/process/child_process.h"
#include "platform/stress/episode.h"
#include "platform/stress/memory_system.h"

namespace syncline::stress {

struct Batch {
  MemorySystemSpec machine;
  std::vector<Episode> episodes;
};

struct BatchResult {
  struct Failure {
    std::size_t episode = 0;  ///< by its place in the batch
    std::string what;
  };
  std::optional<Failure> failure;
  std::size_t episodes = 0, operations = 0;  ///< that ran
  protocols::RowCounts taken;
};

/// Runs a batch here and now. Only the first call in a process may build a machine.
BatchResult run_batch(const Batch& batch);

/// A batch that runs in a child process. A child that ends otherwise than by returning is a failure of the first
/// episode.
class BatchProcess {
 public:
  /// UserError when no process can be started.
  explicit BatchProcess(const Batch& batch);
  BatchProcess(BatchProcess&& other) noexcept
      : process_(std::move(other.process_)), out_(std::exchange(other.out_, -1)) {}
  BatchProcess& operator=(BatchProcess&&) = delete;
  ~BatchProcess();  ///< ends the child when nobody has waited
  BatchResult wait();

 private:
  platform::ChildProcess process_;
  int out_ = -1;
};

inline BatchResult run_batch_apart(const Batch& batch) {
  return BatchProcess(batch).wait();
}

}  // namespace syncline::stress
