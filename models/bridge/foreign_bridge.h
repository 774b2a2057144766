// Lets any TLM initiator (a CPU model, a DMA engine, RTL behind a transactor) read and write the GPU's global memory.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <systemc>
#include <tlm>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "models/block/block.h"
#include "models/bridge/split_target.h"
#include "models/partition/home_map.h"
#include "models/sm/l1_interface.h"
#include "models/transport/message_port.h"

namespace syncline::models {

struct ForeignBridgeSpec {
  std::uint32_t line = 128;
  std::uint32_t queue = 8;
  std::uint32_t outstanding = 16;

  template <class V>
  void fields(V& v) {
    namespace param = base::param;
    v.field("line", line,
            param::bytes("size of a line; longer accesses are split", "RCC T3.3").between(32, 128).power_of_two());
    v.field("queue", queue,
            param::count("transactions that may be under way before END_REQ waits", "choice").between(1, 1024));
    v.field("outstanding", outstanding, param::count("line accesses under way", "choice").between(1, 1024));
  }
};

/// A base-protocol target whose accesses go to an L1 of its own by the contract between SM and L1
/// (models/sm/l1_interface.h). So they are coherent with the SMs under every coherence policy, by the policy's own
/// machine, and the bridge knows none. Loads and stores carry .relaxed.sys semantics: the L1 never answers them with a
/// copy that the policy allows to be stale.
///
/// A transaction is split into its lines (models/bridge/split_target.h says what is served, and how errors are
/// answered); the address space ends at `size`. Direct memory is refused, for the newest bytes of a line may be in any
/// cache.
class ForeignBridge : public Block, private SplitTarget::Worker, private MessageReceiver, private MessageSender {
 public:
  /// `homes` outlives the bridge.
  ForeignBridge(const sc_core::sc_module_name& name, PlatformContext& context, const ForeignBridgeSpec& spec,
                const HomeMap& homes, std::uint64_t size);
  ~ForeignBridge() override;

 private:
  SplitTarget target_;

 public:
  decltype(SplitTarget::socket)& socket = target_.socket;
  MessageInitiator to_l1;
  MessageTarget from_l1;
  /// For transport_dbg: bind to the debug socket of the L2 slice of each partition, or leave all unbound.
  tlm_utils::simple_initiator_socket_optional<ForeignBridge>& debug(base::PartitionId partition) {
    return *debug_.at(partition.value());
  }

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override { return target_.describe_waiting(); }

 private:
  bool ready() const override { return to_l1.ready(sm_l1_network); }
  void begin(const SplitTarget::Access& access) override;
  unsigned debug(tlm::tlm_generic_payload& payload) override;
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork, unsigned) override { target_.advance(); }

  const HomeMap& homes_;
  const std::uint64_t size_;
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket_optional<ForeignBridge>>> debug_;
  base::Counter line_accesses_;
};

}  // namespace syncline::models
