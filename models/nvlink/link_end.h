// What both ends of a link are: NvlinkPort sends, NvlinkRoom receives.
#pragma once

#include <systemc>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/block/block.h"
#include "models/nvlink/link_spec.h"
#include "models/nvlink/link_time.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// A link carries several ways, as the requests of a GPU's SMs and the answers of its homes: what comes in at one input
/// leaves by the output of the same number.
///
/// An end hears of what the other one does a latency later (but of ideal messages, which cross in a cycle). So the ends
/// of a link may be in tiles that run side by side, and nothing else of what it joins meets.
class LinkEnd : public Block, public Ticked, public MessageReceiver, public MessageSender {
 public:
  MessageTarget& input(unsigned way) { return ways_.at(way)->input; }
  MessageInitiator& output(unsigned way) { return ways_.at(way)->output; }

  base::Cycle woken_by_tiles_in() const final { return time_.apart_cycles; }
  base::Cycle wakes_tiles_in() const final { return base::never; }
  std::uint64_t tells_lanes_in_ps() const final { return time_.tells_lanes_in_ps(); }

 protected:
  /// `clock`: of what is at this end. `virtual_networks`: of each way, 1 to max_virtual_networks.
  LinkEnd(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const LinkSpec& spec,
          unsigned ways, unsigned virtual_networks);

  /// Of a virtual network of a way, among all of the end.
  unsigned place(unsigned way, VirtualNetwork network) const { return way * networks_of_way_ + network; }
  /// For messages to users.
  std::string name_of(unsigned way, VirtualNetwork network) const;

  const LinkSpec spec_;
  const LinkTime time_;
  const unsigned networks_of_way_;

 private:
  struct Way {
    Way(LinkEnd& owner, unsigned number);
    MessageTarget input;
    MessageInitiator output;
  };
  std::vector<std::unique_ptr<Way>> ways_;
};

}  // namespace syncline::models
