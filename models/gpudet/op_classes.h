// What GPUDet has to know of an instruction before it issues.
#pragma once

#include <algorithm>

#include "isa/exec/program.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

/// Of an access.
inline bool may_be_in(isa::Space space, const isa::Op& op) {
  return op.memory->space == space || op.memory->space == isa::Space::generic;
}

inline bool may_be_shared(const isa::Op& op) {
  const bool accesses = op.kind == isa::OpKind::load || op.kind == isa::OpKind::store || op.kind == isa::OpKind::atomic;
  return accesses && may_be_in(isa::Space::shared, op);
}

/// A barrier for so many threads.
inline bool is_counted(const isa::Op& op) {
  return op.kind == isa::OpKind::barrier && op.sources > 1;
}

/// Lines that a lane may store to by it.
inline unsigned store_parts(const isa::Op& op) {
  return op.kind == isa::OpKind::store && op.memory->sinks != 0 ? op.memory->elements : 1;
}

/// A generic access may turn out to be one to shared memory; the quantum ends all the same.
inline protocols::gpudet::OpClass class_of(const isa::Op& op) {
  using protocols::gpudet::OpClass;
  switch (op.kind) {
    case isa::OpKind::store:
      return may_be_in(isa::Space::global, op) ? OpClass::store : OpClass::plain;
    case isa::OpKind::atomic:
      return may_be_in(isa::Space::global, op) ? OpClass::atomic : OpClass::plain;
    case isa::OpKind::fence:
      return OpClass::fence;
    case isa::OpKind::system_call:  // they share the heap and the output
      return OpClass::call;
    default:
      return OpClass::plain;
  }
}

/// Nobody but the warp, and through shared memory its CTA, hears of it.
inline bool may_go_ahead(const isa::Op& op) {
  switch (op.kind) {
    case isa::OpKind::exit:
    case isa::OpKind::trap:
    case isa::OpKind::breakpoint:
    case isa::OpKind::barrier:
      return false;
    default:
      return class_of(op) == protocols::gpudet::OpClass::plain;
  }
}

/// What releases by a word of shared memory, which others see at once: the quantum has to end before, as at a fence.
/// A release to global memory is seen when the stores before it are, and an atomic there comes behind the commits.
inline bool releases_at_once(const isa::Op& op) {
  if (!may_be_shared(op)) return false;
  return isa::has_release(op.memory->semantics);
}

/// What the warps of a CTA share in a program.
struct SharedUse {
  unsigned granule = 4;  ///< bytes of its smallest access, at most 4
  bool parts = false;    ///< a barrier may be for a part of the CTA
};
inline SharedUse shared_use(const isa::Program& program) {
  SharedUse use;
  std::for_each(program.ops(), program.ops() + program.size(), [&](const isa::Op& op) {
    if (may_be_shared(op) && op.memory->element_bytes < use.granule) use.granule = 1;
    use.parts = use.parts || is_counted(op);
  });
  return use;
}

/// The question of a warp that wants to issue it; `log_room`: for a store. Where some barriers count, warps come in
/// order to those that do not, too: which of two comes first to one number says which of them is at fault.
inline protocols::gpudet::Ask ask_for(const isa::Op& op, bool log_room, const SharedUse& use) {
  const bool reads = op.kind == isa::OpKind::load || op.kind == isa::OpKind::prefetch;
  return {class_of(op),
          log_room,
          may_be_shared(op),
          releases_at_once(op),
          may_go_ahead(op),
          reads && may_be_in(isa::Space::global, op),
          use.parts && op.kind == isa::OpKind::barrier};
}

}  // namespace syncline::models
