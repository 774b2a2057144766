// The events of an SM for who watches: one per issued instruction, with time and place.
#pragma once

#include <systemc>
#include <tlm>

#include "base/ids.h"
#include "isa/trace/trace_event.h"
#include "models/sm/seams/warp_events.h"

namespace syncline::models {

/// Valid during the call only.
struct InstructionEvent {
  base::Cycle cycle = 0;
  WarpIdentity warp;
  isa::TraceEvent what;
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
