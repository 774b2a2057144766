// The share of an SM in KiloTM, WarpTM, WarpTM-EL and EAPG: logs of its warps, and the walk that commits them
// (protocols::warptm::WarpTransaction; Ren's thesis, 4.1).
//
// Loads read memory and are logged; stores are logged alone. When all lanes of an attempt have come to the end the logs
// are read from local memory, conflicts within the warp are resolved, and the logs go to the commit units, in the order
// of their commit IDs. The warp waits until all have replied, and what commits stands in memory.
#pragma once

#include <string>
#include <vector>

#include "base/taps.h"
#include "models/partition/home_map.h"
#include "models/transactions/transaction_core.h"
#include "models/transactions/transaction_listener.h"
#include "models/transactions/warptm/warptm_keys.h"
#include "models/transactions/warptm/warptm_messages.h"
#include "models/transactions/warptm/warptm_shared.h"
#include "protocols/transactions/warptm/warp_transaction.h"

namespace syncline::models {

class WarptmCore final : public TransactionCore {
 public:
  /// `first_warp`: number of the SM's first warp slot among those of the GPU.
  WarptmCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core, const WarptmKeys& keys,
             const TransactionPlace& place, std::uint32_t first_warp, const HomeMap& homes, WarptmShared& shared,
             GpuPlace gpu);

  bool excuses(unsigned slot, base::LaneMask lanes) override;
  void replied(std::uint32_t token, const Message& reply, base::Cycle now) override;
  /// Commit units have retired some.
  void tickets_are_free();

 private:
  using Warp = protocols::warptm::WarpTransaction;
  using LoggedWord = protocols::warptm::LoggedWord;
  /// What a reply is for, the upper bits of a token; below it the slot and a number.
  enum class Token : std::uint32_t { words, log, search, validated, written, hint };
  static constexpr unsigned number_bits = 16, slot_bits = 8;
  static std::uint32_t token(Token what, unsigned slot, std::uint32_t number) {
    return static_cast<std::uint32_t>(what) << (number_bits + slot_bits) | slot << number_bits | number;
  }
  /// A line that lanes load from, while it is on its way.
  struct Asked {
    KeptAccesses::Number kept = 0;
    base::LaneMask lanes = 0;
    base::ByteMask mask;
    base::LineAddress line;
  };
  /// Where a complete attempt stands before its logs are sent.
  enum class Step : std::uint8_t { none, read_logs, resolve, acquire };
  struct WarpState {
    WarpState(const protocols::warptm::WarptmSpec& spec, std::uint32_t number) : warp(spec, number) {}
    Warp warp;
    unsigned loads = 0;      ///< lines on their way
    unsigned log_lines = 0;  ///< so
    Step step = Step::none;
    base::Cycle resolved_at = 0;
    base::Cycle since = 0;                               ///< of the walk
    base::Cycle watched_at = 0;                          ///< next, if it still runs
    base::LaneMask held = 0;                             ///< lanes whose instruction waits for an end of a conflict
    protocols::warptm::Ticket first = 0;                 ///< commit IDs, and
    unsigned ids = 0;                                    ///< how many
    std::vector<TransactionListener::Attempt> attempts;  ///< by lane
  };

  bool may_begin(unsigned) const override { return true; }
  void begin(unsigned slot, base::LaneMask lanes) override;
  void access(LaneOffer& offer, base::LaneMask lanes, base::Cycle now) override;
  void arrived(unsigned slot, base::LaneMask lanes) override;
  base::Cycle go_on(base::Cycle now) override;

  base::LaneMask paused(const LaneOffer& offer, base::LaneMask lanes) const;
  base::LaneMask conflicting(const LaneOffer& offer, base::LaneMask lanes);
  void load(LaneOffer& offer, base::LaneMask lanes, base::Cycle now);
  void ask(unsigned slot, const Asked& asked, TransactionListener::Ticket told);
  void loaded(unsigned slot, std::uint32_t number, const Message& reply, base::Cycle now);
  void abort(unsigned slot, base::LaneMask lanes, protocols::warptm::AbortCause cause);
  base::LaneMask doomed(unsigned slot, base::LaneMask lanes);
  base::Cycle watch(unsigned slot, base::Cycle now);
  void walk_if_complete(unsigned slot);
  base::Cycle intra_warp_cycles(unsigned slot) const;
  void resolve(unsigned slot);
  void acquire(unsigned slot);
  void send(unsigned slot, unsigned partition, const protocols::warptm::Packet& packet);
  void send_words(unsigned slot, unsigned partition, TransactionKind kind, protocols::warptm::Ticket ticket,
                  const std::vector<LoggedWord>& words);
  Message& make(unsigned slot, unsigned partition, TransactionKind kind);
  void send_ticket(unsigned slot, unsigned partition, TransactionKind kind, const WarptmTicketBody& body, Token answer,
                   bool posted);
  void validated(unsigned slot, const Message& reply);
  void tell_commit(unsigned slot, protocols::warptm::Ticket ticket, base::LaneMask lanes);
  void end_if_done(unsigned slot);
  void listen();
  void stop_listening();
  void hear(unsigned unit, const Message& hint);
  bool listens() const { return base::has_taps && listener_ != nullptr; }

  const WarptmKeys& keys_;
  const HomeMap& homes_;
  const GpuPlace gpu_;
  WarptmShared& shared_;
  TransactionListener* const listener_;
  std::vector<WarpState> warps_;
  Numbered<Asked> asked_;
  protocols::warptm::ConflictTable conflicts_;
  bool wants_tickets_ = false;
  unsigned active_ = 0;          ///< attempts
  std::vector<bool> listening_;  ///< by partition: it has been asked for hints

  base::Counter forwarded_, silent_, paused_, log_messages_;
  base::Distribution commit_latency_, read_words_, written_words_;
};

}  // namespace syncline::models
