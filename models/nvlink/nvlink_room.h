// The receiving end of one direction of a link: the room that the credits of its sending end (NvlinkPort) stand for.
#pragma once

#include <systemc>

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "models/nvlink/link_credits.h"
#include "models/nvlink/link_end.h"

namespace syncline::models {

/// What comes is passed on when it has arrived, in the order of its way and virtual network; one that the receiver
/// refuses holds back these alone. A message gives its credits back when the receiver has taken it; they are at the
/// sending end a latency later.
class NvlinkRoom : public LinkEnd {
 public:
  /// As the sending end has them. `clock`: the receiver's.
  NvlinkRoom(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const LinkSpec& spec,
             unsigned ways, unsigned virtual_networks);

  sc_core::sc_port<LinkCredits> credits{"credits"};

  base::Cycle tick(base::Cycle now) override;
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
  /// A virtual network of a way.
  struct Network {
    unsigned way;
    VirtualNetwork number;
    std::deque<Crossing> crossing;    ///< that has not arrived, or for which the receiver has not been ready
    Crossing offered{nullptr, 0, 0};  ///< that the receiver has refused so far
  };

  /// The cycle in which the receiver is told of who arrives then, or within it.
  base::Cycle cycle_of(const Crossing& crossing) const {
    return clock()->cycle_at_or_after_ps(crossing.arrival_ps + 1) - 1;
  }
  /// Passes on what arrives in `now` or has arrived; the next cycle in which there is somebody to pass on.
  base::Cycle pass_on(Network& network, base::Cycle now);
  /// The same now, and has a turn then.
  void go_on(Network& network);
  void give_back(const Network& network, const Crossing& crossing, std::uint64_t taken_ps);

  std::vector<Network> networks_;  ///< by LinkEnd::place
};

}  // namespace syncline::models
