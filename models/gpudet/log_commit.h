// Commit mode of one SM: all logs are read back from memory and written to where they belong, each in its order, the
// warps in turn, a bounded number of line accesses under way (GPUDet, section 4.4.2). Some chunks may be left for
// later, when they are written one after the other, as bytes are that have no depth of their own (4.6).
#pragma once

#include <algorithm>
#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <vector>

#include "base/stats.h"
#include "models/gpudet/commit_path.h"
#include "models/gpudet/log_port.h"
#include "models/gpudet/write_logs.h"
#include "models/sm/warp_mask.h"

namespace syncline::models {

class LogCommit final : public CommitListener, private LogClient {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    /// All stores of warp `log` have taken effect.
    virtual void log_committed(unsigned log) = 0;
    virtual void depths_cleared() = 0;
    /// What `write_left` asked for is in memory.
    virtual void left_written() = 0;
  };

  LogCommit(WriteLogs& logs, LogPort& port, unsigned window, Owner& owner)
      : logs_(logs), port_(port), window_(window), owner_(owner) {}
  void use(std::unique_ptr<CommitPath> path) { path_ = std::move(path); }
  CommitPath& path() { return *path_; }

  /// Depth of the stores of warp `log` in an epoch of the quantum.
  using Depth = std::function<std::uint32_t(unsigned log, std::uint32_t epoch)>;
  /// Commits what the logs hold, but for the stores to the chunks `later`. Warps without stores are done at once.
  void begin(const std::vector<unsigned>& logs, Depth depth, const Chunks& later);
  /// The stores of a warp in an epoch that `begin` left.
  struct Left {
    std::uint32_t epoch = 0;
    unsigned log = 0;
    friend bool operator<(const Left& a, const Left& b) { return std::tie(a.epoch, a.log) < std::tie(b.epoch, b.log); }
  };
  /// Each once. When `begin` has committed the others.
  std::vector<Left> left() const;
  /// Writes them in the order of the program, each when the one before is performed.
  void write_left(const Left& what);
  bool idle() const { return under_way_ == 0; }

  struct Statistics {
    base::Counter chunks;        ///< written, or that lost everywhere
    base::Counter header_lines;  ///< read
    base::Counter data_lines;    ///< read
    base::Counter left;          ///< chunks that were left for later
  };
  const Statistics& statistics() const { return statistics_; }

  void committed(std::uint32_t token) override;

 private:
  /// A cell of the headers, while the entry that begins there is read, written and acknowledged. An entry whose header
  /// takes several cells has several slots: those behind the first repeat its header and are done from the beginning.
  struct Slot {
    protocols::gpudet::LogHeader header;
    bool described = false, read = false, sent = false, done = false;
  };
  /// A line of data whose entries are not all written.
  struct DataLine {
    std::uint64_t address;
    base::LineData data;
  };
  struct Cursor {
    unsigned log = 0;
    std::uint32_t next_header = 0;  ///< line of headers to be read next; each is read once
    std::uint32_t next_data = 0;    ///< entry whose data is to be read next
    std::uint32_t next_write = 0;   ///< entry to be written next
    std::uint32_t first = 0;        ///< cell of slots.front()
    boost::circular_buffer<Slot> slots;
    std::vector<DataLine> lines;

    /// Slots up to cell `end`.
    void reach(std::uint32_t end) {
      const std::size_t size = end - first;
      if (size > slots.capacity()) slots.set_capacity(std::max(size, 2 * slots.capacity()));
      slots.resize(size);
    }
    bool holds(std::uint32_t entry) const { return entry - first < slots.size(); }
    Slot& slot(std::uint32_t entry) { return slots[entry - first]; }
  };

  /// An entry that was left for later.
  struct LeftEntry {
    Left what;
    std::uint32_t entry = 0;
    protocols::gpudet::LogHeader header;
    friend bool operator<(const LeftEntry& a, const LeftEntry& b) {
      return a.what < b.what || (!(b.what < a.what) && a.entry < b.entry);
    }
  };

  bool answered(std::uint32_t token, Message& reply, base::Cycle now) override;
  void describe(std::uint32_t number, std::uint32_t header_line, const base::LineData& line);
  void data_arrived(std::uint32_t number, std::uint32_t entry, const base::LineData& line);
  void write_next();
  std::set<LeftEntry>::const_iterator next_left() const { return left_.lower_bound({writing_, 0, {}}); }
  void pump();
  /// Makes one line access for the cursor; false: there is none until one that it has under way is answered.
  bool step(std::size_t cursor);
  bool read_data(std::size_t cursor);
  bool send(std::size_t cursor, std::size_t slot);
  bool waits_for_earlier(const Cursor& cursor, std::size_t slot) const;
  void retire(std::size_t cursor);

  WriteLogs& logs_;
  LogPort& port_;
  unsigned window_;
  Owner& owner_;
  std::unique_ptr<CommitPath> path_;
  Depth depth_;
  std::vector<Cursor> cursors_;
  WarpMask may_step_ = 0;  ///< by cursor: it may have a line access to make
  unsigned turn_ = 0;
  unsigned under_way_ = 0;
  const Chunks* later_ = nullptr;
  /// A line of data with entries that were left for later: how many, and all that it holds.
  struct LeftLine {
    unsigned entries = 0;
    base::ByteMask bytes;
  };
  std::set<LeftEntry> left_;
  std::map<std::uint64_t, LeftLine> left_lines_;  ///< by address
  Left writing_;
  Statistics statistics_;
};

}  // namespace syncline::models
