// The commit unit of a memory partition in KiloTM, WarpTM, WarpTM-EL and EAPG: protocols::warptm::CommitUnit decides;
// here are its time, and its way to the L2. Loads of transactions pass here, too, to hear when a word was written last.
#pragma once

#include <boost/circular_buffer.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/sm/numbered.h"
#include "models/transactions/transaction_listener.h"
#include "models/transactions/transaction_unit.h"
#include "models/transactions/warptm/warptm_keys.h"
#include "models/transactions/warptm/warptm_messages.h"
#include "protocols/transactions/warptm/commit_unit.h"
#include "protocols/transactions/warptm/write_times.h"

namespace syncline::models {

/// In a cycle one message of a log comes in, each pointer passes one commit ID, and one validation and one write go to
/// the L2: of one word, with `coalescing` of all that an ID has in a line (reads) or in 32 bytes (writes).
class WarptmCommitUnit final : public TransactionUnit {
 public:
  /// Of the GPU.
  struct Cores {
    unsigned sms = 0, slots = 0;
  };
  WarptmCommitUnit(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock,
                   const WarptmKeys& keys, const protocols::CoherencePolicy& policy, const Cores& cores,
                   unsigned line_bytes, GpuPlace place);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> describe_waiting() const override;
  /// With the rows that its entries have taken.
  const protocols::warptm::EntryMachine& machine() const { return machine_; }

 private:
  using Unit = protocols::warptm::CommitUnit;
  using Ticket = protocols::warptm::Ticket;
  /// What the L2 has been asked for.
  struct Asked {
    Message* load = nullptr;        ///< of a transaction; or
    std::vector<Unit::Read> reads;  ///< to validate; or
    Unit::Write write;
  };
  struct Arrival {
    Message* message;
    base::Cycle at;
  };

  bool claims(const Message& request) const override { return request.family == &transaction_family; }
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;

  void take(base::Cycle now);
  void serve(Message& message, base::Cycle now);
  void load(Message& message, base::Cycle now);
  void pass(base::Cycle now);
  void validate(base::Cycle now);
  void write(base::Cycle now);
  void answered(Asked& asked, const Message& reply, base::Cycle at);
  void compared(const Asked& asked, const Message& reply);
  void listen(Message& message, base::Cycle now);
  void hint(const protocols::warptm::Broadcast& broadcast);
  void send_hints(base::Cycle now);
  TransactionListener::Attempt attempt_of(Ticket ticket, unsigned lane) const;
  void to_l2(base::LineAddress line, std::uint8_t kind, const base::ByteMask& mask, const base::LineData* data,
             Asked asked, base::Cycle now);
  std::size_t place(base::LineAddress line, std::uint64_t word) const { return word * 4 - line.value(); }
  base::LineAddress line_of(std::uint64_t word) const {
    return base::LineAddress(word * 4 / line_bytes() * line_bytes());
  }

  const WarptmKeys& keys_;
  const protocols::PlainAccess plain_;
  const unsigned slots_;
  TransactionListener* const listener_;
  protocols::warptm::EntryMachine machine_;
  Unit unit_;
  protocols::warptm::WriteTimes times_;
  protocols::warptm::ReferenceCounts counts_;
  boost::circular_buffer<Arrival> arrived_;
  std::unordered_map<Ticket, Message*> to_reply_, to_tell_;  ///< ends of logs, and outcomes, that are to be answered
  struct Hints {
    Message* listens = nullptr;  ///< is answered with what there is
    protocols::warptm::Broadcast waiting;
  };
  std::vector<Hints> hints_;  ///< by core
  Numbered<Asked> asked_;
  bool moves_ = false;

  base::Counter messages_, loads_, ids_, failed_, hazards_, validated_, written_, hints_sent_;
  base::Distribution in_ring_;
};

}  // namespace syncline::models
