// One slice of the L2: a cache with L1s above it and the memory of its partition below it.
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <cstdint>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/cache/cache_controller.h"
#include "models/cache/links/atomic_unit_link.h"
#include "models/cache/links/client_link.h"
#include "models/cache/links/home_link.h"
#include "models/cache/links/home_memory_link.h"
#include "models/cache/links/ring_link.h"
#include "models/l2_slice/l2_spec.h"

namespace syncline::models {

/// Requests are looked up in the order of arrival on their virtual network, `ports` per cycle, each when its bank is
/// free; one that cannot proceed stalls those behind it. Replies leave `latency` cycles after the lookup. Higher
/// virtual networks go first, so that answers never wait for requests.
///
/// An atomic is performed by the unit behind `atomics`, which gets operands and old bytes. Until its answer comes the
/// line is locked: requests for it wait, nothing replaces it, and the rest of the slice goes on.
///
/// Under a policy of several modules it is home of the lines of its module's memory, and a cache of others', or the
/// home that its GPU has for them.
///
/// Values that the host reads and writes pass by time: transport_dbg of the socket `debug` with device addresses, or
/// `debug_read` and `debug_write`. They are always coherent with what the slice and its memory hold.
class L2Slice : public CacheController {
 public:
  /// `homes` says where a line lies in its memory, and outlives the slice; `place` is where the partition is.
  L2Slice(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L2Spec& spec,
          const protocols::CoherencePolicy& policy, base::PartitionId partition, const HomeMap& homes,
          GpuPlace place = {});
  ~L2Slice() override;

  std::uint64_t tells_lanes_in_ps() const override;

 private:
  ClientLink clients_;
  std::optional<RingLink> ring_;
  std::optional<HomeLink> homes_;
  HomeMemoryLink memory_;
  AtomicUnitLink atomics_;

 public:
  MessageTarget& requests = clients_.requests;
  MessageInitiator& replies = clients_.replies;
  MemoryPort& memory = memory_.port;    ///< its socket carries addresses within the partition (HomeMap::local)
  AtomicPort& atomics = atomics_.port;  ///< its socket is to be bound to an atomic unit, or to a user's in its place
  /// Towards the L2s that this one asks for lines of other modules, and from these; null unless the policy is of
  /// several modules.
  MessageInitiator* const to_network;
  MessageTarget* const from_network;
  /// The ring of homes, towards the next number and from the one before; null unless the policy has one.
  MessageInitiator* const to_next;
  MessageTarget* const from_previous;
  /// Debug transport only, for any number of initiators.
  tlm_utils::multi_passthrough_target_socket<L2Slice, 32, tlm::tlm_base_protocol_types, 0,
                                             sc_core::SC_ZERO_OR_MORE_BOUND>
      debug;

  /// Bytes of device memory as the program would read them now. False: some are not in this partition's memory.
  bool debug_read(base::ByteAddress address, std::uint8_t* data, std::size_t bytes);
  bool debug_write(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes);
  /// Of lines that other modules are home of: what the host has written there enters the copies that are here, or on
  /// their way.
  void debug_write_copies(base::ByteAddress address, const std::uint8_t* data, std::size_t bytes);
  /// For a memory that others use, too, and software that says when: the lines' newest bytes are in memory then, and
  /// those of memory are here. What the slice has written and memory lacks, `debug_refresh` keeps.
  bool debug_write_back(base::ByteAddress address, std::size_t bytes);
  bool debug_refresh(base::ByteAddress address, std::size_t bytes);

  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

 private:
  unsigned transport_dbg(int initiator, tlm::tlm_generic_payload& payload);
  void add_statistics();
};

}  // namespace syncline::models
