#include "models/nvlink/nvlink_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "models/clock/lane.h"
#include "models/clock/turn.h"
#include "models/transport/delay_until.h"

namespace syncline::models {

NvlinkPort::NvlinkPort(const sc_core::sc_module_name& module_name, PlatformContext& context, ClockDomain& clock,
                       const LinkSpec& spec, unsigned ways, unsigned virtual_networks, LinkPeers peers, TickRank rank)
    : LinkEnd(module_name, context, clock, spec, ways, virtual_networks),
      ps_per_byte_(1e12 / spec.bandwidth),
      peers_(std::move(peers)),
      networks_(std::size_t{ways} * virtual_networks),
      traffic_(context.families),
      bytes_to_(peers_.names.size()) {
  if (peers_.names.size() != peers_.nodes.ports())
    throw base::ModelError(fmt::format("{}: {} names for {} groups of nodes behind it", name(), peers_.names.size(),
                                       peers_.nodes.ports()));
  for (unsigned i = 0; i < networks_.size(); ++i) {
    Network& network = networks_[i];
    network.way = i / virtual_networks;
    network.number = static_cast<VirtualNetwork>(i % virtual_networks);
    network.waiting.set_capacity(spec_.queue);
    network.credits = spec_.credits;
  }
  credits.bind(*this);
  register_observers();
  clock.add(*this, rank, name());
}

void NvlinkPort::register_observers() {
  traffic_.add_to(context().statistics, name());
  for (std::size_t i = 0; i < bytes_to_.size(); ++i)
    statistic("bytes_to_" + peers_.names[i], "bytes", "bytes for nodes there, headers included", bytes_to_[i]);
  statistic("refused", "messages", "messages that found the sending end's queue full and waited before it", refused_);
  statistic("queueing", "cycles", "wait at the sending end, for the wire or for credits", queueing_);
  gauge("utilisation", "ratio", "share of time in which the wire moved data", [this] {
    const auto now = static_cast<double>(now_ps());
    return now == 0 ? 0 : std::min(busy_ps_, now) / now;
  });
  const auto waiting = [this] {
    std::uint64_t sum = 0;
    for (const Network& network : networks_) sum += network.flits;
    return sum;
  };
  traced("nvlink", "queued_flits", 32, waiting, {Changes::with_block});
  for (unsigned i = 0; i < networks_.size(); ++i) {
    traced("nvlink", fmt::format("credits{}_{}", i / networks_of_way_, i % networks_of_way_), 32,
           [this, i] { return std::uint64_t{networks_[i].credits}; }, {Changes::with_block});
  }
  const auto moving = [this] {
    const bool is_moving = family_ != nullptr && free_at_ps_ > static_cast<double>(clock()->ps_of(clock()->now()));
    return is_moving ? context().families.kind_number(*family_, kind_) : 0;
  };
  traced("nvlink", "message", 16, moving, {Changes::until_zero, context().message_names, true});
}

bool NvlinkPort::receive(Message& message, const sc_core::sc_time& arrival, unsigned way) {
  if (message.network >= networks_of_way_)
    throw base::ModelError(fmt::format("{}: a {} message for virtual network {}, but there are only {}", name(),
                                       describe(message), message.network, networks_of_way_));
  Network& network = networks_[place(way, message.network)];
  if (message.ideal) {
    traffic_.count_ideal(message);
    ++tile().progress;
    const std::uint64_t crossed_ps = clock()->ps_of(clock()->cycle_at_or_after(arrival) + 1);
    deliver(network, message, crossed_ps);
    return true;
  }
  const unsigned size = flits(message);
  // A message longer than the queue goes through it alone.
  if (network.flits != 0 && network.flits + size > spec_.queue) {
    refused_.add();
    return false;
  }
  network.flits += size;
  network.waiting.push_back({&message, arrival.value()});
  wake(clock()->cycle_at_or_after(arrival));
  return true;
}

base::Cycle NvlinkPort::tick(base::Cycle now) {
  const std::uint64_t now_ps = clock()->ps_of(now), next_ps = clock()->ps_of(now + 1);
  take_back_credits(now_ps);
  while (free_at_ps_ < static_cast<double>(next_ps)) {
    const unsigned network = next_network(now_ps);
    if (network == networks_.size()) break;
    send(network, now_ps);
  }
  return next_work(now);
}

void NvlinkPort::take_back_credits(std::uint64_t now_ps) {
  for (Network& network : networks_) {
    for (; !network.returning.empty() && network.returning.front().at_ps <= now_ps; network.returning.pop_front())
      network.credits += network.returning.front().flits;
  }
}

unsigned NvlinkPort::next_network(std::uint64_t now_ps) const {
  const auto count = static_cast<unsigned>(networks_.size());
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = (turn_ + i) % count;
    const Network& network = networks_[at];
    if (network.waiting.empty() || network.waiting.front().arrived_ps > now_ps) continue;
    if (may_go(network, flits(*network.waiting.front().message))) return at;
  }
  return count;
}

