#include "protocols/coherence/ideal_free/ideal_free.h"

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
        kind.ideal = true;
        kind.haste = Haste::always;
        break;
      case TrafficClass::invalidate_ack:
        kind.ideal = true;
        kind.haste = Haste::always;
        kind.network = acknowledgements;
        break;
      default:
        break;
    }
  }
  return messages;
}

}  // namespace

CoherencePolicy make_ideal_free(const MesiSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_mesi(spec, context);
  policy.description = "As `mesi`, but messages about permissions take one cycle and no bandwidth: a bound of `ideal`.";
  policy.networks[acknowledgements] = "acknowledgements, free";
  policy.networks[3] = "replies";
  policy.seams = {{"L1 machine", "mesi L1"}, {"home machine", "mesi home"}, {"crossbar", "free messages"}};
  mesi::idealise(policy, "ideal_free", freed(policy.messages));
  return policy;
}

}  // namespace syncline::protocols
