// What an L2 slice asks of its atomic unit: the traits of the socket between the two, and the extension that says which
// read-modify-write is to be performed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <tlm>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/line_data.h"
#include "isa/vocabulary.h"
#include "models/block/block.h"
#include "models/transport/message.h"

namespace syncline::models {

/// Traits of that socket: payload and phases of the base protocol (IEEE 1666-2011, 15.2), with AtomicWork as a
/// mandatory extension (14.2.2). The payload's address is the line's, its data are the bytes of the line: the old ones
/// on the way there, the new ones in the answer. The command is TLM_IGNORE_COMMAND.
///
/// A unit answers by b_transport or by nb_transport, when it likes and in any order. A line whose answer is still to
/// come is locked. An answer that comes in the call itself (TLM_COMPLETED, or BEGIN_RESP on the return path) gives its
/// bytes to whoever comes next, as a unit does that forwards its results; its reply leaves after the annotated delay.
struct AtomicProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

/// The slice's end of the socket, as a unit is bound to it: `link.bind(unit.socket)`.
using AtomicLink = tlm::tlm_initiator_socket<32, AtomicProtocol>;

/// Makes what stands in the place of the atomic unit of a partition, and binds it to `link`. Who makes it owns it.
using MakeAtomicUnit =
    std::function<void(unsigned partition, PlatformContext& context, ClockDomain& l2_clock, AtomicLink& link)>;

/// The lanes are performed in their order (ascending: PTX leaves the order of lanes open, this fixes it); several may
/// be of one address. What it points to is the sender's, from the request to the answer.
struct AtomicWork : tlm::tlm_extension<AtomicWork> {
  isa::AtomicOp operation = isa::AtomicOp::none;
  isa::Type type = isa::Type::none;
  bool ftz = false;  ///< floating add: subnormals count as zero
  const AtomicLane* lanes = nullptr;
  unsigned count = 0;
  unsigned worst_address = 0;  ///< most lanes of one address
  /// One for each lane, for the unit to fill in: what was there before it.
  AtomicValue* old = nullptr;
  /// What the unit may say of its time, for statistics; in cycles of the L2: until it began, and for which no other
  /// request could begin.
  base::Cycle queueing = 0, busy = 0;

  /// Bytes of the line that the lanes read and write.
  base::ByteMask bytes() const;

  tlm::tlm_extension_base* clone() const override { return new AtomicWork(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const AtomicWork&>(other); }
};

/// The extension of a payload; one without is a ModelError.
AtomicWork& atomic_work_of(const tlm::tlm_generic_payload& payload);

/// Performs `work` on the `length` bytes at `line`. A lane that leaves the line or is not naturally aligned is a
/// ModelError: the SM checks programs before they get here.
void apply_atomics(AtomicWork& work, std::uint8_t* line, unsigned length);

/// The most of `count` lanes that hit one address.
unsigned worst_address(const AtomicLane* lanes, unsigned count);

}  // namespace syncline::models
