// GETM's commit unit of a memory partition (Ren's thesis, 4.5.3): takes logs, coalesces what a warp has written to a
// granule, and gives it, region after region, to the validation unit behind it and to the L2.
#pragma once

#include <vector>

#include "models/transactions/getm/getm_messages.h"
#include "models/transactions/getm/getm_spec.h"
#include "models/transactions/transaction_unit.h"
#include "protocols/transactions/getm/commit_unit.h"

namespace syncline::models {

/// Claims logs (transaction_family). The last message of a log is answered when all of it stands in the L2.
class GetmCommitUnit final : public TransactionUnit {
 public:
  GetmCommitUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                 const GetmKeys& keys, const protocols::CoherencePolicy& policy, unsigned line_bytes);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> describe_waiting() const override;

 private:
  /// Of an attempt.
  struct Log {
    std::uint32_t who = 0;
    unsigned regions = 0;         ///< that are not applied
    Message* answered = nullptr;  ///< its last message; null: it has not come
    NodeId requester;
    base::WarpSlot warp;
    base::Cycle since = 0;
  };

  bool claims(const Message& request) const override;
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;
  void on_replied() override;

  protocols::getm::WarpLog entries_of(const Message& message) const;
  Log& log_of(std::uint32_t who);
  void commit(base::Cycle now);
  void finish_if_done(Log& log, base::Cycle at);

  const GetmKeys& keys_;
  protocols::getm::CommitUnit unit_;
  std::vector<Log> logs_;
  base::Cycle busy_until_ = 0;

  base::Counter messages_, regions_, bytes_, full_;
  base::Distribution waiting_, residence_;
};

}  // namespace syncline::models
