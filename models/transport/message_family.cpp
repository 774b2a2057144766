#include "models/transport/message_family.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/families/registry.h"
#include "models/transport/message_port.h"

namespace syncline::models {

/// The measures are the classes of the RCC thesis' figure 3.12.
const MessageFamily coherence_family{"coherence",
                                     "between L1s and homes; its kinds are the coherence policy's",
                                     {},
                                     {{name(MessageClass::load_request), "load"},
                                      {name(MessageClass::store_request), "store"},
                                      {name(MessageClass::atomic_request), "atomic"},
                                      {name(MessageClass::data_reply), "load"},
                                      {name(MessageClass::store_ack), "store"},
                                      {name(MessageClass::atomic_reply), "atomic"},
                                      {name(MessageClass::forward), "invalidate"},
                                      {name(MessageClass::invalidate), "invalidate"},
                                      {name(MessageClass::invalidate_ack), "invalidate"},
                                      {name(MessageClass::unblock), "invalidate"},
                                      {name(MessageClass::renew), "renew"},
                                      {name(MessageClass::control), "control"}},
                                     {}};

void set_kind(Message& message, const MessageFamily& family, std::uint8_t kind) {
  message.family = &family;
  message.kind = kind;
  message.message_class =
      family.kinds[kind].passage == Passage::as_store ? MessageClass::store_request : MessageClass::control;
}

std::string describe(const Message& message) {
  const MessageFamily& family = *message.family;
  if (&family == &coherence_family || message.kind >= family.kinds.size()) return name(message.message_class);
  return fmt::format("{} {}", family.name, family.kinds[message.kind].name);
}

MessageFamilies::MessageFamilies() {
  for (const MessageFamily* const family : message_families()) enter(*family);
}

void MessageFamilies::add(const MessageFamily& family) {
  enter(family);
  open(family);
}

void MessageFamilies::open(const MessageFamily& family) {
  Place& place = places_[number_of(family)];
  if (place.open) return;
  place.open = true;
  place.first_network = networks_;
  networks_ += static_cast<unsigned>(family.networks.size());
}

void MessageFamilies::enter(const MessageFamily& family) {
  for (const MessageFamily* const other : families_) {
    if (other->name == family.name)
      throw base::ModelError(fmt::format("two families of messages are called `{}`", family.name));
  }
  for (const TrafficName& traffic : family.traffic) {
    if (std::find(traffic_names_.begin(), traffic_names_.end(), traffic.name) != traffic_names_.end())
      throw base::ModelError(
          fmt::format("the traffic name `{}` of the family `{}` is taken", traffic.name, family.name));
  }
  families_.push_back(&family);
  places_.push_back({0, traffic_names_.size(), false});
  for (const TrafficName& traffic : family.traffic) traffic_names_.push_back(traffic.name);
}

std::vector<std::pair<std::uint64_t, std::string>> MessageFamilies::kind_names(
    const std::vector<std::string_view>& coherence_kinds) const {
  std::vector<std::pair<std::uint64_t, std::string>> names{{0, "-"}};
  for (const MessageFamily* const family : families_) {
    const bool own = family == &coherence_family;
    const std::size_t kinds = own ? coherence_kinds.size() : family->kinds.size();
    for (std::size_t kind = 0; kind < kinds; ++kind)
      names.emplace_back(kind_number(*family, static_cast<std::uint8_t>(kind)),
                         own ? coherence_kinds[kind] : family->kinds[kind].name);
  }
  return names;
}

unsigned MessageFamilies::networks(unsigned policy_networks) const {
  const unsigned all = policy_networks + networks_;
  if (all <= max_virtual_networks) return all;
  std::string owners;
  for (const MessageFamily* const family : families_) {
    if (place_of(*family).open && !family->networks.empty())
      owners += fmt::format("{}`{}` {}", owners.empty() ? "" : ", ", family->name, family->networks.size());
  }
  throw base::UserError(
      fmt::format("the coherence policy needs {} virtual networks, and families of messages {} ({}); "
                  "a link has {}",
                  policy_networks, networks_, owners, max_virtual_networks));
}

unsigned MessageFamilies::first_network(const MessageFamily& family) const {
  const Place& place = place_of(family);
  if (!place.open)
    throw base::ModelError(
        fmt::format("a message of the family `{}` is sent, which nobody has opened on this platform", family.name));
  return place.first_network;
}

const MessageFamilies::Place& MessageFamilies::place_of(const MessageFamily& family) const {
  return places_[number_of(family)];
}

std::size_t MessageFamilies::number_of(const MessageFamily& family) const {
  const auto found = std::find(families_.begin(), families_.end(), &family);
  if (found == families_.end())
    throw base::ModelError(fmt::format("this platform does not speak the message family `{}`", family.name));
  return static_cast<std::size_t>(found - families_.begin());
}

std::size_t MessageFamilies::traffic_of_another(const Message& message) const {
  const MessageFamily& family = *message.family;
  if (family.traffic.empty())
    throw base::ModelError(
        fmt::format("a message of the family `{}` is on a network, which it never crosses", family.name));
  return place_of(family).first_traffic + family.kinds.at(message.kind).traffic;
}

}  // namespace syncline::models
