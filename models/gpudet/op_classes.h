// What GPUDet has to know of an instruction before it issues.
#pragma once

#include <algorithm>

#include "isa/exec/program.h"
#include "protocols/determinism/gpudet/quantum.h"

namespace syncline::models {

/// Whether the access may go to `space`: it names it, or is generic.
inline bool may_be_in(isa::Space space, const isa::Op& op) {
  return op.memory->space == space || op.memory->space == isa::Space::generic;
}

inline bool may_be_shared(const isa::Op& op) {
  const bool accesses = op.kind == isa::OpKind::load || op.kind == isa::OpKind::store || op.kind == isa::OpKind::atomic;
  return accesses && may_be_in(isa::Space::shared, op);
}

/// A barrier that names how many threads it is for.
inline bool is_counted(const isa::Op& op) {
  return op.kind == isa::OpKind::barrier && op.sources > 1;
}

/// Parts of different lines that one lane may store: a vector that leaves elements out is stored element by element.
inline unsigned store_parts(const isa::Op& op) {
  return op.kind == isa::OpKind::store && op.memory->sinks != 0 ? op.memory->elements : 1;
}

/// A generic access counts as one to global memory, also where it turns out to go to shared memory: the question is
/// asked before its addresses are known.
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

/// Whether a warp may issue it while the stores of the last quantum are still being committed: only the warp itself, or
/// its CTA through shared memory, can see that it did.
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

/// A release by a store or atomic to shared memory: others of the CTA see the word at once, before the stores to global
/// memory that it releases are committed. The quantum has to end before it, as at a fence. A release to global memory
/// needs no such end: it is committed with the stores before it, or is an atomic, which runs behind the commit.
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

/// What the machine of quanta is asked when a warp wants to issue `op`; `log_room`: there is room to log a store. In a
/// program with barriers that name a number of threads, warps come to all barriers in a fixed order: if warps use one
/// barrier in contradictory ways, the error then names the same warp in each run.
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
