// From PTX's virtual registers, of which there are as many as the compiler liked, to compact storage.
//
// Storage is per lane: under divergence a register that is alive only in lanes that wait may share storage with one
// that the running lanes use, because a write touches the running lanes' columns only. That holds among registers of
// one width, so every width has slots of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "base/error.h"
#include "isa/cfg/control_flow_graph.h"
#include "isa/exec/program.h"
#include "isa/ptx/ast.h"

namespace syncline::isa {

/// Where one virtual register lies.
struct RegisterPlace {
  std::uint32_t offset = no_index;  ///< in the frame, or in the warp bank, in bytes; no_index: never used
  std::uint16_t id = 0;             ///< for scoreboards: one per slot, dense
  std::uint8_t bytes = 0;           ///< 2, 4, 8, 16; 0: a predicate
  bool shared = false;              ///< a register of the module, in the warp bank: the same for all functions
};

/// Bytes of storage of a lane for a register of a type, and 32-bit registers of the hardware that it takes; predicates
/// are a mask (0 bytes) and have a file of their own.
unsigned storage_bytes(Type type);
unsigned storage_cost(Type type);

struct RegisterLayout {
  std::vector<RegisterBlock> blocks;  ///< those with registers
  std::vector<RegisterPlace> places;  ///< per register of the function, the carry flag last
  std::uint32_t bytes = 0;            ///< of all register storage in a frame (per half warp), multiple of 64
  unsigned pressure = 0;              ///< most 32-bit registers alive at once
};

/// Liveness over the graph, then linear scan over live intervals in the order of the text. `shared`: where the
/// registers of the module lie, per Module::registers; their scoreboard numbers are the first `shared_ids`. Throws
/// base::UserError, at `where`, for a function that is too large or keeps too many registers.
RegisterLayout allocate_registers(const Function& function, const ControlFlowGraph& graph, Allocation allocation,
                                  const std::vector<RegisterPlace>& shared, std::uint16_t shared_ids,
                                  const base::SourceLocation& where);

}  // namespace syncline::isa
