// The receiving end of one direction of a link: the room that the credits of its sending end (NvlinkPort) stand for.
#pragma once

#include <systemc>

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/nvlink/link_credits.h"
#include "models/nvlink/link_spec.h"
#include "models/nvlink/link_time.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// What comes in at one input leaves by the output of the same number when it has arrived, in the order of its way and
/// virtual network; one that the receiver refuses holds back these alone. A message gives its credits back when the
/// receiver has taken it; they are at the sending end a latency later.
///
/// An end hears of what the other one does a latency later (but of ideal messages, which cross in a cycle). So the ends
/// of a link may be in tiles that run side by side, and nothing else of what it joins meets.
class NvlinkRoom : public Block, public Ticked, public MessageReceiver, public MessageSender {
 public:
  /// As the sending end has them. `clock`: the receiver's.
  NvlinkRoom(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const LinkSpec& spec,
             unsigned ways, unsigned virtual_networks);

  MessageTarget& input(unsigned way) { return ways_.at(way)->input; }
  MessageInitiator& output(unsigned way) { return ways_.at(way)->output; }
  sc_core::sc_port<LinkCredits> credits{"credits"};

  base::Cycle tick(base::Cycle now) override;
  base::Cycle woken_by_tiles_in() const override { return time_.apart_cycles; }
  base::Cycle wakes_tiles_in() const override { return base::never; }
  std::uint64_t tells_lanes_in_ps() const override { return time_.tells_lanes_in_ps(); }
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned way) override;
  void on_ready(VirtualNetwork network, unsigned way) override;

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  struct Crossing {
    Message* message;
    std::uint64_t arrival_ps;
    unsigned flits;  ///< credits that it has taken
  };
  struct Way {
    Way(NvlinkRoom& owner, unsigned number);
    MessageTarget input;
    MessageInitiator output;
  };
  /// A virtual network of a way.
  struct Network {
    unsigned way;
    VirtualNetwork number;
    std::deque<Crossing> crossing;    ///< that has not arrived, or for which the receiver has not been ready
    Crossing offered{nullptr, 0, 0};  ///< that the receiver has refused so far
  };

  MessageInitiator& output(const Network& network) { return ways_[network.way]->output; }
  /// The cycle in which the receiver is told of who arrives then, or within it.
  base::Cycle cycle_of(const Crossing& crossing) const {
    return clock()->cycle_at_or_after_ps(crossing.arrival_ps + 1) - 1;
  }
  /// Passes on what arrives in `now` or has arrived; the next cycle in which there is somebody to pass on.
  base::Cycle pass_on(Network& network, base::Cycle now);
  void give_back(const Network& network, const Crossing& crossing, std::uint64_t taken_ps);

  const LinkSpec spec_;
  const LinkTime time_;
  std::vector<std::unique_ptr<Way>> ways_;
  const unsigned networks_of_way_;
  std::vector<Network> networks_;  ///< way * networks_of_way_ + network
};

}  // namespace syncline::models
