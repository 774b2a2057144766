// The seam between an SM and its L1: units that see every access behind the coalescer, and every answer.
#pragma once

#include "base/ids.h"
#include "base/line_data.h"
#include "models/block/path_unit.h"
#include "models/sm/l1_interface.h"
#include "models/tile/tile.h"

namespace syncline::models {

/// A unit between an SM and its L1, which speak by the contract of l1_interface.h and keep it with the unit between
/// them: accesses of a warp to a line stay in order, every request is answered once, and the SM takes every answer at
/// once. The unit belongs to the tile of its SM.
class SmUnit : public PathUnit {
 public:
  using PathUnit::PathUnit;

 protected:
  /// A hint to fetch a line of coherent memory, to be forwarded: the L1 may drop it, and never answers it. `cause`: the
  /// access whose warp and instruction it is counted for.
  Message& hint(base::LineAddress line, unsigned line_bytes, const Message& cause) {
    Message& message = tile().messages().get();
    message.message_class = MessageClass::load_request;
    set_l1_kind(message, L1Kind::prefetch);
    message.network = sm_l1_network;
    message.line = line;
    message.mask = base::ByteMask::all(line_bytes);
    message.warp = cause.warp;
    message.pc = cause.pc;
    message.order = cause.order;
    return message;
  }
};

}  // namespace syncline::models
