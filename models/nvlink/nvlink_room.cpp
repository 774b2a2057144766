#include "models/nvlink/nvlink_room.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/clock/lane.h"
#include "models/clock/turn.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

NvlinkRoom::NvlinkRoom(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock,
                       const LinkSpec& spec, unsigned ways, unsigned virtual_networks)
    : LinkEnd(module_name, context, clock, spec, ways, virtual_networks) {
  for (unsigned way = 0; way < ways; ++way) {
    for (unsigned network = 0; network < virtual_networks; ++network)
      networks_.push_back({way, static_cast<VirtualNetwork>(network), {}, {nullptr, 0, 0}});
  }
  clock.add(*this, TickRank::link_room, name());
}

bool NvlinkRoom::receive(Message& message, const sc_core::sc_time& arrival, unsigned way) {
  // In the turn of the sending end, which may be ahead of this one.
  in_order(tile().lane(), [this, &message, arrival_ps = arrival.value(), way] {
    Network& network = networks_[place(way, message.network)];
    const unsigned flits = message.ideal ? 0 : std::min(flits_of(message.bytes, spec_.flit), spec_.credits);
    network.crossing.push_back({&message, arrival_ps, flits});
    if (network.crossing.size() == 1) go_on(network);
  });
  return true;
}

base::Cycle NvlinkRoom::tick(base::Cycle now) {
  base::Cycle next = base::never;
  for (Network& network : networks_) next = std::min(next, pass_on(network, now));
  return next;
}

base::Cycle NvlinkRoom::pass_on(Network& network, base::Cycle now) {
  MessageInitiator& onward = output(network.way);
  while (!network.crossing.empty() && onward.ready(network.number)) {
    const Crossing first = network.crossing.front();
    if (cycle_of(first) > now) return cycle_of(first);
    network.crossing.pop_front();
    if (onward.send(*first.message, delay_until(sc_core::sc_time::from_value(first.arrival_ps))))
      give_back(network, first, std::max(now_ps(), first.arrival_ps));  // it may have waited behind another one
    else
      network.offered = first;
  }
  return base::never;  // a receiver that takes what it has refused wakes
}

void NvlinkRoom::on_ready(VirtualNetwork number, unsigned way) {
  Network& network = networks_[place(way, number)];
  give_back(network, network.offered, std::max(now_ps(), network.offered.arrival_ps));
  network.offered = {nullptr, 0, 0};
  go_on(network);
}

void NvlinkRoom::go_on(Network& network) {
  const base::Cycle next = pass_on(network, clock()->now());
  if (next != base::never) wake(next);
}

void NvlinkRoom::give_back(const Network& network, const Crossing& crossing, std::uint64_t taken_ps) {
  if (crossing.flits != 0) credits->give_back(network.way, network.number, crossing.flits, taken_ps + time_.latency_ps);
}

std::vector<std::string> NvlinkRoom::describe_waiting() const {
  std::vector<std::string> lines;
  for (const Network& network : networks_) {
    const std::string of = name_of(network.way, network.number);
    if (network.offered.message != nullptr) {
      lines.push_back(
          fmt::format("{}: the receiver does not take a message, {} more behind it", of, network.crossing.size()));
    } else if (!network.crossing.empty()) {
      const Message& first = *network.crossing.front().message;
      lines.push_back(fmt::format("{}: {} messages are on the wire, the first is a {} of line {:#x} for {}", of,
                                  network.crossing.size(), describe(first), first.line.value(),
                                  models::name(first.destination)));
    }
  }
  return lines;
}

}  // namespace syncline::models
