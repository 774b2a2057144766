// What travels between blocks: one TLM generic payload with one mandatory extension, the message.
//
// One message is one transaction. A request and its reply are two messages; pairing them is the protocol's
// business (as in AMBA CHI). Messages come from a pool and keep their extension, so a run allocates nothing in
// steady state. TLM-2.0 LRM (IEEE 1666-2011): 14.2 generic payload, 14.21 extensions, 14.5 memory management.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tlm>
#include <type_traits>
#include <utility>

#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/line_data.h"
#include "isa/vocabulary.h"
#include "models/transport/node.h"
#include "protocols/coherence/engine/message_kind.h"

namespace syncline::models {

/// What a message asks or answers, by which the caches know it. It stands beside `kind`, which is the family's own
/// word.
using MessageClass = protocols::TrafficClass;
using protocols::name;

struct MessageFamily;
class Message;
/// What caches say to each other; the family of a message that says none.
extern const MessageFamily coherence_family;

/// Virtual networks keep messages from blocking each other. A crossbar is configured with how many it has; the
/// coherence policy maps its message kinds onto the first ones, other families theirs onto those behind
/// (MessageFamilies).
using VirtualNetwork = std::uint8_t;

/// An operand of an atomic, of up to 128 bits. Nearly all have 64 at most, and are used as numbers.
class AtomicValue {
 public:
  AtomicValue(std::uint64_t value = 0) : words_{value, 0} {}
  operator std::uint64_t() const { return words_[0]; }
  void* data() { return words_.data(); }  ///< 16 bytes, as they lie in memory
  const void* data() const { return words_.data(); }

 private:
  std::array<std::uint64_t, 2> words_;
};

/// One lane's part in an atomic: bytes [offset, offset + size of type) of the line.
struct AtomicLane {
  std::uint8_t lane = 0;
  std::uint8_t offset = 0;  ///< byte offset in the line
  bool idle = false;        ///< on the way back: a cas that has found another value, and has written nothing
  AtomicValue operand;      ///< b on the way there, the old value on the way back
  AtomicValue compare;      ///< c of cas
};

/// Parts of lanes in an atomic. Few messages have any, and each part takes 40 bytes: there is memory for all of them
/// from the first time on that somebody writes one, and it stays with the message.
class AtomicLanes {
 public:
  AtomicLanes() = default;
  AtomicLanes(const AtomicLanes& other) : lanes_(other.lanes_ ? std::make_unique<Lanes>(*other.lanes_) : nullptr) {}
  AtomicLanes& operator=(const AtomicLanes& other) {
    lanes_ = std::move(AtomicLanes(other).lanes_);
    return *this;
  }

  AtomicLane& operator[](std::size_t n) { return written()[n]; }
  AtomicLane& at(std::size_t n) { return written().at(n); }
  AtomicLane* begin() { return written().data(); }
  const AtomicLane& operator[](std::size_t n) const { return begin()[n]; }
  const AtomicLane* begin() const { return lanes_ != nullptr ? lanes_->data() : none.data(); }

