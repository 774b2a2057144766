// A transactor for a module in RTL that is a unit of a partition: it claims a family of messages, asks the L2 behind it
// by plain loads and stores, and answers.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/cache/sent_messages.h"
#include "models/partition/home_map.h"
#include "models/partition/partition_unit.h"
#include "models/partition/plain_access.h"
#include "models/transactor/pins.h"
#include "models/transactor/tagged_requests.h"
#include "protocols/coherence/engine/policy.h"

namespace syncline::models {

/// Where the unit is to stand, and whose messages it is to see. What it refers to outlives the unit.
struct RtlPartitionSite {
  PlatformContext& context;
  ClockDomain& clock;
  const protocols::CoherencePolicy& policy;  ///< UserError where it has no plain access
  base::PartitionId partition;
  const HomeMap& homes;
  unsigned line_bytes;
  const MessageFamily& family;
  GpuPlace place{};
};

/// Messages of the family become requests of models/rtl/partition_pins.sv, in the order of their arrival; what the
/// module asks becomes messages to the home, and what the home says comes back with the number that the module gave it.
/// Other messages pass through. One message a cycle goes in and out of each channel.
class RtlPartitionUnit final : public PartitionUnit, public Ticked {
 public:
  /// `what`: "a Z-unit", for the error of a policy that does not let it read and write beside the home.
  RtlPartitionUnit(const sc_core::sc_module_name& name, const RtlPartitionSite& site, const std::string& what,
                   const MakePins<PartitionPins>& pins);

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  enum class AskKind : std::uint8_t { load, store, pass_on };

  bool claims(const Message& request) const override { return request.family == &site_.family; }
  bool accept(Message& request, const sc_core::sc_time& arrival) override;
  bool accept_reply(Message& reply, const sc_core::sc_time& arrival) override;
  void on_can_forward(VirtualNetwork network) override;
  void on_can_reply(VirtualNetwork network) override;

  std::uint8_t kind_of_ask(AskKind kind) const { return kind == AskKind::load ? plain_.load : plain_.store; }
  void ask();
  void answer();
  void send_ask();
  void send_answer();
  Message& release(std::uint64_t tag);

  const RtlPartitionSite site_;
  const protocols::PlainAccess plain_;
  const NodeId home_;
  const std::unique_ptr<PartitionPins> pins_;
  TaggedRequests in_module_;
  bool offered_ = false;
  base::Cycle offered_at_ = 0;  ///< when the request at the pins has arrived
  struct Told {
    Message* message;
    base::Cycle at;
  };
  std::deque<Told> told_;                              ///< what the L2 has said; no more than was asked
  Message *to_l2_ = nullptr, *to_sm_ = nullptr;        ///< what the module has given, until there is room on the link
  bool own_ask_next_ = true, own_answer_next_ = true;  ///< whose turn on a link that has become free
  std::size_t asked_ = 0;                              ///< of the L2 and not told yet

  base::Counter requests_, asks_, passed_on_, answers_, clocked_;
  base::Distribution residence_;
  SentMessages sent_;
};

}  // namespace syncline::models
