// The L1 data cache of one SM: a cache with the SM above it and homes below it.
#pragma once

#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/cache/cache_controller.h"
#include "models/cache/links/core_link.h"
#include "models/cache/links/home_link.h"
#include "models/cache/links/peer_link.h"
#include "models/l1_cache/l1_spec.h"

namespace syncline::models {

/// One access is looked up per port and cycle, in the order of arrival; one that cannot proceed stalls those behind it.
/// Hits and misses under misses complete out of order. Messages from the network go first, so they never wait for a
/// stalled access. Contract with the SM: models/sm/l1_interface.h.
class L1Cache : public CacheController {
 public:
  /// `homes` says to whom a line's requests go, and outlives the cache; `place` is where the SM is.
  L1Cache(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const L1Spec& spec,
          const protocols::CoherencePolicy& policy, base::SmId sm, const HomeMap& homes, GpuPlace place = {});
  ~L1Cache() override;

 private:
  CoreLink core_;
  HomeLink homes_;
  std::optional<PeerLink> peers_;

 public:
  MessageTarget& from_sm = core_.from_sm;
  MessageInitiator& to_sm = core_.to_sm;
  MessageInitiator& to_network = homes_.to_network;
  MessageTarget& from_network = homes_.from_network;
  /// Towards the other L1s, into the network that their `from_network` hangs on; null unless the policy has messages
  /// between them.
  MessageInitiator* const to_peers;

  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

  /// Puts the bytes of [address, address + bytes) that this L1 has written and its homes may lack into `data`: what a
  /// reader that takes no time needs beside L2Slice::debug_read.
  void debug_overlay(base::ByteAddress address, std::uint8_t* data, std::size_t bytes) const;

 private:
  void add_statistics();
};

}  // namespace syncline::models
