// What is one for all cores of a GPU in WarpTM and its variants: the counter of commit IDs, and with WarpTM-EL the
// ideal view of what all transactions have accessed.
#pragma once

#include <deque>
#include <vector>

#include "models/block/block.h"
#include "models/transactions/transaction_listener.h"
#include "models/transactions/warptm/warptm_keys.h"
#include "protocols/transactions/warptm/running.h"
#include "protocols/transactions/warptm/tickets.h"

namespace syncline::models {

class WarptmCore;

class WarptmShared final : public Block {
 public:
  WarptmShared(const sc_core::sc_module_name& name, PlatformContext& context, const WarptmKeys& keys);
  /// Once for each core, before simulation starts.
  void add(WarptmCore& core) { cores_.push_back(&core); }

  bool may_take(unsigned count) const { return tickets_.may_take(count); }
  protocols::warptm::Ticket take(unsigned count);
  /// A core knows that nothing comes of a commit ID any more. At the units its outcome may still be on its way.
  void over(protocols::warptm::Ticket ticket);
  /// Something may be written that belongs together.
  bool commits_are_under_way() const { return !over_.empty(); }

  protocols::warptm::RunningAccesses& running() { return running_; }

  /// What TransactionListener knows a read by: another number each time.
  TransactionListener::Ticket next_read() { return ++reads_; }

 private:
  protocols::warptm::Tickets tickets_;
  protocols::warptm::RunningAccesses running_;
  std::deque<bool> over_;  ///< by commit ID, from the oldest that is not over on
  protocols::warptm::Ticket oldest_ = protocols::warptm::first_ticket;
  TransactionListener::Ticket reads_ = 0;
  std::vector<WarptmCore*> cores_;
  base::Counter given_;
};

}  // namespace syncline::models