void NvlinkPort::send(unsigned place, std::uint64_t now_ps) {
  Network& network = networks_[place];
  const Queued head = network.waiting.front();
  network.waiting.pop_front();
  Message& message = *head.message;
  // One that is longer than all credits takes them all.
  const unsigned size = flits(message), taken = std::min(size, network.credits);
  network.flits -= size;
  network.credits -= taken;
  network.taken += taken;
  turn_ = (place + 1) % static_cast<unsigned>(networks_.size());

  const double start_ps = std::max(free_at_ps_, static_cast<double>(now_ps)), wire_ps = message.bytes * ps_per_byte_;
  free_at_ps_ = start_ps + wire_ps;
  busy_ps_ += wire_ps;
  family_ = message.family;
  kind_ = message.kind;
  traffic_.count(message, size);
  if (const unsigned peer = peers_.nodes.port(message.destination); peer != Router::nowhere)
    bytes_to_[peer].add(message.bytes);
  queueing_.sample(clock()->cycle_at_or_after_ps(now_ps) - clock()->cycle_at_or_after_ps(head.arrived_ps));
  ++tile().progress;

  deliver(network, message, static_cast<std::uint64_t>(std::ceil(free_at_ps_)) + time_.latency_ps);
  // The place in the queue is free: a sender that waits gets its END_REQ now.
  input(network.way).resume(network.number);
}

void NvlinkPort::deliver(Network& network, Message& message, std::uint64_t arrival_ps) {
  network.last_arrival_ps = std::max(arrival_ps, network.last_arrival_ps);
  const sc_core::sc_time arrival = sc_core::sc_time::from_value(network.last_arrival_ps);
  if (!output(network.way).send(message, delay_until(arrival)))
    throw base::ModelError(fmt::format("{}: the receiving end has refused a message that it has room for", name()));
}

void NvlinkPort::give_back(unsigned way, VirtualNetwork number, unsigned flits, std::uint64_t at_ps) {
  in_order(tile().lane(), [this, at = place(way, number), flits, at_ps] {
    Network& network = networks_[at];
    network.taken -= flits;
    network.returning.push_back({at_ps, flits});
    if (!network.waiting.empty()) wake(clock()->cycle_at_or_after_ps(at_ps));
  });
}

base::Cycle NvlinkPort::next_work(base::Cycle now) const {
  base::Cycle next = base::never;
  for (const Network& network : networks_) {
    if (network.waiting.empty()) continue;
    const Queued& head = network.waiting.front();
    base::Cycle at = clock()->cycle_at_or_after_ps(head.arrived_ps);
    if (may_go(network, flits(*head.message))) {
      // The cycle in which the wire becomes free.
      const base::Cycle behind = clock()->cycle_at_or_after_ps(static_cast<std::uint64_t>(free_at_ps_) + 1);
      at = std::max(at, behind == 0 ? behind : behind - 1);
    } else if (!network.returning.empty()) {
      at = std::max(at, clock()->cycle_at_or_after_ps(network.returning.front().at_ps));
    } else {
      continue;  // a credit that comes back wakes
    }
    next = std::min(next, std::max(at, now + 1));
  }
  return next;
}

void NvlinkPort::lose_credits(unsigned way, VirtualNetwork number, unsigned flits) {
  Network& network = networks_.at(place(way, number));
  if (network.credits < flits)
    throw base::ModelError(
        fmt::format("{}: {} credits cannot be lost, there are {}", name_of(network), flits, network.credits));
  network.credits -= flits;
}

std::vector<std::string> NvlinkPort::check_end_of_run() const {
  std::vector<std::string> lines = describe_waiting();
  for (const Network& network : networks_) {
    std::uint64_t there = network.credits + network.taken;
    for (const Returning& returning : network.returning) there += returning.flits;
    if (there != spec_.credits)
      lines.push_back(fmt::format("{}: {} of {} credits have not come back", name_of(network), spec_.credits - there,
                                  spec_.credits));
  }
  return lines;
}

std::vector<std::string> NvlinkPort::describe_waiting() const {
  std::vector<std::string> lines;
  for (const Network& network : networks_) {
    if (!network.waiting.empty()) {
      const Message& head = *network.waiting.front().message;
      lines.push_back(
          fmt::format("{}: {} messages wait, the first is a {} of line {:#x} for {}; {} of {} credits are there",
                      name_of(network), network.waiting.size(), describe(head), head.line.value(),
                      models::name(head.destination), network.credits, spec_.credits));
    }
  }
  return lines;
}

}  // namespace syncline::models
