// An analysis port that knows whether anybody listens, so that unheard events are not made.
#pragma once

#include <systemc>
#include <tlm>

#include "base/taps.h"

namespace syncline::models {

/// Somebody is told what the block does that `port` belongs to, in its turn: so turns keep their order, and SystemC's
/// time.
void keep_time_for(const sc_core::sc_object& port);

template <class Event>
class WatchedPort : public tlm::tlm_analysis_port<Event> {
 public:
  explicit WatchedPort(const char* name) : tlm::tlm_analysis_port<Event>(name) {}
  void bind(tlm::tlm_analysis_if<Event>& listener) {
    base::require_taps();
    tlm::tlm_analysis_port<Event>::bind(listener);
    ++listeners_;
    keep_time_for(*this);
  }
  void operator()(tlm::tlm_analysis_if<Event>& listener) { bind(listener); }
  bool watched() const { return base::has_taps && listeners_ != 0; }

 private:
  unsigned listeners_ = 0;
};

}  // namespace syncline::models
