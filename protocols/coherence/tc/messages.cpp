#include "protocols/coherence/tc/tc.h"

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols::tc {

namespace {

constexpr MessageKind kinds[] = {
    overtaking({"GETS", TrafficClass::load_request, 0, Payload::none, "a line and a lease on it"}),
    {"WRITE", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store to a line without a lease"},
    {"UPGRADE", TrafficClass::store_request, 0, Payload::touched,
     "the bytes of a store to a line with a lease, and the end of that lease"},
    {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes"},
    {"DATA", TrafficClass::data_reply, 1, Payload::line, "answers GETS: the line and the end of its lease"},
    {"ACK", TrafficClass::store_ack, 1, Payload::none, "the store is performed; the end of the writer's lease"},
    {"DATA_ATOMIC", TrafficClass::atomic_reply, 1, Payload::touched, "the atomic is performed; old values"},
};
constexpr MessageKind weak_kinds[] = {
    {"ACK_GLOBAL", TrafficClass::store_ack, 1, Payload::none,
     "as ACK, but copies without the store may be read until the GWCT that it carries"},
    {"DATA_GLOBAL", TrafficClass::data_reply, 1, Payload::line,
     "as ACK_GLOBAL, with the line: the writer's copy lacked other writes"}};
static_assert(names_all<Message>(kinds, weak_kinds));

}  // namespace

std::vector<MessageKind> messages(bool weak) {
  std::vector<MessageKind> all = list_of(kinds);
  if (weak) append(all, weak_kinds);
  return all;
}

}  // namespace syncline::protocols::tc
