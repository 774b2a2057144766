#include "protocols/coherence/ideal/ideal.h"

namespace syncline::protocols {
namespace {

/// Nothing in `mesi` depends on the order of an acknowledgement and a reply, so acknowledgements may have the network
/// that is unused there; a free message must not queue behind one that is not.
constexpr std::uint8_t acknowledgements = 2;

std::vector<MessageKind> freed(std::vector<MessageKind> messages) {
  for (MessageKind& kind : messages) {
    switch (kind.traffic_class) {
      case TrafficClass::forward:
      case TrafficClass::invalidate:
      case TrafficClass::unblock:
        kind.free = true;
        break;
      case TrafficClass::invalidate_ack:
        kind.free = true;
        kind.network = acknowledgements;
        break;
      default:
        break;
    }
  }
  return messages;
}

/// The same rows over the freed messages.
std::shared_ptr<const TransitionTable> renamed(const TransitionTable& table) {
  Vocabulary words = table.vocabulary();
  words.protocol = "ideal";
  words.messages = freed(words.messages);
  return std::make_shared<const TransitionTable>(table.overlaid(std::move(words), {}));
}

}  // namespace

CoherencePolicy make_ideal(const MesiSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_mesi(spec, context);
  policy.name = "ideal";
  policy.description = "SC-IDEAL: as `mesi`, but messages about permissions take one cycle and no bandwidth.";
  policy.networks[acknowledgements] = "acknowledgements, free";
  policy.networks[3] = "replies";
  policy.messages = freed(policy.messages);
  policy.seams = {{"L1 machine", "mesi L1"}, {"home machine", "mesi home"}, {"crossbar", "free messages"}};
  policy.l1_table = renamed(*policy.l1_table);
  policy.home_table = renamed(*policy.home_table);
  return policy;
}

}  // namespace syncline::protocols
