// What transactors know of a module in RTL: channels with valid, ready and a payload, and a clock.
//
// The module is evaluated in the tick of its block, not by processes of SystemC's: it has its turn in the fixed order
// of all blocks, sleeps with its block, and needs no signal for its pins. A tick is one cycle. First the inputs settle
// with the clock low; what is valid and ready then is taken by the rising edge that ends the tick.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/transactor/pin_bits.h"

namespace syncline::models {

/// Into the module.
struct InChannel {
  bool valid = false;
  PinBits payload;
  bool ready = false;  ///< the module's
  bool taken() const { return valid && ready; }
};

/// Out of it.
struct OutChannel {
  bool ready = false;
  bool valid = false;  ///< the module's
  PinBits payload;     ///< where it is valid
  bool taken() const { return valid && ready; }
};

/// A signal inside the module, of at most 64 bits.
struct RtlSignal {
  std::string name;
  unsigned width;
  std::function<std::uint64_t()> value;
};

class Pins {
 public:
  virtual ~Pins() = default;
  /// Drives the inputs and says what the outputs are, with the clock low.
  virtual void settle() = 0;
  /// The rising edge.
  virtual void edge() = 0;
  /// Pin `busy`, behind the edge: the module wants a clock though nothing comes in.
  virtual bool busy() const = 0;
  virtual std::vector<RtlSignal> signals() const = 0;
};

/// A module that answers requests: channels `request` and `response`, in order.
struct ServerPins : Pins {
  InChannel request;
  OutChannel response;
};

/// A unit of a partition: the channels of models/rtl/partition_pins.sv.
struct PartitionPins : Pins {
  InChannel request, told;
  OutChannel ask, answer;
};

/// Makes the module, which has been reset; `name` is its block's, with its place in the hierarchy.
template <class Of>
using MakePins = std::function<std::unique_ptr<Of>(const std::string& name)>;

}  // namespace syncline::models
