// Seam: the number of a warp among those of its SM, as far as a program can see it. It selects the warp's local memory,
// in which a program finds what the warp before it with the same number has left, and it is the value of %warpid.
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
