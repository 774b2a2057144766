#include "protocols/coherence/mesi/mesi.h"

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols {

namespace {

constexpr MessageKind kinds[] = {
    {"GETS", TrafficClass::load_request, 0, Payload::none, "a line for the L1, exclusive if nobody else has it"},
    {"GET_INSTR", TrafficClass::load_request, 0, Payload::none, "a line that the program only reads"},
    {"GETX", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store"},
    {"GETX_ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes"},
    {"INV", TrafficClass::invalidate, 1, Payload::none, "give up the copy; acknowledge to the requester"},
    {"FWD_GETS", TrafficClass::forward, 1, Payload::none,
     "the owner keeps a shared copy; acknowledge to the requester"},
    {"FWD_GET_INSTR", TrafficClass::forward, 1, Payload::none, "as FWD_GETS"},
    {"FWD_GETX", TrafficClass::forward, 1, Payload::none, "the owner gives up its copy; acknowledge to the requester"},
    {"DATA", TrafficClass::data_reply, 3, Payload::line, "a shared copy, and how many acknowledgements to wait for"},
    {"DATA_EXCLUSIVE", TrafficClass::data_reply, 3, Payload::line, "the only copy"},
    {"WB", TrafficClass::store_ack, 3, Payload::none,
     "the store is performed at the L2; how many acknowledgements to wait for"},
    {"ATOMIC", TrafficClass::atomic_reply, 3, Payload::touched, "as WB, with the old values of an atomic"},
    {"ACK", TrafficClass::invalidate_ack, 3, Payload::none, "the copy is given up or shared; L1 to L1, or to the home"},
    {"UNBLOCK", TrafficClass::unblock, 4, Payload::none, "the reader has its shared copy and the owner's ACK"},
    {"EXCLUSIVE_UNBLOCK", TrafficClass::unblock, 4, Payload::none,
     "the reader has the only copy, or the writer its reply and all ACKs"},
};
static_assert(names_all<mesi::Message>(kinds));

}  // namespace

std::vector<MessageKind> mesi::messages() {
  return list_of(kinds);
}

void mesi::idealise(CoherencePolicy& policy, std::string_view name, std::vector<MessageKind> messages) {
  policy.name = name;
  for (RoleMachine& one : policy.roles)
    one.table = std::make_shared<const TransitionTable>(one.table->renamed(name, messages));
  policy.messages = std::move(messages);
}

CoherencePolicy make_mesi(const MesiSpec& spec, const CoherenceContext& context) {
  CoherencePolicy policy;
  policy.name = "mesi";
  policy.description =
      "MESI directory at an inclusive L2, write-through L1 without write-allocate; the requesting L1 counts "
      "acknowledgements.";
  policy.networks = {"requests of L1s", "forwards and invalidations",
                     "unused: between L2 and memory in the released model", "responses, also between L1s", "unblocks"};
  policy.messages = mesi::messages();
  policy.seams = {{"L1 machine", "mesi L1"}, {"home machine", "mesi home"}};
  policy.roles = {{Role::l1, mesi::l1_table(spec), mesi::make_l1},
                  {Role::home, mesi::home_table(spec), mesi::make_home}};
  policy.consistency = Consistency::sc;
  policy.peer_messages = true;
  policy.recycle_ps = spec.recycle_cycles * context.tick_ps;
  return policy;
}

}  // namespace syncline::protocols
