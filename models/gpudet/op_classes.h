// What GPUDet has to know of an instruction before it issues.
#pragma once

#include "isa/exec/program.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

/// A generic access may turn out to be one to shared memory; the quantum ends all the same.
protocols::gpudet::OpClass class_of(const isa::Op& op);
/// The question of a warp that wants to issue it; `log_room`: for a store.
protocols::gpudet::Ask ask_for(const isa::Op& op, bool log_room);
/// Lines that a lane may store to by it.
unsigned store_parts(const isa::Op& op);
/// Bytes of the smallest access that the program may make to shared memory, at most 4.
unsigned shared_granule(const isa::Program& program);

}  // namespace syncline::models
