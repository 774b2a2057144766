// What the two ends of a link say to each other beside messages: SystemC interface, bound by sc_port and sc_export.
#pragma once

#include <systemc>

#include <cstdint>

#include "models/transport/message.h"

namespace syncline::models {

/// The sending end of a link, to which credits come back.
class LinkCredits : public virtual sc_core::sc_interface {
 public:
  /// So many of a virtual network of a way are there from `at_ps` on, which is not before now.
  virtual void give_back(unsigned way, VirtualNetwork network, unsigned flits, std::uint64_t at_ps) = 0;
};

}  // namespace syncline::models
