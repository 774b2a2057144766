#include "protocols/coherence/gpu_vi/gpu_vi.h"

#include "protocols/coherence/engine/words.h"

namespace syncline::protocols {

namespace {

constexpr MessageKind kinds[] = {
    {"GETS", TrafficClass::load_request, 0, Payload::none, "a line for the L1"},
    {"GETU", TrafficClass::load_request, 0, Payload::none, "a line for one load, which the L1 will not keep"},
    {"WB_Data", TrafficClass::store_request, 0, Payload::touched, "the bytes of a store, written through"},
    {"ATOMIC", TrafficClass::atomic_request, 0, Payload::touched, "operands of the lanes"},
    {"DATA", TrafficClass::data_reply, 1, Payload::line, "answers GETS"},
    {"DATA_U", TrafficClass::data_reply, 1, Payload::line, "answers GETU"},
    {"ACK", TrafficClass::store_ack, 1, Payload::none, "the store is performed: no other L1 has an older copy"},
    {"DATA_ATOMIC", TrafficClass::atomic_reply, 1, Payload::touched, "the atomic is performed; old values"},
    {"Inv", TrafficClass::invalidate, 3, Payload::none, "give the copy up"},
    {"Inv_Ack", TrafficClass::invalidate_ack, 2, Payload::none, "there is no copy any more"},
};
static_assert(names_all<gpu_vi::Message>(kinds));

}  // namespace

std::vector<MessageKind> gpu_vi::messages() {
  return list_of(kinds);
}

CoherencePolicy make_gpu_vi() {
  CoherencePolicy policy;
  policy.name = "gpu_vi";
  policy.description =
      "Write-through invalidation: the home performs a write when all other L1s have given up their copies. Inclusive.";
  policy.networks = {"requests", "responses", "acknowledgements of invalidations", "invalidations"};
  policy.messages = gpu_vi::messages();
  policy.seams = {{"L1 machine", "gpu_vi L1"}, {"home machine", "gpu_vi home"}};
  policy.roles = {{Role::l1, gpu_vi::l1_table(), gpu_vi::make_l1},
                  {Role::home, gpu_vi::home_table(), gpu_vi::make_home}};
  return policy;
}

}  // namespace syncline::protocols
