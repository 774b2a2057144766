// One direction of a link between GPUs, or between a GPU and a switch: the sending end, which has the wire, and credits
// for the room at the receiving end (NvlinkRoom).
#pragma once

#include <systemc>

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/nvlink/link_credits.h"
#include "models/nvlink/link_end.h"
#include "models/transport/router.h"
#include "models/transport/traffic_counters.h"

namespace syncline::models {

/// Who is where behind a link, for statistics by pair: the nodes of each GPU are one port of `nodes`, named by `names`.
struct LinkPeers {
  Router nodes;
  std::vector<std::string> names;
};

/// Sends to the receiving end, which takes whatever comes. Messages wait by way and virtual network, each with credits
/// of its own, so that none blocks another one; they take turns on the wire. What is on the wire and in the receiver's
/// room never exceeds the credits. Messages of one way and virtual network keep their order.
///
/// The wire is held for bytes/bandwidth, which need not be whole cycles of the clock by which the sender looks at its
/// queues: a message follows another one without a gap. Messages that are ideal cross in a cycle, without wire or
/// credits.
class NvlinkPort : public LinkEnd, public LinkCredits {
 public:
  NvlinkPort(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const LinkSpec& spec,
             unsigned ways, unsigned virtual_networks, LinkPeers peers = {}, TickRank rank = TickRank::link);

  sc_core::sc_export<LinkCredits> credits{"credits"};

  base::Cycle tick(base::Cycle now) override;
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork, unsigned) override {}  // its own link is never busy
  void give_back(unsigned way, VirtualNetwork network, unsigned flits, std::uint64_t at_ps) override;

  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  /// Injected fault: the receiving end never gives these credits back. ModelError for more than there are now.
  void lose_credits(unsigned way, VirtualNetwork network, unsigned flits);

 private:
  struct Queued {
    Message* message;
    std::uint64_t arrived_ps;
  };
  struct Returning {
    std::uint64_t at_ps;
    unsigned flits;
  };
  /// A virtual network of a way.
  struct Network {
    unsigned way;
    VirtualNetwork number;
    boost::circular_buffer<Queued> waiting;
    unsigned flits = 0;  ///< that wait
    unsigned credits = 0;
    unsigned taken = 0;               ///< credits, by messages that the receiver has not taken
    std::deque<Returning> returning;  ///< credits on their way back
    std::uint64_t last_arrival_ps = 0;
  };

  unsigned flits(const Message& message) const { return flits_of(message.bytes, spec_.flit); }
  /// A message longer than all credits goes when all are there.
  bool may_go(const Network& network, unsigned flits) const {
    return network.credits >= flits || network.credits == spec_.credits;
  }
  void take_back_credits(std::uint64_t now_ps);
  /// Place of the network whose turn it is and whose head may go at `now_ps`; none: the number of networks.
  unsigned next_network(std::uint64_t now_ps) const;
  void send(unsigned place, std::uint64_t now_ps);
  std::string name_of(const Network& network) const { return LinkEnd::name_of(network.way, network.number); }
  void deliver(Network& network, Message& message, std::uint64_t arrival_ps);
  base::Cycle next_work(base::Cycle now) const;
  void register_observers();

  const double ps_per_byte_;
  const LinkPeers peers_;
  std::vector<Network> networks_;  ///< by LinkEnd::place
  unsigned turn_ = 0;
  double free_at_ps_ = 0;                  ///< when the wire is free; not rounded, so that the bandwidth is exact
  const MessageFamily* family_ = nullptr;  ///< of the message that moves until then, for waves
  std::uint8_t kind_ = 0;

  TrafficCounters traffic_;
  std::vector<base::Counter> bytes_to_;  ///< by place in `peers_`
  double busy_ps_ = 0;
  base::Counter refused_;
  base::Distribution queueing_;
};

}  // namespace syncline::models
