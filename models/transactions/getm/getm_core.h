// The share of an SM in GETM: the logical times of its warps, the requests of their transactions to the validation
// units, and their logs (Ren's thesis, 4.4.1, 4.5.1).
//
// An attempt ends as soon as all its lanes have come to the end or have aborted and everything is answered: what has
// got so far commits. The warp's write log is read from local memory, goes to the commit units, and the warp goes on.
// What it does outside of transactions waits until its commits stand in memory: it must see what it has written.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/taps.h"
#include "models/partition/home_map.h"
#include "models/sm/seams/issue_gate.h"
#include "models/transactions/getm/getm_messages.h"
#include "models/transactions/getm/getm_spec.h"
#include "models/transactions/transaction_core.h"
#include "models/transactions/transaction_listener.h"
#include "protocols/transactions/getm/warp_transaction.h"

namespace syncline::models {

class GetmRollover;

class GetmCore final : public TransactionCore, public IssueGate {
 public:
  /// `first_warp`: number of the SM's first warp slot among those of the GPU.
  GetmCore(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& core, const GetmKeys& keys,
           const TransactionPlace& place, std::uint32_t first_warp, const HomeMap& homes, GetmRollover& rollover,
           GpuPlace gpu);

  void replied(std::uint32_t token, const Message& reply, base::Cycle now) override;

  // IssueGate
  std::vector<std::string_view> reasons() const override { return {"commit"}; }
  Verdict check(const IssueQuery& query) override;
  void attach(IssueControl& control) override { issue_ = &control; }
  using TransactionCore::attach;

  // For the rollover of timestamps.
  /// All units have stopped.
  void stop();
  /// All time begins anew, at the units already.
  void restart();
  /// Tells all partitions, through the network; GetmRollover hears of it when the last has answered.
  void tell_units(TransactionKind what);

 private:
  using Warp = protocols::getm::WarpTransaction;
  /// What a reply is for, the upper bits of a token; below it the slot and a number.
  enum class Token : std::uint32_t { request, log, committed, search, unit };
  static constexpr unsigned number_bits = 16, slot_bits = 8;
  static std::uint32_t token(Token what, unsigned slot, std::uint32_t number) {
    return static_cast<std::uint32_t>(what) << (number_bits + slot_bits) | slot << number_bits | number;
  }
  /// A request of a warp, by its label.
  struct Asked {
    KeptAccesses::Number kept = 0;
    base::LaneMask lanes = 0;
    base::LineAddress line;
    base::ByteMask mask;
  };
  struct Committing {
    base::LaneMask lanes = 0;
    unsigned logs = 0;  ///< partitions that have not answered
    base::Cycle since = 0;
    std::vector<TransactionListener::Attempt> attempts;
  };
  struct WarpState {
    WarpState(const protocols::getm::GetmSpec& spec, std::uint32_t number, std::uint32_t tags)
        : warp(spec, number), committing(tags) {}
    Warp warp;
    std::vector<Asked> asked;
    std::vector<Committing> committing;  ///< by tag
    unsigned logs = 0;                   ///< of all tags
    unsigned log_lines = 0;              ///< that are still to be read before the attempt can end
    bool log_asked = false;
    std::vector<TransactionListener::Attempt> attempts;  ///< by lane
  };

  bool may_begin(unsigned slot) const override { return warps_[slot].warp.may_begin(); }
  void begin(unsigned slot, base::LaneMask lanes) override;
  void access(LaneOffer& offer, base::LaneMask lanes, base::Cycle now) override;
  void arrived(unsigned slot, base::LaneMask lanes) override;

  static std::vector<Warp::Touch> touches(const LaneOffer& offer, base::LaneMask lanes);
  /// Lanes that find words in their own log; bytes of them go to `kept`.
  base::LaneMask forward(unsigned slot, const LaneOffer& offer, KeptAccesses::Number kept, base::LaneMask lanes);
  void send_request(unsigned slot, const protocols::getm::Request& request, const Asked& asked);
  void answered(unsigned slot, std::uint32_t label, const Message& reply, base::Cycle now);
  void tell_values(unsigned slot, const Asked& asked, base::LaneMask lanes, const Message& reply);
  void abort(unsigned slot, base::LaneMask lanes, protocols::getm::AbortCause cause);
  void end_if_complete(unsigned slot);
  void end(unsigned slot);
  void send_logs(unsigned slot, const Warp::Ended& ended);
  void send_log(unsigned slot, const GetmLogBody& body, base::LineAddress line, const base::ByteMask& mask,
                const base::LineData& data);
  void log_applied(unsigned slot, std::uint32_t who);
  void committed(unsigned slot, unsigned tag);
  void stopped_if_all();

  protocols::getm::Timestamp latest() const;  ///< time of any warp of the SM
  unsigned tag_of(std::uint32_t who) const { return who % keys_.machine.attempt_tags; }
  bool listens() const { return base::has_taps && listener_ != nullptr; }

  const GetmKeys& keys_;
  const HomeMap& homes_;
  const GpuPlace gpu_;
  GetmRollover& rollover_;
  TransactionListener* const listener_;
  IssueControl* issue_ = nullptr;
  std::vector<WarpState> warps_;
  bool stopping_ = false, stop_told_ = false;
  unsigned units_told_ = 0;

  base::Counter requests_, forwarded_, log_messages_;
  base::Distribution commit_latency_;
};

}  // namespace syncline::models
