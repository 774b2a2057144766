// The copy engine of one GPU of a device, with the L1 over which it reads and writes.
#pragma once

#include "models/copy_engine/copy_engine.h"
#include "models/l1_cache/l1_ports.h"
#include "platform/gpu/memory_side.h"

namespace syncline::platform {

/// Hierarchical names, in the module that it is made in: copy_engine1, copy_engine1_l1, whose keys are those of the
/// SMs' L1s. To be made before simulation starts.
class CopyPort {
 public:
  /// `memory` outlives it.
  CopyPort(MemorySide& memory, unsigned gpu);
  models::CopySink& copies() { return engine_; }
  std::vector<std::string> describe_waiting() const { return engine_.describe_waiting(); }

 private:
  models::Made<models::L1Ports> l1_;
  models::CopyEngine engine_;
};

}  // namespace syncline::platform
