// The controller of one DRAM channel: requests in, commands out, cycle by cycle where something happens. Plain C++; the
// SystemC block around it is models/dram/dram.h.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/stats.h"
#include "models/dram/dram_address.h"
#include "models/dram/request_order.h"
#include "models/dram/timing_state.h"

namespace syncline::models {

/// Hears when the last data of a request are on the bus.
class DramCompletion {
 public:
  virtual ~DramCompletion() = default;
  /// `request` leaves the queue now; its last data have passed the bus at `data_end` (a cycle to come).
  virtual void on_scheduled(const DramRequest& request, base::Cycle data_end) = 0;
  /// True while nobody can take another answer: no column commands are issued.
  virtual bool answers_blocked() const = 0;
};

class DramChannel {
 public:
  DramChannel(const DramSpec& spec, DramCompletion& completion) : DramChannel(spec, completion, spec.timing.t_refi) {}
  /// The first refresh is due in cycle `first_refresh`; without refresh that says nothing.
  DramChannel(const DramSpec& spec, DramCompletion& completion, base::Cycle first_refresh);

  bool full() const { return free_.empty(); }
  bool empty() const { return queued() == 0; }
  std::size_t queued() const { return slots_.size() - free_.size(); }
  /// Puts a request for bytes [address, address + bytes) into the queue, which must not be full.
  void add(std::uint32_t tag, bool write, std::uint64_t address, std::uint32_t bytes, base::Cycle now);
  /// Issues what may be issued at `now`; returns the next cycle at which there is something to do, or base::never.
  base::Cycle step(base::Cycle now);

  void listen(DramCommandListener* listener) { listener_ = listener; }
  /// Requests that wait, oldest first.
  std::vector<DramRequest> waiting() const;

  struct Statistics {
    base::Counter row_hits, row_misses, row_conflicts, activates, precharges, refreshes, data_cycles;
  };
  const Statistics& statistics() const { return statistics_; }
  bool row_is_open(unsigned bank) const { return timing_.open_row(bank) != DramTimingState::closed; }
  std::int64_t open_row(unsigned bank) const { return timing_.open_row(bank); }  ///< only where one is
  std::size_t queued(unsigned bank) const { return banks_[bank].size(); }

 private:
  void refresh_until(base::Cycle now);
  void collect(base::Cycle now);  ///< brings candidates_ up to date
  const std::vector<DramCandidate>& allowed_candidates();
  /// How long the candidate of a bank holds, as long as nothing joins or leaves it and its row stays as it is.
  struct Next {
    base::Cycle allowed = 0;  ///< by the bank, and the request is here
    base::Cycle until = 0;    ///< ask again from here on
  };
  /// Makes the candidate of its bank the one that is next now.
  Next next_of(base::Cycle now, DramCandidate& candidate) const;
  void changed(std::uint32_t bank) { next_[bank].until = collected_until_ = 0; }
  void issue(DramCandidate candidate, base::Cycle now);
  void issue_column(const DramCandidate& candidate, base::Cycle now);
  void join_bank(std::uint32_t slot);
  void leave_bank(std::uint32_t slot, std::uint32_t bank);
  bool row_is_wanted(std::uint32_t bank, std::int64_t row) const;
  void tell(base::Cycle cycle, DramCommandKind kind, std::uint32_t bank, std::uint32_t row = 0,
            std::uint32_t column = 0);

  const DramSpec spec_;
  DramAddressing addressing_;
  DramTimingState timing_;
  std::unique_ptr<RequestOrder> order_;
  DramCompletion& completion_;
  DramCommandListener* listener_ = nullptr;
  std::vector<DramRequest> slots_;
  std::vector<std::uint32_t> free_;
  std::vector<std::vector<std::uint32_t>> banks_;  ///< slots by bank, oldest first
  std::vector<Next> next_;                         ///< by bank
  std::vector<DramCandidate> candidates_;          ///< of the banks with requests
  std::vector<DramCandidate> unblocked_;           ///< of them, while answers are blocked
  base::Cycle collected_until_ = 0;                ///< they hold as long as nothing changes, but not from here on
  std::uint64_t next_sequence_ = 0;
  base::Cycle next_refresh_;
  Statistics statistics_;
};

}  // namespace syncline::models
