// Runs litmus tests on a device, thousands of times, each time a little differently.
//
// One launch holds many iterations: copies of the test side by side on the SMs, each for a number of rounds, every
// iteration on words of its own. What differs from one to the next is drawn from the seed: the distance between the
// starts of the threads, the lines (and so partitions and sets) of the locations, whether locations share a line, which
// lines are warm in which L1, and which lines compete with them. The platform's own perturbation comes on top.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "consistency/program.h"
#include "platform/host/device.h"
#include "platform/litmus/litmus_layout.h"

namespace syncline::platform {

/// What the runner has to know of the machine.
struct LitmusMachine {
  LitmusSms sms;
  unsigned line_bytes = 128;
  unsigned set_stride = 4096;  ///< bytes from a line to the next of the same L1 set
};

/// How often each final state was seen.
struct LitmusCounts {
  std::map<consistency::State, std::uint64_t> states;
  std::uint64_t iterations = 0;
  std::uint64_t unfinished = 0;  ///< of them: a thread gave up a loop; their states are not counted
  unsigned copies = 0;           ///< side by side
  unsigned sms_per_copy = 0;     ///< on all of its GPUs; fewer than the test asks for when the machine has no more
};

class LitmusRunner {
 public:
  LitmusRunner(Device& device, const LitmusMachine& machine, std::uint64_t seed)
      : device_(device), machine_(machine), seed_(seed) {}

  /// At least `iterations` runs of `program`. UserError for a test that cannot run here; ModelError when the machine
  /// placed CTAs elsewhere than in turn, or on other GPUs, or changed memory that no thread wrote.
  LitmusCounts run(const consistency::Program& program, std::uint64_t iterations);

 private:
  Device& device_;
  LitmusMachine machine_;
  std::uint64_t seed_;
};

}  // namespace syncline::platform
