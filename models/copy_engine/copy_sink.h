// What the host says to a copy engine: a SystemC interface.
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

namespace syncline::models {

/// Copies in the order in which they are asked for, one after another.
class CopySink : public virtual sc_core::sc_interface {
 public:
  struct Copy {
    std::uint64_t to = 0, from = 0, bytes = 0;  ///< device addresses
    /// All bytes are there, for whoever looks after a synchronisation.
    std::function<void()> done;
  };
  virtual void copy(Copy copy) = 0;
};

}  // namespace syncline::models
