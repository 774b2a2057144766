// GETM's stall buffer: StallWork as the payloads of stall_pins.sv.
#include "Vstall_buffer.h"  // before SystemC, of which it would take itself for a part

#include <utility>

#include "models/rtl/codecs.h"
#include "models/rtl/factories.h"
#include "models/rtl/verilated_pins.h"

namespace syncline::rtl {
namespace {

using models::PinBits;
using models::StallWork;
using protocols::getm::Access;

void encode(const tlm::tlm_generic_payload& payload, PinBits& bits) {
  const StallWork& work = models::stall_work_of(payload);
  bits.put(2, static_cast<std::uint64_t>(work.command));
  bits.put(64, work.request.granule);
  bits.put(1, work.request.access == Access::store ? 1 : 0);
  bits.put(32, work.request.who);
  bits.put(64, work.request.at);
  bits.put(16, work.request.count);
  bits.put(32, work.request.label);
  bits.put(64, work.metadata.granule);
  bits.put(64, work.metadata.wts);
  bits.put(64, work.metadata.rts);
  bits.put(32, work.metadata.owner);
  bits.put(1, work.metadata.reserved ? 1 : 0);
}

void decode(PinBits& bits, tlm::tlm_generic_payload& payload) {
  StallWork& work = models::stall_work_of(payload);
  work.taken = bits.get(1) != 0;
  work.may_one_go = bits.get(1) != 0;
  work.addresses = static_cast<std::uint32_t>(bits.get(16));
  work.waiting = static_cast<std::uint32_t>(bits.get(16));
  if (work.command != models::StallCommand::take || !work.taken) return;
  work.request.granule = bits.get(64);
  work.request.access = bits.get(1) != 0 ? Access::store : Access::load;
  work.request.who = static_cast<std::uint32_t>(bits.get(32));
  work.request.at = bits.get(64);
  work.request.count = static_cast<std::uint16_t>(bits.get(16));
  work.request.label = static_cast<std::uint32_t>(bits.get(32));
}

}  // namespace

models::ServerCodec stall_codec() {
  return {encode, decode};
}

/// Has its turn behind the validation unit, so that it answers a command in the cycle in which it gets it.
models::Made<models::StallBufferPorts> make_stall_buffer(const sc_core::sc_module_name& name,
                                                         const models::StallBufferSite& site) {
  const auto addresses = static_cast<std::uint16_t>(site.spec.stall_addresses),
             requests = static_cast<std::uint16_t>(site.spec.stall_requests);
  const auto pins = server_pins<Vstall_buffer>([addresses, requests](Vstall_buffer& buffer) {
    buffer.stall_addresses = addresses;
    buffer.stall_requests = requests;
  });
  auto buffer = std::make_unique<models::RtlServer<models::StallProtocol>>(
      name, site.context, site.clock, models::TickRank::atomic_unit, pins, stall_codec(),
      /*queue=*/1);
  const models::StallBufferPorts ports{&buffer->socket};
  return {std::move(buffer), ports};
}

}  // namespace syncline::rtl
