// The kinds of messages that a policy's machines exchange.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace syncline::protocols {

/// What a message asks or answers, by which caches know it, and under which traffic is counted.
enum class TrafficClass : std::uint8_t {
  load_request,
  store_request,
  atomic_request,
  data_reply,
  store_ack,
  atomic_reply,
  forward,
  invalidate,
  invalidate_ack,
  unblock,
  renew,  ///< timestamp protocols: a lease extended without data
  control,
  count_
};
/// What an access asks a cache below for; what is behind it answers, or keeps copies coherent.
constexpr bool is_request(TrafficClass traffic) {
  return traffic <= TrafficClass::atomic_request;
}
inline constexpr std::array<const char*, static_cast<std::size_t>(TrafficClass::count_)> traffic_class_names{
    "load_request", "store_request", "atomic_request", "data_reply", "store_ack", "atomic_reply",
    "forward",      "invalidate",    "invalidate_ack", "unblock",    "renew",     "control"};
constexpr const char* name(TrafficClass traffic_class) {
  return traffic_class_names[static_cast<std::size_t>(traffic_class)];
}

/// What a message carries behind its header; decides its size.
enum class Payload : std::uint8_t {
  none,     ///< the header alone
  touched,  ///< the bytes in the mask, rounded up to 8
  line      ///< the whole line
};

/// An idealisation: which messages of a kind an L1 sends at once where its other messages wait for `l1.send_latency`.
enum class Haste : std::uint8_t {
  none,
  to_peers,  ///< those to other L1s
  always
};

struct MessageKind {
  std::string_view name;  ///< the paper's
  TrafficClass traffic_class;
  std::uint8_t network;  ///< virtual network
  Payload payload;
  std::string_view meaning;
  /// An idealisation: the message arrives one cycle of the network after it was sent and takes no bandwidth there.
  bool ideal = false;
  Haste haste = Haste::none;
  bool of_node = false;    ///< concerns the node that receives it, and no line: presented in the first state
  bool overtakes = false;  ///< may go before recycled messages of its line, but for those of its own sender
  /// Whoever waits for what comes of it can as well be answered late: to receive it as soon as it may be shows all that
  /// receiving it later would. The model checker does so, but for rows that send messages of other kinds.
  bool at_once = false;
};

constexpr MessageKind of_node(MessageKind kind) {
  kind.of_node = true;
  return kind;
}
constexpr MessageKind at_once(MessageKind kind) {
  kind.at_once = true;
  return kind;
}
constexpr MessageKind overtaking(MessageKind kind) {
  kind.overtakes = true;
  return kind;
}

}  // namespace syncline::protocols
