#include "protocols/coherence/ideal/ideal.h"

namespace syncline::protocols {
namespace {

std::vector<MessageKind> hastened(std::vector<MessageKind> messages) {
  for (MessageKind& kind : messages) {
    if (kind.traffic_class == TrafficClass::unblock) kind.haste = Haste::always;
    if (kind.traffic_class == TrafficClass::invalidate_ack) kind.haste = Haste::to_peers;
  }
  return messages;
}

}  // namespace

CoherencePolicy make_ideal(const MesiSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy = make_mesi(spec, context);
  policy.description =
      "SC-IDEAL: as `mesi`, but an L1 sends acknowledgements and unblocks without the latency of what else it sends.";
  policy.seams = {{"L1 machine", "mesi L1"}, {"home machine", "mesi home"}, {"L1", "acknowledgements sent at once"}};
  mesi::idealise(policy, "ideal", hastened(policy.messages));
  return policy;
}

}  // namespace syncline::protocols
