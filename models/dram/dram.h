// A DRAM channel behind the plain TLM-2.0 base protocol.
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <systemc>
#include <tlm>

#include <boost/circular_buffer.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "models/block/block.h"
#include "models/dram/channel.h"
#include "models/dram/sparse_memory.h"
#include "models/perturbation/perturbation_spec.h"

namespace syncline::models {

/// Target of the base protocol (LRM 15.2): BEGIN_REQ is answered with END_REQ when the request has a place in the
/// queue, else END_REQ waits; BEGIN_RESP is sent when the last column command is issued, annotated with the time at
/// which the data is there. Requests take effect in the order in which they are accepted, so that reordering by the
/// controller shows in time, never in values. transport_dbg, b_transport (at the minimum latency, for initiators that
/// are loosely timed) and, if asked for, DMI reach the same bytes.
class Dram : public Block, public Ticked, private DramCompletion, private DramCommandListener {
 public:
  /// `name` also names the random streams of the perturbation.
  Dram(const sc_core::sc_module_name& name, PlatformContext& context, ClockDomain& clock, const DramSpec& spec,
       const PerturbationSpec& perturbation = {});
  ~Dram() override;

  tlm_utils::simple_target_socket<Dram> socket;
  /// Every command to the chips. Costs a branch unheard.
  tlm::tlm_analysis_port<DramCommand> commands;
  /// Starts telling `commands`; called by whoever binds to it.
  void watch_commands() { channel_.listen(this); }

  /// DMI is off at first: it goes around time. Turning it off invalidates what was given (LRM 11.2).
  void allow_dmi(bool allowed);

  const DramSpec& spec() const { return spec_; }
  const SparseMemory& memory() const { return memory_; }

  base::Cycle tick(base::Cycle now) override;
  std::vector<std::string> check_end_of_run() const override;
  std::vector<std::string> describe_waiting() const override;

 private:
  struct Answer {
    tlm::tlm_generic_payload* payload;
    base::Cycle at;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
  void b_transport(tlm::tlm_generic_payload&, sc_core::sc_time&);
  unsigned transport_dbg(tlm::tlm_generic_payload&);
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&);

  void accept(tlm::tlm_generic_payload& payload, base::Cycle at);
  void perform_accepted();
  void on_scheduled(const DramRequest& request, base::Cycle data_end) override;
  bool answers_blocked() const override { return answers_.full(); }
  void on_command(const DramCommand& command) override { commands.write(command); }
  void answer(tlm::tlm_generic_payload& payload, base::Cycle at);
  sc_core::sc_time until(base::Cycle at) const;  ///< from now; zero when it is over
  void take_waiting();
  void register_observers();
  void register_waves();

  const DramSpec spec_;
  SparseMemory memory_;
  const std::uint32_t jitter_;
  base::Random random_;          ///< of the jitter
  base::Cycle last_answer_ = 0;  ///< under jitter
  DramChannel channel_;
  base::Cycle return_latency_;                       ///< controller and wires, after the data
  std::vector<tlm::tlm_generic_payload*> accepted_;  ///< by tag
  std::vector<std::uint32_t> free_tags_;
  /// Accepted, but their bytes have not moved: they do before the next answer, or when anybody else looks at the
  /// memory. Until then the host fetches what they touch.
  std::vector<tlm::tlm_generic_payload*> to_perform_;
  tlm::tlm_generic_payload* waiting_ = nullptr;  ///< BEGIN_REQ without END_REQ
  base::Cycle waiting_since_ = 0;
  tlm::tlm_generic_payload* answering_ = nullptr;  ///< BEGIN_RESP without END_RESP
  boost::circular_buffer<Answer> answers_;         ///< behind it
  bool dmi_allowed_ = false;

  base::Counter reads_, writes_, read_bytes_, written_bytes_, back_pressure_;
  base::Distribution queue_depth_, read_latency_, write_latency_;
};

}  // namespace syncline::models
