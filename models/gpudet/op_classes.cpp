#include "models/gpudet/op_classes.h"

#include <algorithm>

namespace syncline::models {
namespace {

using protocols::gpudet::OpClass;

/// Of an access.
bool may_be_in(isa::Space space, const isa::Op& op) {
  return op.memory->space == space || op.memory->space == isa::Space::generic;
}

/// Nobody but the warp, and through shared memory its CTA, hears of it.
bool may_go_ahead(const isa::Op& op) {
  switch (op.kind) {
    case isa::OpKind::exit:
    case isa::OpKind::trap:
    case isa::OpKind::breakpoint:
    case isa::OpKind::barrier:
      return false;
    default:
      return class_of(op) == OpClass::plain;
  }
}

bool may_read_global(const isa::Op& op) {
  const bool reads = op.kind == isa::OpKind::load || op.kind == isa::OpKind::prefetch;
  return reads && may_be_in(isa::Space::global, op);
}

bool may_be_shared(const isa::Op& op) {
  const bool accesses = op.kind == isa::OpKind::load || op.kind == isa::OpKind::store || op.kind == isa::OpKind::atomic;
  return accesses && may_be_in(isa::Space::shared, op);
}

/// What releases by a word of shared memory, which others see at once: the quantum has to end before, as at a fence.
/// A release to global memory is seen when the stores before it are, and an atomic there comes behind the commits.
bool releases_at_once(const isa::Op& op) {
  if (!may_be_shared(op)) return false;
  const isa::Semantics semantics = op.memory->semantics;
  return semantics == isa::Semantics::release || semantics == isa::Semantics::acq_rel ||
         semantics == isa::Semantics::sc;
}

}  // namespace

OpClass class_of(const isa::Op& op) {
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

protocols::gpudet::Ask ask_for(const isa::Op& op, bool log_room) {
  const bool counted = op.kind == isa::OpKind::barrier && op.sources > 1;
  return {class_of(op),        log_room, may_be_shared(op), releases_at_once(op), may_go_ahead(op),
          may_read_global(op), counted};
}

unsigned store_parts(const isa::Op& op) {
  return op.kind == isa::OpKind::store && op.memory->sinks != 0 ? op.memory->elements : 1;
}

unsigned shared_granule(const isa::Program& program) {
  const bool has_smaller = std::any_of(program.ops(), program.ops() + program.size(), [](const isa::Op& op) {
    return may_be_shared(op) && op.memory->element_bytes < 4;
  });
  return has_smaller ? 1 : 4;
}

}  // namespace syncline::models
