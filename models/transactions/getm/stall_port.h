// The validation unit's way to its stall buffer: one command at a time over a socket with the traits StallProtocol, so
// that any stall buffer plugs in.
#pragma once

#include <deque>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/transactions/getm/stall_work.h"
#include "models/transport/four_phases.h"

namespace syncline::models {

class StallPort : public tlm::tlm_mm_interface, private FourPhases<StallProtocol>::Listener {
  FourPhases<StallProtocol> link_;

 public:
  class Listener {
   public:
    virtual ~Listener() = default;
    /// An answer that did not come in the call arrives at `at`.
    virtual void stall_buffer_ready(const sc_core::sc_time& at) = 0;
  };

  StallPort(const std::string& name, Listener& listener) : link_(name, *this), listener_(listener) {}
  ~StallPort() override;

  /// The command that `fill(StallWork&)` makes. Only when none is under way. True: it is answered already.
  template <class Fill>
  bool send(Fill&& fill) {
    Command& command = next();
    command.work = StallWork();
    fill(command.work);
    return send(command);
  }
  /// From `send` until `take`.
  bool under_way() const { return sent_ != nullptr; }
  bool answered() const { return answered_; }
  const sc_core::sc_time& answered_at() const { return answered_at_; }  ///< only when answered
  /// The answer. Only when answered; then another command may be sent.
  StallWork take();

  decltype(FourPhases<StallProtocol>::socket)& socket = link_.socket;

 private:
  struct Command {
    tlm::tlm_generic_payload payload;
    StallWork work;
  };
  Command& next();
  bool send(Command& command);
  void note_answer(const sc_core::sc_time& at);
  void free(tlm::tlm_generic_payload* payload) override;
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) override;
  void request_taken(const sc_core::sc_time&) override {}  // the answer is what the unit waits for

  Listener& listener_;
  std::deque<Command> commands_;  ///< more than one where a buffer keeps payloads for longer than until its answer
  std::vector<Command*> free_;
  Command* sent_ = nullptr;
  bool answered_ = false;
  sc_core::sc_time answered_at_;
};

}  // namespace syncline::models