 private:
  using Lanes = std::array<AtomicLane, base::max_lanes>;
  static const Lanes none;
  Lanes& written() {
    if (lanes_ == nullptr) lanes_ = std::make_unique<Lanes>();
    return *lanes_;
  }
  std::unique_ptr<Lanes> lanes_;
};

/// What messages of coherence carry of their own.
struct CoherenceBody {
  std::array<std::uint64_t, 4> stamps{};  ///< timestamps, named by the policy
  std::int32_t acks = 0;                  ///< acknowledgements that the receiver must wait for
  std::uint32_t more_lines = 0;           ///< that it is about, behind `line`: those of one entry of a directory
};

/// What messages of another family carry of their own: plain data of at most this size, which `body` gives its type.
struct OtherBody {
  alignas(std::uint64_t) std::array<std::byte, sizeof(CoherenceBody)> bytes;
};

/// What a message says beside the bytes and operands that it carries. Plain data: a sender fills in what its message
/// means, a receiver reads it.
struct MessageFields {
  const MessageFamily* family = &coherence_family;  ///< whose message this is: who does not know it passes it on
  std::uint8_t kind = 0;                            ///< in the family
  MessageClass message_class = MessageClass::control;
  VirtualNetwork network = 0;
  base::LineAddress line;
  NodeId source;       ///< who sends it, and
  NodeId destination;  ///< who is to get it; the router of a network knows the port
  NodeId requester;    ///< the cache whose access this belongs to, also on forwards; it puts itself there
  base::WarpSlot warp;
  std::uint32_t pc = 0;  ///< number of the instruction in its program
  /// Number of the instruction among those that its SM has sent to memory, from 1 in the order of issue; 0: of none.
  std::uint64_t order = 0;
  std::uint32_t tag = 0;  ///< the requester's own handle, echoed in the reply
  isa::Semantics semantics = isa::Semantics::none;
  isa::Scope scope = isa::Scope::none;
  isa::CacheOp cache = isa::CacheOp::none;
  bool ideal = false;       ///< crosses the network in one cycle without taking bandwidth (idealisation)
  bool posted = false;      ///< nobody waits: an L1 lets the message go instead of answering
  bool read_only = false;   ///< ld.nc, ldu, ld.const: the program promises that nobody writes the line
  std::uint16_t bytes = 0;  ///< size on the wire, header included
  union {                   ///< by the family
    CoherenceBody coherence{};
    OtherBody other;
  };

  base::ByteMask mask;           ///< bytes of `data` that the message carries
  std::uint64_t at_home_ps = 0;  ///< when the home first looked at it, picoseconds; 0: not yet

  isa::AtomicOp atomic = isa::AtomicOp::none;
  isa::Type atomic_type = isa::Type::none;
  bool ftz = false;            ///< floating add: subnormals count as zero (isa::MemoryAccess::ftz)
  bool returns_value = false;  ///< atom, as opposed to red
  std::uint8_t atomic_count = 0;
};

/// Where a message belongs, before what it says: each hop reads both.
class MessagePlace {
 public:
  tlm::tlm_generic_payload* payload() const { return payload_; }

 private:
  friend class Message;
  friend class MessagePool;
  tlm::tlm_generic_payload* payload_ = nullptr;
  Message* next_free_ = nullptr;
};

/// The extension. What a sender leaves out has its default: zeros in `data`, and no message keeps what an earlier one
/// carried (MessagePool).
class Message : public tlm::tlm_extension<Message>, public MessagePlace, public MessageFields {
 public:
  base::LineData data{};  ///< behind what every hop reads
  AtomicLanes atomics;    ///< the first `atomic_count`

  tlm::tlm_extension_base* clone() const override;
  void copy_from(const tlm::tlm_extension_base& other) override;
};

/// The body of a message of another family than coherence; all zeros in a new message.
template <class Body>
Body& body(MessageFields& message) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) <= sizeof(OtherBody) &&
                alignof(Body) <= alignof(OtherBody));
  return *reinterpret_cast<Body*>(message.other.bytes.data());
}
template <class Body>
const Body& body(const MessageFields& message) {
  return body<Body>(const_cast<MessageFields&>(message));
}

/// The message in a payload; a payload without one is a ModelError (LRM 14.2.2: a mandatory extension of our traits).
Message& message_of(tlm::tlm_generic_payload& payload);

/// The bytes of the line that a store writes, or an atomic that is performed has written: a cas that has found another
/// value is a read.
base::ByteMask written_by(const Message& message);

/// Lets the host fetch a message that is soon looked at: its payload, which lies before it where it is from a pool, and
/// what every hop reads.
inline void prefetch(const Message& message) {
  const auto at = reinterpret_cast<std::uintptr_t>(&message);
  __builtin_prefetch(reinterpret_cast<const void*>(at - sizeof(tlm::tlm_generic_payload)));
  __builtin_prefetch(reinterpret_cast<const void*>(at));
  __builtin_prefetch(reinterpret_cast<const void*>(at + 64));
}

/// Traits of all on-chip sockets. Phases are BEGIN_REQ and END_REQ; the exclusion rule (LRM 15.2.6) holds per virtual
/// network.
struct MessageProtocol {
  using tlm_payload_type = tlm::tlm_generic_payload;
  using tlm_phase_type = tlm::tlm_phase;
};

}  // namespace syncline::models
