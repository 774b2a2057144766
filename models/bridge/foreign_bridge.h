// Lets any TLM initiator (a CPU model, a DMA engine, RTL behind a transactor) read and write the GPU's global memory.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/fields.h"
#include "models/block/block.h"
#include "models/partition/home_map.h"
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
/// Any length, byte enables and streaming are served; a transaction is split into its lines. Accesses to one line are
/// done in the order of the transactions. Errors are answered by the letter of LRM 14 (models/dram/payload_access.h);
/// the address space ends at `size`. b_transport blocks until the access is performed.
class ForeignBridge : public Block, private MessageReceiver, private MessageSender {
 public:
  /// `homes` outlives the bridge.
  ForeignBridge(const sc_core::sc_module_name& name, PlatformContext& context, const ForeignBridgeSpec& spec,
                const HomeMap& homes, std::uint64_t size);
  ~ForeignBridge() override;

  tlm_utils::simple_target_socket<ForeignBridge> socket;
  MessageInitiator to_l1;
  MessageTarget from_l1;
  /// For transport_dbg: bind to the debug socket of the L2 slice of each partition, or leave all unbound.
  tlm_utils::simple_initiator_socket_optional<ForeignBridge>& debug(base::PartitionId partition) {
    return *debug_.at(partition.value());
  }

  std::vector<std::string> check_end_of_run() const override { return describe_waiting(); }
  std::vector<std::string> describe_waiting() const override;

 private:
  struct Job {
    tlm::tlm_generic_payload* payload = nullptr;
    bool blocking = false;
    std::uint64_t next = 0;    ///< bytes of the payload for which accesses were made
    unsigned accesses = 0;     ///< under way
    sc_core::sc_time done_at;  ///< of the last of them
    std::unique_ptr<sc_core::sc_event> done = std::make_unique<sc_core::sc_event>();
  };
  /// One line access under way; its index is the tag of its message.
  struct Access {
    Job* job = nullptr;
    base::LineAddress line;
    std::uint64_t first = 0;  ///< byte of the payload
    unsigned bytes = 0;
  };

  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&);
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  unsigned transport_dbg(tlm::tlm_generic_payload&);
  bool receive(Message& message, const sc_core::sc_time& arrival, unsigned port) override;
  void on_ready(VirtualNetwork network, unsigned port) override;

  Job& claim(tlm::tlm_generic_payload& payload, bool blocking);
  void start(Job& job);
  void advance();  ///< makes accesses as far as the L1 and the limits allow
  bool make_access(Job& job);
  bool line_is_busy(base::LineAddress line) const;
  void finish(Job& job);
  void answer_next();
  void retire(Job& job);

  const ForeignBridgeSpec spec_;
  const HomeMap& homes_;
  const std::uint64_t size_;
  std::vector<std::unique_ptr<tlm_utils::simple_initiator_socket_optional<ForeignBridge>>> debug_;
  std::vector<std::unique_ptr<Job>> jobs_;
  std::vector<Job*> free_jobs_;
  boost::circular_buffer<Job*> making_;   ///< jobs with accesses still to make, in order
  boost::circular_buffer<Job*> answers_;  ///< non-blocking jobs that are done
  std::vector<Access> accesses_;
  std::vector<std::uint32_t> free_accesses_;
  tlm::tlm_generic_payload* waiting_ = nullptr;  ///< BEGIN_REQ without END_REQ
  Job* answering_ = nullptr;                     ///< BEGIN_RESP without END_RESP
  sc_core::sc_event job_is_free_;
  bool advancing_ = false;

  base::Counter reads_, writes_, read_bytes_, written_bytes_, line_accesses_, back_pressure_;
};

}  // namespace syncline::models
