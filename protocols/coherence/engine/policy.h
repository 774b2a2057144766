// A coherence policy: a pair of machines, their messages, and the parts that it puts at the seams of a platform.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "protocols/coherence/engine/machine.h"

namespace syncline::protocols {

/// Classes under which traffic is counted. The host's own list has the same members in the same order.
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
  renew,
  control
};

/// What a message carries behind its header; decides its size.
enum class Payload : std::uint8_t {
  none,     ///< the header alone
  touched,  ///< the bytes in the mask, rounded up to 8
  line      ///< the whole line
};

struct MessageKind {
  std::string_view name;  ///< the paper's
  TrafficClass traffic_class;
  std::uint8_t network;  ///< virtual network
  Payload payload;
  std::string_view meaning;
};

/// A part that a policy puts at one of the platform's seams (docs/architecture.md, "Seams").
struct SeamPart {
  std::string_view seam;
  std::string_view part;
};

struct CoherencePolicy {
  std::string name;
  std::string description;
  std::vector<std::string_view> networks;  ///< what each virtual network carries
  std::vector<MessageKind> messages;       ///< by the policy's message kind
  std::vector<SeamPart> seams;
  std::shared_ptr<const TransitionTable> l1_table, home_table;
  std::function<std::unique_ptr<Machine>()> make_l1, make_home;  ///< one machine per cache: each has its own coverage
  bool coherent = true;  ///< false: excluded from consistency tests; only data-race-free grids read what was written
  std::uint16_t header_bytes = 8;
};

}  // namespace syncline::protocols
