// The contract between an SM and its L1: which messages go down, which come back, and what each promises.
//
// Two one-way links (transport/message_port.h) join them, both on virtual network 0. The SM sends in program order of
// each warp, and a link keeps that order: the L1 sees two accesses of one thread to one address in the order of the
// program. The SM takes every reply at once (the room for it is reserved when the request is made), so the reply link
// never blocks and an L1 may rely on that for its freedom from deadlock.
//
//   down: message_class     kind                     carries                                     answered by
//   load_request            global, local, constant  line, mask of wanted bytes                  data_reply
//   load_request            prefetch                 line, mask                                  nothing
//   store_request           global, local            line, mask, data                            store_ack
//   atomic_request          global                   line, mask, atomic, atomic_type, ftz,       atomic_reply
//                                                    atomics[]
//   control                 fence                    semantics, scope                            control, fence
//   control                 grid_begin, grid_end     -                                           the same
//
// These are of the family `l1_family`. A message of another family (transport/message_family.h) goes by the L1: to the
// home of its line, before which a unit claims it, and the answer, of the same family, comes back as it is. One that
// passes as a store is to the L1 a global store: the answer is a store_ack, and what that promises is promised of what
// the family makes of the store. A copy that the L1 keeps may hold bytes that it does not write in the end.
//
// Every request carries warp, tag, semantics, scope, cache and read_only, and the L1 writes into it that the access is
// its own (requester); every reply echoes `tag`, `family` and `kind` (the tag is the SM's own handle: the L1 must not
// interpret it); in another family's own answer the kind is the answer's. Replies may come in any order.
//   data_reply    the bytes of the request's mask in `data`; `mask` at least the wanted bytes.
//   store_ack     the store is performed, as the coherence policy defines that; the SM's fences wait for it.
//   atomic_reply  the whole request is performed; `atomics[n].operand` is the old value when `returns_value`.
//                 The lanes of one request are applied in the order of `atomics` (ascending lanes).
//   fence         all earlier accesses of the warp were acknowledged before the SM asks. The policy does what a fence
//                 of that scope means to it (invalidate, advance a clock, nothing) and answers.
//   grid_begin    the first CTA of a grid is about to start on this SM: nothing cached before may be returned if it
//                 can be stale (the boundary of a kernel is a synchronisation point of CUDA). No CTA of that grid
//                 issues before the answer.
//   grid_end      all that was acknowledged is performed for the whole system: what the next grid and the host read.
//                 Asked where acknowledgements do not say so (modules that have a home of their own for others' lines).
//
// A load or atomic with acquire semantics, and volatile, relaxed or cg/cv accesses, are marked in `semantics`, `scope`
// and `cache`; the SM itself keeps the order of the issuing warp (release: earlier accesses are acknowledged first;
// acquire: later memory accesses wait for the answer).
#pragma once

#include <cstdint>

#include "models/transport/message_family.h"

namespace syncline::models {

extern const MessageFamily l1_family;

/// Message::kind between SM and L1.
enum class L1Kind : std::uint8_t {
  global,      ///< the coherent memory of the program
  local,       ///< a thread's own memory (PTX .local), interleaved over a region of the platform; nobody else reads it
  constant,    ///< a line for the SM's constant cache; read-only while the grid runs
  prefetch,    ///< a hint: may be dropped, is never answered
  fence,       ///< control
  grid_begin,  ///< control
  grid_end,    ///< control
  count_
};

/// A message of another family concerns the coherent memory.
inline L1Kind l1_kind(const Message& message) {
  return message.family == &l1_family ? static_cast<L1Kind>(message.kind) : L1Kind::global;
}
inline void set_l1_kind(Message& message, L1Kind kind) {
  message.family = &l1_family;
  message.kind = static_cast<std::uint8_t>(kind);
}

/// The virtual network of both links.
inline constexpr VirtualNetwork sm_l1_network = 0;

}  // namespace syncline::models
