// Seam: where a warp stands among those of its SM, for what a program can see of that: the place of its local memory,
// of which nobody clears what the warp before has left there, and %warpid.
#pragma once

namespace syncline::models {

class WarpPlaces {
 public:
  virtual ~WarpPlaces() = default;
  /// Of the warp that starts in the warp slot `slot`, after listeners have heard of it: a number below that of the
  /// slots, which no other warp of the SM has at the time.
  virtual unsigned place(unsigned slot) const = 0;
};

/// `none`: the slot itself, whichever was free.
class SlotPlaces final : public WarpPlaces {
 public:
  unsigned place(unsigned slot) const override { return slot; }
};

}  // namespace syncline::models
