// The events of an SM for who watches: one per issued instruction (the fields of Ocelot's TraceEvent, with time and place).
#pragma once

#include <systemc>
#include <tlm>

#include "base/ids.h"
#include "isa/exec/memory_access.h"
#include "isa/exec/step.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::models {

/// Valid during the call only. `step` has pc, op and masks (active, guarded, taken); `access` the per-lane addresses and
/// sizes of a memory instruction, else null.
struct InstructionEvent {
  base::Cycle cycle = 0;
  WarpIdentity warp;
  const isa::Program* program = nullptr;
  const isa::Step* step = nullptr;
  const isa::MemoryAccess* access = nullptr;
  unsigned stack_depth = 0;  ///< paths of the warp that wait
};

/// An analysis port that knows whether anybody listens, so that unheard events are not made.
template <class Event>
class WatchedPort : public tlm::tlm_analysis_port<Event> {
 public:
  explicit WatchedPort(const char* name) : tlm::tlm_analysis_port<Event>(name) {}
  void bind(tlm::tlm_analysis_if<Event>& listener) {
    tlm::tlm_analysis_port<Event>::bind(listener);
    ++listeners_;
  }
  void operator()(tlm::tlm_analysis_if<Event>& listener) { bind(listener); }
  bool watched() const { return listeners_ != 0; }

 private:
  unsigned listeners_ = 0;
};

}  // namespace syncline::models
