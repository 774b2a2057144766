// Commits without a Z-unit, as CoreDet does it in software (GPUDet, section 6.2.2): take the lock of the chunk with a
// compare-and-swap at the L2, read the depths of its words, write what wins with its depth, release the lock. Who finds
// a lock taken tries again after a time that doubles with each failure, or the tries would keep the holder's messages
// from the L2.
//
// Depths are kept per 32-bit word, complemented, so that memory that nobody has written is farthest. A word of which a
// store touches some bytes has its depth set for all of them.
#pragma once

#include <cstdint>
#include <set>

#include "base/stats.h"
#include "models/gpudet/commit_path.h"
#include "models/gpudet/log_port.h"
#include "models/sm/numbered.h"

namespace syncline::models {

/// Memory beside that of the programs: a lock for each line, and depths for each word.
struct LockMemory {
  std::uint64_t locks = 0;   ///< device address; the lock of line number n is word n
  std::uint64_t depths = 0;  ///< device address; the depths of the line at address a are the line at depths + a
};

class LockCommit final : public CommitPath, private LogClient {
 public:
  static constexpr unsigned granule = 4;  ///< bytes that share a depth

  LockCommit(LogPort& port, CommitListener& listener, const LockMemory& memory, unsigned line_bytes)
      : port_(port), listener_(listener), memory_(memory), line_(line_bytes) {}

  bool keeps_order() const override { return false; }
  void start(const CommitWrite& write) override;
  /// Each SM clears the depths of what it has committed.
  void clear() override;

  const base::Counter& attempts() const { return attempts_; }
  const base::Counter& failures() const { return failures_; }

 private:
  enum class Step : std::uint8_t { lock, backoff, depths, writes, unlock };
  struct Writer {
    CommitWrite write;
    Step step = Step::lock;
    unsigned outstanding = 0;
    unsigned failures = 0;
  };
  bool answered(std::uint32_t token, Message& reply, base::Cycle now) override;
  void try_lock(std::uint32_t number);
  void read_depths(std::uint32_t number);
  void decide(std::uint32_t number, const base::LineData& depths);
  void release_lock(std::uint32_t number);
  Message& lock_message(const CommitWrite& write, std::uint32_t compare, std::uint32_t value);
  void store(std::uint32_t number, base::LineAddress line, const base::ByteMask& mask, const base::LineData& data);
  base::LineAddress depth_line(base::LineAddress line) const {
    return base::LineAddress(memory_.depths + line.value());
  }

  LogPort& port_;
  CommitListener& listener_;
  LockMemory memory_;
  unsigned line_;
  Numbered<Writer> writers_;
  std::set<base::LineAddress> written_;  ///< lines whose depths are not farthest
  std::size_t clearing_ = 0;
  base::Counter attempts_, failures_;
};

}  // namespace syncline::models
