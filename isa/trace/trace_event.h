// One executed warp instruction, for whoever subscribes: profilers, race detectors, trace files.
#pragma once

#include <cstdint>

#include "base/dim3.h"
#include "isa/exec/memory_access.h"
#include "isa/exec/op.h"
#include "isa/exec/program.h"

namespace syncline::isa {

struct GridContext;

struct TraceEvent {
  const Program* program = nullptr;
  const Op* op = nullptr;  ///< Program::instruction gives its PTX
  std::uint32_t pc = no_pc;
  std::uint64_t grid = 0;  ///< number of the launch
  base::Dim3 cta;
  unsigned warp = 0;                           ///< index in the CTA
  unsigned stack_depth = 0;                    ///< paths that wait in the warp's reconvergence mechanism
  base::LaneMask active = 0;                   ///< lanes on the path
  base::LaneMask guarded = 0;                  ///< of them, lanes that the guard lets execute
  base::LaneMask taken = 0, fall_through = 0;  ///< branches: which way the active lanes went
  bool parted = false;                         ///< branches, branch tables, calls: the active lanes went different ways
  bool continued = false;  ///< the same instruction as the event before: of a generic access, lanes in another space
  const MemoryAccess* access = nullptr;  ///< loads, stores, atomics: lanes, addresses, sizes; store data
};

/// A subscriber. `event` comes after the instruction's masks and addresses are known and before memory changes.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  virtual void event(const TraceEvent& event) = 0;
  /// A launch, whose events follow, up to `ended`; one that a fault ends has no end.
  virtual void begins(const GridContext& grid) { (void)grid; }
  virtual void ended() {}
};

}  // namespace syncline::isa
