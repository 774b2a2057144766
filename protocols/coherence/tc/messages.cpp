#include "protocols/coherence/tc/tc.h"

namespace syncline::protocols::tc {

std::vector<MessageKind> messages(bool weak) {
  std::vector<MessageKind> kinds{
      overtaking({"GETS", TrafficClass::load_request, 0, Payload::none, "a line and a lease on it"}),
      {"WRITE", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store to a line without a lease"},
      {"UPGRADE", TrafficClass::store_request, 0, Payload::touched,
       "the bytes of a store to a line with a lease, and the end of that lease"},
      {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes"},
      {"DATA", TrafficClass::data_reply, 1, Payload::line, "answers GETS: the line and the end of its lease"},
      {"ACK", TrafficClass::store_ack, 1, Payload::none, "the store is performed; the end of the writer's lease"},
      {"DATA_ATOMIC", TrafficClass::atomic_reply, 1, Payload::touched, "the atomic is performed; old values"},
  };
  if (weak) {
    kinds.push_back({"ACK_GLOBAL", TrafficClass::store_ack, 1, Payload::none,
                     "as ACK, but copies without the store may be read until the GWCT that it carries"});
    kinds.push_back({"DATA_GLOBAL", TrafficClass::data_reply, 1, Payload::line,
                     "as ACK_GLOBAL, with the line: the writer's copy lacked other writes"});
  }
  return kinds;
}

}  // namespace syncline::protocols::tc
