#include "protocols/coherence/none/none.h"

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols {

namespace {

constexpr MessageKind kinds[] = {
    {"GETS", TrafficClass::load_request, 0, Payload::none, "a line for the L1"},
    {"GETU", TrafficClass::load_request, 0, Payload::none, "bytes for a load that goes around the L1"},
    {"WRITE", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store"},
    {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes"},
    {"DATA", TrafficClass::data_reply, 0, Payload::line, "answers GETS"},
    {"DATA_U", TrafficClass::data_reply, 0, Payload::touched, "answers GETU: the sectors asked for"},
    {"ACK", TrafficClass::store_ack, 0, Payload::none, "the store is performed at the L2"},
    {"ATOMIC_DATA", TrafficClass::atomic_reply, 0, Payload::touched, "the atomic is performed; old values"},
};
static_assert(names_all<none::Message>(kinds));

}  // namespace

std::vector<MessageKind> none::messages() {
  return list_of(kinds);
}

CoherencePolicy make_none(const NoneSpec& spec) {
  CoherencePolicy policy;
  policy.name = "none";
  policy.description =
      spec.l1 == NoneL1::caching
          ? "No coherence between L1 caches; global loads are cached in the L1, which is emptied where a grid begins."
          : "No coherence between L1 caches; global loads go around the L1, local and read-only data is cached.";
  policy.networks = {"all messages; one network per direction keeps the order of an L1's requests to a line"};
  policy.messages = none::messages();
  policy.seams = {{"L1 machine", "none L1"}, {"home machine", "none home"}};
  policy.roles = {
      {Role::l1, none::l1_table(spec), [spec](auto table) { return none::make_l1(std::move(table), spec); }},
      {Role::home, none::home_table(), none::make_home}};
  using Kind = none::Message;
  policy.plain = {static_cast<Code>(Kind::GETU), static_cast<Code>(Kind::DATA_U), static_cast<Code>(Kind::WRITE),
                  static_cast<Code>(Kind::ACK)};
  policy.coherent = false;
  policy.sm_order = true;
  policy.shows_stores_early = spec.store_hit == NoneStoreHit::update;
  policy.copies_are_current = false;
  policy.consistency = Consistency::wo;
  return policy;
}

}  // namespace syncline::protocols
