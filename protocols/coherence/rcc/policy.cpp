#include "protocols/coherence/rcc/rcc.h"

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols {

namespace {

constexpr MessageKind kinds[] = {
    {"GETS", TrafficClass::load_request, 0, Payload::none, "a line for the L1; now, and exp of the copy it has"},
    {"WRITE", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store; now"},
    {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes; now"},
    {"DATA", TrafficClass::data_reply, 1, Payload::line, "answers GETS; ver and exp"},
    {"RENEW", TrafficClass::renew, 1, Payload::none, "answers GETS: the copy is current until exp"},
    {"ACK", TrafficClass::store_ack, 1, Payload::none, "the store took effect at ver"},
    {"ATOMIC_DATA", TrafficClass::atomic_reply, 1, Payload::touched, "the atomic took effect at ver; old values"},
    of_node({"FLUSH", TrafficClass::control, 1, Payload::none, "logical time begins anew: drop all copies"}),
    of_node({"FLUSH_ACK", TrafficClass::control, 1, Payload::none, "no copy of the old epoch is left"}),
    of_node({"STALL", TrafficClass::control, 0, Payload::none, "home to home: wait, all timestamps are 0"}),
    of_node({"RESUME", TrafficClass::control, 0, Payload::none, "home to home: work again"}),
};
static_assert(names_all<rcc::Message>(kinds));

}  // namespace

std::vector<MessageKind> rcc::messages() {
  return list_of(kinds);
}

CoherencePolicy make_rcc(const RccSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy;
  policy.name = "rcc";
  policy.description =
      "Relativistic Cache Coherence: leases in logical time; a write takes effect behind all leases of its line.";
  policy.networks = {"requests of L1s; between homes: the ring", "replies of homes, and of L1s to a FLUSH"};
  policy.messages = rcc::messages();
  policy.seams = {{"L1 machine", "rcc L1"}, {"home machine", "rcc home"}};
  policy.roles = {{Role::l1, rcc::l1_table(spec),
                   [spec, tick_ps = context.tick_ps](auto table) {
                     return rcc::make_l1(std::move(table), spec, rcc::one_clock, tick_ps);
                   }},
                  {Role::home, rcc::home_table(spec),
                   [spec, l1s = context.l1s](auto table) { return rcc::make_home(std::move(table), spec, l1s); }}};
  policy.home_ring = true;
  policy.logical_time = true;
  policy.horizon = spec.horizon();
  policy.copies_are_current = false;
  return policy;
}

}  // namespace syncline::protocols
