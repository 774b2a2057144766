// What a validation unit asks of its stall buffer: the traits of the socket between the two, the commands as an
// extension, and what a factory of stall buffers is asked for (models/block/made.h).
//
// A stall buffer is a few lines, each of one granule with a few requests that wait for it (Ren's thesis, 4.5.2, figure
// 4.9). It gets one command at a time, the next one when it has answered the last:
//
//   command   carries             what it does                                        its answer says in `taken`
//   park      request             the request waits, if there is room:                whether there was room
//                                 `stall_addresses` lines of `stall_requests`
//   changed   metadata            for each request on `metadata.granule` it is        -
//                                 found out again whether it may go
//   release   -                   all requests may go                                 -
//   take      request (answer)    of those that may go the one of the smallest `at`   whether there was one
//                                 leaves; of equal ones that which came first
//
// A request may go unless its granule is reserved, by another `who`, and it is not too early: a load is too early where
// wts > at, a store where wts > at or rts > at. When it is parked it may not. Of requests of equal times on different
// granules the one goes first whose granule has had a line for longer.
//
// Every answer says whether one may go, and how much is in use. A request that goes enters the validation unit again,
// and may be parked once more; a buffer that lets requests go too early costs time and breaks nothing. One that keeps
// them for ever hangs the program, which the watchdog reports.
#pragma once

#include <cstdint>
#include <tlm>

#include "base/ids.h"
#include "models/block/block.h"
#include "models/block/made.h"
#include "models/transactions/getm/getm_spec.h"
#include "protocols/transactions/getm/request.h"

namespace syncline::models {

/// Traits of that socket: payload and phases of the base protocol (IEEE 1666-2011, 15.2), with StallWork as a mandatory
/// extension (14.2.2). The payload's command is TLM_IGNORE_COMMAND, it has no data, and its address is the granule's
/// number. A stall buffer answers by b_transport or nb_transport, with TLM_OK_RESPONSE, when it likes; until then the
/// validation unit decides on nothing. An annotated delay is time that the unit takes for the decision.
struct StallProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

enum class StallCommand : std::uint8_t { park, changed, release, take };

struct StallWork : tlm::tlm_extension<StallWork> {
  StallCommand command = StallCommand::park;
  protocols::getm::Request request;    ///< of park; of the answer to take
  protocols::getm::Metadata metadata;  ///< of changed

  // The answer.
  bool taken = false;
  bool may_one_go = false;
  std::uint32_t addresses = 0;  ///< granules for which requests wait now
  std::uint32_t waiting = 0;    ///< of park: requests that wait for the same granule now

  tlm::tlm_extension_base* clone() const override { return new StallWork(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const StallWork&>(other); }
};

/// The extension of a payload; one without is a ModelError.
StallWork& stall_work_of(const tlm::tlm_generic_payload& payload);

struct StallBufferPorts {
  tlm::tlm_target_socket<32, StallProtocol>* socket = nullptr;
};

struct StallBufferSite {
  PlatformContext& context;
  ClockDomain& clock;  ///< of the validation unit
  const protocols::getm::GetmSpec& spec;
  base::PartitionId partition;
};
using MakeStallBuffer = Factory<StallBufferPorts, StallBufferSite>;

/// The library's, which answers in the call and takes no time.
Made<StallBufferPorts> make_stall_buffer(const sc_core::sc_module_name& name, const StallBufferSite& site);

}  // namespace syncline::models
