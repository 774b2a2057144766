// When each command may go next, after the commands so far.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "models/dram/dram_command.h"
#include "models/dram/dram_spec.h"

namespace syncline::models {

/// Earliest cycles by bank, bank group and channel. `issue` moves them. Banks are numbered so that neighbours are in
/// different groups (bank % bank_groups).
class DramTimingState {
 public:
  static constexpr std::int64_t closed = -1;

  explicit DramTimingState(const DramSpec& spec);

  std::int64_t open_row(unsigned bank) const { return banks_[bank].open_row; }
  /// When the bank allows an activate, precharge, read or write. Only commands to this bank, and those to all, move it.
  base::Cycle bank_allows(DramCommandKind kind, unsigned bank) const {
    const Bank& b = banks_[bank];
    switch (kind) {
      case DramCommandKind::activate:
        return b.activate;
      case DramCommandKind::precharge:
        return b.precharge;
      default:
        return b.column;
    }
  }
  /// When the command bus, the channel and the bank's group do.
  base::Cycle channel_allows(DramCommandKind kind, unsigned bank) const {
    const ColumnGate& group = groups_[group_of(bank)];
    switch (kind) {
      case DramCommandKind::activate:
        return std::max(command_, std::max(activate_, window_[oldest_]));
      case DramCommandKind::read:
        return std::max(command_, std::max(group.read, channel_.read));
      case DramCommandKind::write:
        return std::max(command_, std::max(group.write, channel_.write));
      default:
        return command_;
    }
  }
  void issue(DramCommandKind kind, unsigned bank, std::uint32_t row, base::Cycle at);

  /// Closes `bank` as soon as it may (automatic precharge); returns when that is.
  base::Cycle auto_precharge(unsigned bank);
  /// First cycle at or after `from` at which all banks may be precharged together.
  base::Cycle earliest_precharge_all(base::Cycle from) const;
  /// First cycle at or after `from` at which all banks, closed, may be refreshed.
  base::Cycle earliest_refresh(base::Cycle from) const;
  bool any_open() const;

 private:
  struct Bank {
    std::int64_t open_row = closed;
    base::Cycle activate = 0, precharge = 0, column = 0;
  };
  struct ColumnGate {
    base::Cycle read = 0, write = 0;
  };
  unsigned group_of(unsigned bank) const { return bank & group_mask_; }
  void after_read(unsigned bank, base::Cycle at);
  void after_write(unsigned bank, base::Cycle at);

  DramTiming timing_;
  base::Cycle burst_;
  std::vector<Bank> banks_;
  std::vector<ColumnGate> groups_;
  unsigned group_mask_;
  ColumnGate channel_;
  base::Cycle command_ = 0;              ///< the command bus takes one a cycle
  base::Cycle activate_ = 0;             ///< tRRD
  std::array<base::Cycle, 4> window_{};  ///< cycle after which tFAW allows the activate that overwrites the entry
  unsigned oldest_ = 0;
};

}  // namespace syncline::models
