// Families of messages: each declares its kinds, virtual networks, sizes and traffic names in one table, from which
// networks count, errors speak, measures add up and `syncline list messages` prints.
//
// The caches speak two families, with each other (coherence) and with their SMs (models/sm/l1_interface.h). A message
// of any other family goes by them: an L1 sends it to the home of its line, a unit before that home claims it, answers
// it, and the L1 hands the answer to its SM. No family knows another's fields.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/transport/message.h"
#include "protocols/coherence/engine/message_kind.h"

namespace syncline::models {

/// A name under which networks count messages: "messages_<name>", "flits_<name>", "bytes_<name>", "energy_<name>".
struct TrafficName {
  std::string_view name;
  /// The measure of `syncline compare` that the flits are a part of: "traffic_<measure>". Empty: of none.
  std::string_view measure;
};

/// What an L1 makes of a message that is not its own.
enum class Passage : std::uint8_t {
  by,       ///< nothing: it goes on
  as_store  ///< a store to its line, of which the family says what becomes of it behind the L1. The L1 does to its copy
            ///< what the coherence policy says, and the policy's acknowledgement is the answer
};

struct FamilyKind {
  std::string_view name;
  std::uint8_t network = 0;  ///< place in MessageFamily::networks; of Passage::as_store none, it takes the store's
  protocols::Payload payload = protocols::Payload::none;  ///< what it carries of the line
  std::uint16_t body_bytes = 0;                           ///< and of the family's own, on the wire
  std::uint8_t traffic = 0;                               ///< place in MessageFamily::traffic
  Passage passage = Passage::by;
  std::string_view meaning;
};

/// One object for each family, which outlives all messages; a message names its family by the object's address.
struct MessageFamily {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> networks;  ///< virtual networks of its own, what each carries
  std::vector<TrafficName> traffic;        ///< empty: its messages cross no network
  std::vector<FamilyKind> kinds;           ///< by Message::kind; those of coherence are the policy's
};

/// Makes `message` one of the family on its way from an SM to the home of `message.line`.
void set_kind(Message& message, const MessageFamily& family, std::uint8_t kind);

/// What a message is called in errors: "load_request" of the caches' own, else "depth write".
std::string describe(const Message& message);

/// The families that a platform speaks: those of the library (models/families), whose networks are there once somebody
/// has opened them, and what a program adds.
class MessageFamilies {
 public:
  MessageFamilies();

  /// And opens it. Before blocks are made. ModelError where the family or one of its traffic names is there already.
  void add(const MessageFamily& family);
  /// Makes room for the virtual networks of a family of the library, which has none before somebody speaks it. Before
  /// networks are made; again is nothing.
  void open(const MessageFamily& family);
  const std::vector<const MessageFamily*>& all() const { return families_; }

  /// Virtual networks of all families beside those of the coherence policy, behind which they are numbered.
  unsigned networks() const { return networks_; }
  /// All virtual networks, behind `policy_networks` of the coherence policy. UserError: more than a link has.
  unsigned networks(unsigned policy_networks) const;
  /// The first of the family's own among them. ModelError for a family that the platform does not speak, or that has
  /// not been opened.
  unsigned first_network(const MessageFamily& family) const;

  /// For waves: a number above 0 for a kind of message among those of all families.
  std::uint64_t kind_number(const MessageFamily& family, std::uint8_t kind) const {
    return 1 + number_of(family) * max_kinds + kind;
  }
  /// And the names of these numbers, and "-" for 0. `coherence_kinds`: the policy's words, by Message::kind.
  std::vector<std::pair<std::uint64_t, std::string>> kind_names(
      const std::vector<std::string_view>& coherence_kinds) const;

  const std::vector<std::string_view>& traffic_names() const { return traffic_names_; }
  /// Number of the name under which a network counts `message`.
  std::size_t traffic_of(const Message& message) const {
    if (message.family == &coherence_family) return static_cast<std::size_t>(message.message_class);
    return traffic_of_another(message);
  }

 private:
  static constexpr std::uint64_t max_kinds = 256;  // what Message::kind can tell apart
  struct Place {
    unsigned first_network;
    std::size_t first_traffic;
    bool open;
  };
  void enter(const MessageFamily& family);
  std::size_t number_of(const MessageFamily& family) const;
  const Place& place_of(const MessageFamily& family) const;
  std::size_t traffic_of_another(const Message& message) const;

  std::vector<const MessageFamily*> families_;
  std::vector<Place> places_;  ///< by family
  std::vector<std::string_view> traffic_names_;
  unsigned networks_ = 0;
};

}  // namespace syncline::models
