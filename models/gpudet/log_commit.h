// Commit mode of one SM: all logs are read back from memory and written to where they belong, each in its order, the
// warps in turn, a bounded number of line accesses under way (GPUDet, section 4.4.2).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "base/stats.h"
#include "models/gpudet/commit_path.h"
#include "models/gpudet/log_port.h"
#include "models/gpudet/write_logs.h"

namespace syncline::models {

class LogCommit final : public CommitListener, private LogClient {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    /// All stores of warp `log` have taken effect.
    virtual void log_committed(unsigned log) = 0;
    virtual void depths_cleared() = 0;
  };

  LogCommit(WriteLogs& logs, LogPort& port, unsigned window, Owner& owner)
      : logs_(logs), port_(port), window_(window), owner_(owner) {}
  void use(std::unique_ptr<CommitPath> path) { path_ = std::move(path); }
  CommitPath& path() { return *path_; }

  /// Depth of the stores of warp `log` in an epoch of the quantum.
  using Depth = std::function<std::uint32_t(unsigned log, std::uint32_t epoch)>;
  /// Commits what the logs hold. Warps without stores are done at once.
  void begin(const std::vector<unsigned>& logs, Depth depth);
  bool idle() const { return under_way_ == 0; }

  struct Statistics {
    base::Counter chunks;        ///< written, or that lost everywhere
    base::Counter header_lines;  ///< read
  };
  const Statistics& statistics() const { return statistics_; }

  void committed(std::uint32_t token) override;

 private:
  /// An entry from the reading of its header and its chunk to the acknowledgement of its write.
  struct Slot {
    CommitWrite write;
    bool described = false, read = false, sent = false, done = false;
  };
  struct Cursor {
    unsigned log = 0;
    std::uint32_t next_header = 0;  ///< line to be read, for the last time
    std::uint32_t next_chunk = 0;   ///< entry to be read
    std::uint32_t first = 0;        ///< entry of slots.front()
    std::deque<Slot> slots;
  };

  bool answered(std::uint32_t token, Message& reply, base::Cycle now) override;
  void pump();
  bool step(std::size_t cursor);  ///< one line access for it; false: it has none to make now
  bool send(Cursor& cursor, std::size_t slot);
  bool waits_for_earlier(const Cursor& cursor, std::size_t slot) const;
  void retire(std::size_t cursor);

  WriteLogs& logs_;
  LogPort& port_;
  unsigned window_;
  Owner& owner_;
  std::unique_ptr<CommitPath> path_;
  Depth depth_;
  std::vector<Cursor> cursors_;
  std::size_t turn_ = 0;
  unsigned under_way_ = 0;
  Statistics statistics_;
};

}  // namespace syncline::models
