// What happens to the bytes of lines, for observers that follow which write each byte comes from. The caches tell the
// facts; nothing in them knows about writes beyond their bytes.
#pragma once

#include <cstdint>

#include "base/line_data.h"
#include "models/cache/tag_array.h"
#include "models/transport/message.h"
#include "models/transport/node.h"

namespace syncline::models {

/// Valid during the call only. A message is the same object from the SM to the home and back.
struct LineEvent {
  enum class Kind : std::uint8_t {
    performed,   ///< home: the store or atomic `message` has been applied to the line
    host_wrote,  ///< home: the host wrote to the line; no message
    host_read,   ///< home: the host reads from the line; no message
    departed,    ///< home: `message` leaves with bytes of the line
    copied,      ///< L2 of another module: `message` leaves with bytes of the copy in `frame`
    filled,      ///< L1, or L2 of another module: `frame` holds the bytes that `message` brought
    merged,      ///< the same: what the store or atomic `message` leaves is in the copy in `frame`, whoever else has it
    passed_on,   ///< home of a GPU: what `message` left there goes on to the line's home, as `data` in `source`
    host_merged,  ///< the L2: what the host wrote is in the copy in `frame` or, nowhere, in the line in `message`
    loaded,       ///< L1: the load `message` is answered, with bytes that `source` brought or, null, those in `frame`
    fenced        ///< L1: the fence `message` of a warp whose earlier accesses are all performed
  };
  Kind kind;
  base::LineAddress line;
  base::ByteMask bytes;  ///< written, or wanted by the reader; of an atomic those that it reads
  /// What these bytes are: in the line behind the write, in the message that departs, in the store that is merged, in
  /// what the reader gets. Null: the event tells of none.
  const base::LineData* data = nullptr;
  const Message* message = nullptr;
  const Message* source = nullptr;
  Index frame = nowhere;
  NodeId cache{};                          ///< whose frame it is
  const base::LineData* before = nullptr;  ///< performed or merged, of an atomic: what was there until then
};

}  // namespace syncline::models
