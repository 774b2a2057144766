// The logs of a warp's transactions, in local memory and so in the L1: what they cost. Their contents live with who
// keeps the log (protocols::getm::WarpTransaction and its like); here are the line accesses of their entries, each a
// line of addresses and a line of words, a word for each lane (KiloTM; Ren's thesis, 4.5.1).
#pragma once

#include <cstdint>
#include <vector>

#include "base/stats.h"
#include "models/sm/seams/lane_stage.h"
#include "models/transactions/transaction_spec.h"

namespace syncline::models {

enum class LogKind : std::uint8_t { read, write };

class LogLines {
 public:
  /// `base`: of the SM's logs, which take `bytes(...)`.
  LogLines(const TransactionSpec& spec, std::uint64_t base, unsigned line_bytes, unsigned slots)
      : entries_(spec.log_entries), base_(base), line_bytes_(line_bytes), lengths_(slots) {}
  static std::uint64_t bytes(const TransactionSpec& spec, unsigned line_bytes, unsigned slots) {
    return std::uint64_t{spec.log_entries} * logs * lines_of_entry * line_bytes * slots;
  }

  void attach(LaneChain& chain, LaneStage& stage) {
    chain_ = &chain;
    stage_ = &stage;
  }
  /// `entries` more of the log of the warp in `slot`. Nobody waits for them.
  void append(unsigned slot, LogKind kind, unsigned entries);
  /// Reads the last entry of the write log, if there is one: LaneStage::replied has `token` for each line. Returns how
  /// many lines come.
  unsigned search(unsigned slot, std::uint32_t token);
  /// Reads a log, as far as it has not been overwritten, for the last time: its lines leave an L1 that would have to
  /// write them back without that. Otherwise as `search`.
  unsigned read_out(unsigned slot, LogKind kind, std::uint32_t token);
  unsigned entries(unsigned slot, LogKind kind) const { return length(slot, kind); }
  /// The attempt is over.
  void clear(unsigned slot) { lengths_[slot] = {}; }

  const base::Counter& written() const { return written_; }
  const base::Counter& looked_at() const { return read_; }

 private:
  static constexpr unsigned logs = 2, lines_of_entry = 2;
  struct Lengths {
    unsigned read = 0, write = 0;
  };
  unsigned length(unsigned slot, LogKind kind) const {
    return kind == LogKind::read ? lengths_[slot].read : lengths_[slot].write;
  }
  Message& access(unsigned slot, LogKind kind, unsigned entry, unsigned line, MessageClass message_class);
  unsigned read(unsigned slot, LogKind kind, unsigned entries, isa::CacheOp cache, std::uint32_t token);

  const unsigned entries_;
  const std::uint64_t base_;
  const unsigned line_bytes_;
  std::vector<Lengths> lengths_;  ///< by slot
  LaneChain* chain_ = nullptr;
  LaneStage* stage_ = nullptr;
  base::Counter written_, read_;
};

}  // namespace syncline::models
